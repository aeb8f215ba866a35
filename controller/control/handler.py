"""What the control socket asks of the daemon, and the errors by which that is not done."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Protocol

from controller.control.attempts import Attempt
from controller.control.peers import Peer
from controller.control.protocol import Request, encode_error
from controller.json_values import JsonObject

_log = logging.getLogger(__name__)


class RequestRefused(Exception):
    """The handler may not do it now. ``clause`` of the rules ("" for none), ``permitted`` is what
    may be done instead; ``code`` says for programs why not."""

    def __init__(
        self,
        reason: str,
        clause: str = "",
        permitted: Sequence[str] = (),
        *,
        code: str = "not-now",
    ) -> None:
        self.code = code
        self.reason = reason
        self.clause = clause
        self.permitted = permitted
        super().__init__(reason)


class Changed(RequestRefused):
    """The table is not any more as the client saw it: what it shows since entry ``at`` is in
    ``prompt``, and as a code in ``asks``."""

    def __init__(self, at: int, prompt: str, asks: JsonObject) -> None:
        self.at = at
        self.prompt = prompt
        self.asks = asks
        super().__init__(f"the table has changed since (it is at {at}): {prompt}", code="changed")


class BadCommand(Exception):
    """A command that cannot be read; the message says what was expected, ``code`` what it is, for
    programs."""

    def __init__(self, reason: str, code: str = "unreadable-command") -> None:
        self.code = code
        super().__init__(reason)


class Unavailable(Exception):
    """This controller cannot do it, whatever the table's state: it stops, or is not ready;
    ``code`` says why, for programs."""

    def __init__(self, reason: str, code: str) -> None:
        self.code = code
        super().__init__(reason)


class NotAllowed(Exception):
    """It is not for whoever asks; ``code`` says for programs why."""

    def __init__(self, reason: str, code: str) -> None:
        self.code = code
        super().__init__(reason)


class Handler(Protocol):
    """What the daemon does for clients. The mappings returned are plain JSON values."""

    async def status(self) -> JsonObject:
        """The committed state, as ``tablectl status --json`` prints it."""

    async def counters(self) -> JsonObject:
        """The counters, as committed."""

    def subscribe(self, changed: Callable[[], None]) -> Callable[[], None]:
        """Have ``changed`` called in the loop after each commit; returns what ends it."""

    async def command(self, request: Request, who: Peer) -> JsonObject:
        """Do the command of a dealer or a supervisor; return when it is committed.

        Raises:
            RequestRefused: not now. Changed: it was meant for what is not so any more.
            BadCommand: not a command. Unavailable: not here.
        """

    def refused_attempt(self, attempt: Attempt) -> None:
        """Record an attempt at what the client's role does not permit."""


def failure(request: Request, peer: Peer, error: Exception) -> bytes:
    """The line that says why a request was not done, or that nobody knows."""
    match error:
        case Changed():
            now = {"at": error.at, "prompt": error.prompt, "asks": error.asks}
            return encode_error(request.id, "changed", error.reason, code=error.code, more=now)
        case RequestRefused():
            return encode_error(
                request.id,
                "refused",
                error.reason,
                error.clause,
                error.permitted,
                code=error.code,
            )
        case BadCommand():
            return encode_error(request.id, "malformed", str(error), code=error.code)
        case NotAllowed():
            return encode_error(request.id, "not_allowed", str(error), code=error.code)
        case Unavailable():
            return encode_error(request.id, "unavailable", str(error), code=error.code)
    _log.error("%s of %s failed", request, peer.name, exc_info=error)
    why = "it failed and may have been done: ask status"
    if request.dry:
        why = "it failed; nothing was done"
    return encode_error(request.id, "unavailable", why, code="failed")
