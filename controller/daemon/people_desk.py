"""The desk: where people show their PINs, are added and removed, for the control socket.

The rules:

- Whoever shows a PIN costs the same work, also where there is no such person or he is barred: the
  time of an answer tells nobody which it was.
- A change is prepared as a file, then an entry of the journal, then in its place: nobody signs in
  of whom the journal does not know. Where the last step fails, whoever asked is told.
- Another PIN, and the removal, end whatever the person has signed in to.
- ``WRONG`` wrong PINs of one person in a row, on connections of one user, bar that person on that
  user's connections: for ``FIRST_S``, the next time for twice as long, at most ``LONGEST_S``. On
  other users' connections he is not barred, so nobody keeps a colleague out elsewhere. While he is
  barred no PIN is taken, and none counts as a wrong one. A right PIN forgets all of it, and so does
  another PIN given by who administers. It is kept in memory, for people who exist and users who may
  be dealers: few of both.

Work that takes its time (scrypt, a file) is done beside the loop:

- Cards and acknowledgements never wait for it: each has a thread of its own, of which one user
  keeps at most ``OF_ONE`` busy and all together ``OF_ALL``; more wait.
- Who asks waits ``WITHIN_S``, his turn included. A thread that hangs keeps its turn until it ends:
  what it does is not done by another one meanwhile."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, TypeVar
from weakref import WeakSet

from controller.causes.finding import cause_of
from controller.control.handler import (
    BadCommand,
    Person,
    PinNotTaken,
    RequestRefused,
    Unavailable,
)
from controller.control.peers import Peer
from controller.control.protocol import Request
from controller.daemon import people_roll
from controller.daemon.owner import Owner
from controller.daemon.people_roll import BadRoll, KeptPin, Listed, Roll
from controller.forms.json_values import JsonObject
from controller.regular_files import put_in_place
from controller.table.events.of_people import KEY_SWITCH, PeopleChanged
from controller.threads import NoThread, ask_in_thread

T = TypeVar("T")

OF_ONE: Final = 1
OF_ALL: Final = 2
WITHIN_S: Final = 10.0

_NOT_NOW: Final = "PINs and the list of people cannot be looked at now, try again"


class WorkInTurns:
    """Has work done in turns."""

    def __init__(self, within_s: float = WITHIN_S) -> None:
        self._within_s = within_s
        self._held: Counter[int] = Counter()
        self._freed = asyncio.Event()

    async def do_in_turn(self, whose: int, work: Callable[[], T]) -> T:
        """What ``work`` comes to, in the turn of user ``whose``; Unavailable where not in time."""
        try:
            async with asyncio.timeout(self._within_s):
                while self._held[whose] >= OF_ONE or self._held.total() >= OF_ALL:
                    await self._freed.wait()
                return await self._start(whose, work)
        except TimeoutError as error:
            raise Unavailable(f"{_NOT_NOW}: it took too long", "people-busy") from error
        except NoThread as error:
            raise Unavailable(f"{_NOT_NOW}: {error.strerror}", "people-busy") from error

    def _start(self, whose: int, work: Callable[[], T]) -> asyncio.Future[T]:
        self._held[whose] += 1
        return ask_in_thread(work, "people", partial(self._free_turn, whose))[1]

    def _free_turn(self, whose: int) -> None:
        self._held[whose] -= 1
        if not self._held[whose]:
            del self._held[whose]
        self._freed.set()
        self._freed = asyncio.Event()


RESERVED: Final = frozenset({KEY_SWITCH, "keypad", "the table", "others", "a second person"})
"""Names that the journal and the counters give to what is no person."""

WRONG: Final = 5
FIRST_S: Final = 60.0
LONGEST_S: Final = 86_400.0

_CHANGES: Final = -1
"""In place of a user's number: changes have a turn of their own."""


@dataclass(slots=True)
class _Tried:
    """Wrong PINs since the last bar, until when it lasts, and for how long the next one will."""

    wrong: int = 0
    until: float = 0.0
    next_s: float = FIRST_S


class Bars:
    """``judge`` is told of each PIN; times are monotonic seconds."""

    def __init__(self) -> None:
        self._tried: dict[tuple[int, str], _Tried] = {}

    def judge(self, uid: int, name: str, now: float, *, right: bool) -> bool:
        """Whether that PIN is taken."""
        tried = self._tried.get((uid, name), _Tried())
        if now < tried.until:
            return False
        if right:
            self._tried.pop((uid, name), None)
            return True
        tried.wrong += 1
        if tried.wrong >= WRONG:
            tried.until, tried.wrong = now + tried.next_s, 0
            tried.next_s = min(2 * tried.next_s, LONGEST_S)
        self._tried[uid, name] = tried
        return False

    def forget(self, name: str) -> None:
        """Nothing is held against that person any more."""
        self._tried = {key: tried for key, tried in self._tried.items() if key[1] != name}


