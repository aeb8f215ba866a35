"""Who has signed in on one connection, and for how long that counts.

The rules:

- A session ends when its connection does, by ``sign_out``, with another ``sign_in``, when the
  person is removed or is given another PIN, and after ``IDLE_S`` without a request. Nobody stays
  signed in by leaving a screen open.
- A stream (``capture``, ``try``) that only a person's rights have permitted ends with them: also
  where they came with the request itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from controller.control.peers import Peer, Role
from controller.control.people import Person

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
