"""People who sign in at the control socket, and those who are listed, added or removed there.

The rules:

- A person counts on connections that may at least be a dealer: for one request that brings
  ``person`` and ``pin``, or from ``sign_in`` on (:mod:`~.session`).
- What is not taken is an attempt. Whose PIN it was to be is told where there is such a person; what
  else was sent as a name may be a PIN in the wrong place, and is not kept.
- The list is root's and the daemon's own user's, whoever has signed in.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Final

from controller.control.handler import NotAllowed, Unavailable
from controller.control.peers import Peer
from controller.control.people import NOT_TAKEN, Change, People, Person, PinNotTaken
from controller.control.protocol import Request
from controller.control.serving.session import Session, with_rights_of
from controller.forms.json_values import JsonObject

CHANGES: Final[Mapping[str, Change]] = {
    "person_add": "add",
    "person_pin": "pin",
    "person_remove": "remove",
}
LISTS: Final = frozenset({"people", *CHANGES})
REQUESTS: Final = frozenset({"sign_in", "sign_out", *LISTS})


class SigningIn:
    """``people`` is who knows them (None: this controller has no list), ``check_dealer`` raises
    where the peer may not even be a dealer, ``refused`` is told of an attempt."""

    def __init__(
        self,
        people: People | None,
        check_dealer: Callable[[Request, Peer], None],
        refused: Callable[[Peer, str, str], None],
    ) -> None:
        self._known = people
        self._check_dealer = check_dealer
        self._refused = refused

    async def judged_as(self, request: Request, session: Session) -> tuple[Peer, Person | None]:
        """As whom the request is judged, and the person that it brings itself.

        Raises:
            NotAllowed: its person and PIN are not taken.
        """
        peer = session.asks()
        if not request.pin or request.do in REQUESTS:
            return peer, None
        person = await self._person(request, session.peer)
        return with_rights_of(session.peer, person), person

    async def answer(self, request: Request, session: Session) -> JsonObject:
        """Do one of :data:`REQUESTS`.

        Raises:
            NotAllowed: it is not for him, or his PIN is not taken.
        """
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

    @property
    def _people(self) -> People:
        if self._known is None:
            raise Unavailable("this controller knows nobody by PIN", "no-people")
        return self._known
