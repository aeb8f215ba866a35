"""What each request needs, and whether a peer may make it.

Every request stands here: one that nobody placed is answered to nobody. Who may not has made an
attempt; of whom the user database says nothing now, nobody knows whether he may.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from controller.control.handler import NotAllowed, Unavailable
from controller.control.peers import Groups, Peer, Role
from controller.control.protocol import MAX_COMMAND, Request
from controller.control.serving.signing import REQUESTS

ROLES: Final[Mapping[str, Role | None]] = {
    "status": None,
    "ready": None,
    "links": None,
    "links_lately": None,
    "choices": "dealer",
    "dealer": "dealer",
    "supervisor": "supervisor",
    "counters": "supervisor",
    "round": "supervisor",
    "course": "supervisor",
    "proof": "supervisor",
    "shift": "supervisor",
    "self_test": "technician",
    "capture": "technician",
    "try": "technician",
    "device_command": "technician",
    "device_tested": "technician",
    "entries": "witness",
    "checkpoint": "witness",
    "subtree": "witness",
    "witnessed": "witness",
    **dict.fromkeys(REQUESTS),
}
"""By request: the role that it needs; None: none, or it is judged otherwise."""

ASKED: Final = {
    "choices": "see what may be put right",
    "dealer": "give a dealer's commands",
    "supervisor": "give a supervisor's commands",
    "counters": "see the counters",
    "round": "see the rounds of the journal",
    "course": "see the rounds of the journal",
    "proof": "see the rounds of the journal",
    "shift": "see the reports on shifts",
    "self_test": "have devices test themselves",
    "capture": "look at a device's traffic",
    "try": "try devices by hand",
    "device_command": "try devices by hand",
    "device_tested": "try devices by hand",
    "entries": "read the journal's entries",
    "checkpoint": "read the journal's checkpoints",
    "subtree": "read the journal's proofs",
    "witnessed": "tell what witnesses answered",
}
"""What somebody wanted who may not; who brings a PIN wants to act as a person."""


class Rights:
    """By the ``groups``; ``refused`` is told of an attempt: who, what and why."""

    def __init__(self, groups: Groups, refused: Callable[[Peer, str, str], None]) -> None:
        self._groups = groups
        self._refused = refused

    def check(self, request: Request, peer: Peer) -> None:
        """Check that the peer may make this request.

        Raises:
            NotAllowed: he may not. Unavailable: it is not known now.
        """
        self._check(request, peer, ROLES[request.do])

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
        asked = ASKED.get(request.do, "act as a person")
        raise NotAllowed(f"{peer.called} may not {asked}: he is {why}", "not-allowed")