class Desk:
    """Of the people in the file at ``path``; changes are entries that ``owner`` submits. Each
    raises RequestRefused where the list cannot be used, Unavailable where it takes too long."""

    def __init__(self, path: Path, owner: Owner, now: Callable[[], float]) -> None:
        self._path = path
        self._owner = owner
        self._now = now
        self._beside = WorkInTurns()
        self._bars = Bars()
        self._nobody = Listed("dealer", KeptPin.of_nobody())
        self._given: WeakSet[Person] = WeakSet()
        self._changed = 0
        self._changing = False

    async def known(self, name: str, pin: str, uid: int) -> Person:
        """The person, where that is his PIN and he is not barred for that user; or PinNotTaken."""

        def look_up() -> tuple[Listed | None, bool]:
            listed = self._read_roll().get(name)
            return listed, (listed or self._nobody).kept.is_of(pin)

        changed = -1
        while changed != self._changed:  # meanwhile his PIN may have become another one
            changed = self._changed
            listed, right = await self._beside.do_in_turn(uid, look_up)
        if listed is None:
            raise PinNotTaken("")
        if not self._bars.judge(uid, name, self._now(), right=right):
            raise PinNotTaken(name)
        person = Person(name, listed.role)
        self._given.add(person)
        return person

    async def listed(self) -> JsonObject:
        """``people``: of each the ``name`` and ``role``, by name."""
        people = await self._beside.do_in_turn(_CHANGES, self._read_roll)
        return {
            "people": [{"name": name, "role": one.role} for name, one in sorted(people.items())]
        }

    async def change(self, request: Request, who: Peer) -> JsonObject:
        """``person_add``, ``person_pin`` or ``person_remove``; BadCommand: no such name or role."""
        change, name = request.do.removeprefix("person_"), request.person
        if self._changing:
            raise RequestRefused(
                "another change of people is under way: wait", code="people-changing"
            )
        self._changing = True
        try:
            prepare = partial(self._prepare, change, name, request.role, request.pin)
            changed = PeopleChanged(
                change=change,
                of=name,
                role=await self._beside.do_in_turn(_CHANGES, prepare),
                **who.as_fields,
            )
            self._owner.submit(changed)
            await self._owner.settled()
            try:
                await self._beside.do_in_turn(_CHANGES, self._put_roll)
            finally:
                self._forget(name)
        finally:
            self._changing = False
        return {"person": name, "role": changed.role}

    def _forget(self, name: str) -> None:
        """That person is not what he was: he signs in again, and nothing is held against him."""
        self._changed += 1
        self._bars.forget(name)
        for person in self._given:
            person.stands = person.stands and person.name != name

    def _read_roll(self) -> Roll:
        try:
            return people_roll.read_roll(self._path)
        except BadRoll as bad:
            raise RequestRefused(str(bad), code="people-unreadable") from bad

    def _prepare(self, change: str, name: str, role: str, pin: str) -> str:
        """Write the file as it is to be; the role of whom it is about."""
        people = dict(self._read_roll())
        listed = people.get(name)
        if change == "add":
            _check_new(name, role, people)
        elif listed is None:
            known = ", ".join(sorted(people)) or "nobody"
            raise BadCommand(f"there is no {name!r}: known are {known}", "unknown-person")
        else:
            role = listed.role
        if change == "remove":
            del people[name]
        else:
            people[name] = Listed(
                next(one for one in people_roll.ROLES if one == role), KeptPin.from_pin(pin)
            )
        try:
            people_roll.prepare(self._path, people)
        except OSError as error:
            raise self._not_written(error) from error
        return role

    def _put_roll(self) -> None:
        try:
            put_in_place(self._path)
        except OSError as error:
            raise self._not_written(error) from error

    def _not_written(self, error: OSError) -> RequestRefused:
        return RequestRefused(
            f"{self._path} cannot be written, and the list is as it was, whatever the journal says "
            f"of this change: {cause_of(error, self._path)}. Then give it again",
            code="people-not-written",
        )


def _check_new(name: str, role: str, people: Roll) -> None:
    if role not in people_roll.ROLES:
        raise BadCommand(f"role: expected one of {', '.join(people_roll.ROLES)}", "unknown-role")
    if not people_roll.is_name(name):
        raise BadCommand(
            "person: expected a name of at most 64 characters without blanks around it"
        )
    if name.casefold() in RESERVED:
        raise BadCommand(
            f"{name!r} is the program's own name: expected a person's", "reserved-name"
        )
    if alike := next((one for one in people if one.casefold() == name.casefold()), None):
        raise RequestRefused(
            f"{alike} is known already: pin NAME gives another PIN", code="person-known"
        )
    if len(people) >= people_roll.MOST_PEOPLE:
        raise RequestRefused(
            f"there are {len(people)} people: remove one first", code="too-many-people"
        )
