"""Who may make which request, and the people who sign in at the control socket.

The rules:

- Who may not has made an attempt; of whom the user database says nothing now, nobody knows whether
  he may.
- A person counts on connections that may at least be a dealer: for one request that brings
  ``person`` and ``pin``, or from ``sign_in`` on.
- A session ends when its connection does, by ``sign_out``, with another ``sign_in``, when the
  person is removed or is given another PIN, and after ``IDLE_S`` without a request. Nobody stays
  signed in by leaving a screen open.
- A stream (``capture``, ``try``) that only a person's rights have permitted ends with them: also
  where they came with the request itself.
- What is not taken is an attempt. Whose PIN it was to be is told where there is such a person; what
  else was sent as a name may be a PIN in the wrong place, and is not kept.
- The list of people is root's and the daemon's own user's, whoever has signed in.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from controller.control.handler import (
    NOT_TAKEN,
    Change,
    NotAllowed,
    People,
    Person,
    PinNotTaken,
    Unavailable,
)
from controller.control.peers import Groups, Peer
from controller.control.protocol import MAX_COMMAND, REQUESTS, Request, Role
from controller.forms.json_values import JsonObject


class Rights:
    """By the ``groups``; ``refused`` is told of an attempt: who, what and why."""

    def __init__(self, groups: Groups, refused: Callable[[Peer, str, str], None]) -> None:
        self._groups = groups
        self._refused = refused

    def check(self, request: Request, peer: Peer) -> None:
        """Check that the peer may make this request: NotAllowed, or Unavailable where it is not
        known now."""
        self._check(request, peer, REQUESTS[request.do].role)

    def check_dealer(self, request: Request, peer: Peer) -> None:
        """Check that the peer may at least be a dealer; raises as :meth:`check`."""
        self._check(request, peer, "dealer")

    def _check(self, request: Request, peer: Peer, role: Role | None) -> None:
        if role is None or peer.may(role):
            return
        if role == "witness":
            whom = f"the user {self._groups.witness}"
        else:
            group = self._groups.dealers if role == "dealer" else self._groups.supervisors
            whom = f"in the group {group}"
        if not peer.known:  # he may well be: no attempt, and worth another try
            raise Unavailable(
                f"the user database does not say now whether {peer.name} is {whom}: connect again",
                "groups-unknown",
            )
        about = request.command or request.device or request.number or request.which or request.name
        why = f"not {whom}"
        if peer.person is not None:
            why += f", and {peer.person} is not a person who may"
        self._refused(peer, f"{request.do}: {about[:MAX_COMMAND]}", why)
        wanted = REQUESTS[request.do].wanted
        raise NotAllowed(f"{peer.called} may not {wanted}: he is {why}", "not-allowed")


IDLE_S: Final = 120.0


def with_rights_of(peer: Peer, person: Person) -> Peer:
    """The peer with what the person's role adds."""
    roles: frozenset[Role] = peer.roles | {person.role}
    if person.role == "supervisor":
        roles |= {"dealer"}
    return replace(peer, roles=roles, person=person.name)


class Session:
    """Of the connection of ``peer``; ``now`` gives monotonic seconds."""

    def __init__(self, peer: Peer, now: Callable[[], float]) -> None:
        self.peer = peer
        self._now = now
        self._person: Person | None = None
        self._last = now()
        self._count = 0

    def sign_in(self, person: Person) -> None:
        """He has signed in, in the place of whoever was."""
        self._person = person
        self._count += 1

    def sign_out(self) -> None:
        """Nobody is signed in any more; harmless when nobody was."""
        self._person = None
        self._count += 1

    def asks(self) -> Peer:
        """A request has come: as whom it is judged."""
        if self._person is not None and not self._lasts(self._person):
            self.sign_out()
        self._last = self._now()
        return self.peer if self._person is None else with_rights_of(self.peer, self._person)

    def lasting(self, person: Person | None) -> Callable[[], bool]:
        """What tells whether the rights of that person (None: of who is signed in) still count for
        what they have begun."""
        whose, count = person or self._person, self._count
        return lambda: whose is None or (count == self._count and self._lasts(whose))

    def _lasts(self, person: Person) -> bool:
        return person.stands and self._now() - self._last < IDLE_S


CHANGES: Final[Mapping[str, Change]] = {
    "person_add": "add",
    "person_pin": "pin",
    "person_remove": "remove",
}
LISTS: Final = frozenset({"people", *CHANGES})
OF_PEOPLE: Final = frozenset({"sign_in", "sign_out", *LISTS})


class SigningIn:
    """``people`` is who knows them, ``check_dealer`` raises
    where the peer may not even be a dealer, ``refused`` is told of an attempt."""

    def __init__(
        self,
        people: People,
        check_dealer: Callable[[Request, Peer], None],
        refused: Callable[[Peer, str, str], None],
    ) -> None:
        self._people = people
        self._check_dealer = check_dealer
        self._refused = refused

    async def judged_as(self, request: Request, session: Session) -> tuple[Peer, Person | None]:
        """As whom the request is judged, and the person that it brings itself; NotAllowed where his
        PIN is not taken."""
        peer = session.asks()
        if not request.pin or request.do in OF_PEOPLE:
            return peer, None
        person = await self._person(request, session.peer)
        return with_rights_of(session.peer, person), person

    async def answer(self, request: Request, session: Session) -> JsonObject:
        """Do one of :data:`OF_PEOPLE`; NotAllowed where it is not for him, or his PIN is not
        taken."""
        if request.do == "sign_out":
            session.sign_out()
            return {}
        if request.do == "sign_in":
            person = await self._person(request, session.peer)
            session.sign_in(person)
            return {"person": person.name, "role": person.role}
        peer = session.peer
        if peer.uid not in (0, os.geteuid()):
            self._refused(peer, request.do, "neither root nor the controller's own user")
            raise NotAllowed(
                f"{peer.name} may not see or change who is known by PIN: root and the controller's "
                "own user may",
                "not-allowed",
            )
        if request.do == "people":
            return await self._people.listed()
        change = CHANGES[request.do]
        return await self._people.change(change, request.person, request.role, request.pin, peer)

    async def _person(self, request: Request, peer: Peer) -> Person:
        self._check_dealer(request, peer)
        try:
            return await self._people.known(request.person, request.pin, peer.uid)
        except PinNotTaken as nobody:
            whose = nobody.name or "somebody that there is not"
            self._refused(peer, f"{request.do} as {whose}", "person and PIN are not taken")
            raise NotAllowed(NOT_TAKEN, "pin-not-taken") from nobody
