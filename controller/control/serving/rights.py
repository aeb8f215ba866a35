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
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

from controller.control.handler import (
    NOT_TAKEN,
    NotAllowed,
    Person,
    PinNotTaken,
    Unavailable,
)
from controller.control.peers import Groups, Peer
from controller.control.protocol import MAX_COMMAND, REQUESTS, Request, Role
from controller.forms.json_values import JsonObject

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

    def sign_in(self, person: Person | None) -> None:
        """He has signed in, in the place of whoever was; None: nobody is signed in any more."""
        self._person = person
        self._count += 1

    def asks(self) -> Peer:
        """A request has come: as whom it is judged."""
        if self._person is not None and not self._lasts(self._person):
            self.sign_in(None)
        self._last = self._now()
        return self.peer if self._person is None else with_rights_of(self.peer, self._person)

    def lasting(self, person: Person | None) -> Callable[[], bool]:
        """What tells whether that person's rights (None: who is signed in) still count."""
        whose, count = person or self._person, self._count
        return lambda: whose is None or (count == self._count and self._lasts(whose))

    def _lasts(self, person: Person) -> bool:
        return person.stands and self._now() - self._last < IDLE_S


LISTS: Final = frozenset({"people", "person_add", "person_pin", "person_remove"})
SIGNING: Final = frozenset({"sign_in", "sign_out"})


class Rights:
    """By the ``groups``, and by PINs, whose persons ``known`` gives; ``refused`` is told of an
    attempt: who, what, why. NotAllowed: not for him, or his PIN is not taken; Unavailable: unknown
    now."""

    def __init__(
        self,
        groups: Groups,
        known: Callable[[str, str, int], Awaitable[Person]],
        refused: Callable[[Peer, str, str], None],
    ) -> None:
        self._groups = groups
        self._known = known
        self._refused = refused

    async def judge(self, request: Request, session: Session) -> tuple[Peer, Person | None]:
        """As whom the request may be made, and the person that it brings itself."""
        peer, person = session.asks(), None
        if request.do in LISTS:
            self._check_root(request, session.peer)
            return session.peer, None
        if request.pin and request.do not in SIGNING:
            person = await self._person(request, session.peer)
            peer = with_rights_of(session.peer, person)
        self._check(request, peer, REQUESTS[request.do].role)
        return peer, person

    async def sign(self, request: Request, session: Session) -> JsonObject:
        """Do one of :data:`SIGNING`."""
        if request.do == "sign_out":
            session.sign_in(None)
            return {}
        person = await self._person(request, session.peer)
        session.sign_in(person)
        return {"person": person.name, "role": person.role}

    def _check_root(self, request: Request, peer: Peer) -> None:
        if peer.uid not in (0, os.geteuid()):
            self._refused(peer, request.do, "neither root nor the controller's own user")
            raise NotAllowed(
                f"{peer.name} may not see or change who is known by PIN: root and the controller's "
                "own user may",
                "not-allowed",
            )

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

    async def _person(self, request: Request, peer: Peer) -> Person:
        self._check(request, peer, "dealer")
        try:
            return await self._known(request.person, request.pin, peer.uid)
        except PinNotTaken as nobody:
            whose = nobody.name or "somebody that there is not"
            self._refused(peer, f"{request.do} as {whose}", "person and PIN are not taken")
            raise NotAllowed(NOT_TAKEN, "pin-not-taken") from nobody
