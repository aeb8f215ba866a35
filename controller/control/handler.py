"""What the control socket asks of the daemon, and the errors by which that is not done."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import ClassVar, Protocol

from controller.control.attempts import Attempt
from controller.control.peers import Peer
from controller.control.protocol import ErrorKind, Request, encode_error
from controller.forms.json_values import JsonObject

_log = logging.getLogger(__name__)


class RequestFailed(Exception):
    """A request that is not done. ``KIND`` is the error's kind, ``code`` says for programs why;
    ``clause`` of the rules ("" for none), ``permitted`` is what may be done instead, as texts and
    as ``actions``, ``more`` what the error has besides."""

    KIND: ClassVar[ErrorKind]
    clause: str = ""
    permitted: Sequence[str] = ()
    actions: Sequence[JsonObject] = ()
    more: JsonObject | None = None

    def __init__(self, reason: str, code: str) -> None:
        self.reason = reason
        self.code = code
        super().__init__(reason)


class RequestRefused(RequestFailed):
    """The handler may not do it now."""

    KIND: ClassVar[ErrorKind] = "refused"

    def __init__(
        self,
        reason: str,
        clause: str = "",
        actions: Sequence[JsonObject] = (),
        *,
        code: str = "not-now",
    ) -> None:
        self.clause = clause
        self.actions = actions
        self.permitted = [str(action["text"]) for action in actions]
        super().__init__(reason, code)


class Changed(RequestRefused):
    """The table is not any more as the client saw it: what it shows since entry ``at`` is in
    ``prompt``, and as a code in ``asks``."""

    KIND = "changed"

    def __init__(self, at: int, prompt: str, asks: JsonObject) -> None:
        self.at, self.prompt = at, prompt
        self.more = {"at": at, "prompt": prompt, "asks": asks}
        super().__init__(f"the table has changed since (it is at {at}): {prompt}", code="changed")


class BadCommand(RequestFailed):
    """A command that cannot be read; the message says what was expected."""

    KIND = "malformed"

    def __init__(self, reason: str, code: str = "unreadable-command") -> None:
        super().__init__(reason, code)


class Unavailable(RequestFailed):
    """This controller cannot do it, whatever the table's state: it stops, or is not ready."""

    KIND = "unavailable"


class NotAllowed(RequestFailed):
    """It is not for whoever asks."""

    KIND = "not_allowed"


class Handler(Protocol):
    """What the daemon does for clients. The mappings returned are plain JSON values."""

    async def status(self) -> JsonObject:
        """The committed state, as ``tablectl status --json`` prints it."""

    async def counters(self) -> JsonObject:
        """The counters, as committed."""

    async def choices(self) -> JsonObject:
        """What may be said now of what went wrong, as committed."""

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


class Rounds(Protocol):
    """Rounds and shifts that were played, as a supervisor asks for them; errors as in
    :class:`Handler`."""

    async def round(self, number: str) -> JsonObject:
        """A round as ``tablectl round show --json`` prints it; ``number`` may be ``last``.

        Raises:
            RequestRefused: not now. BadCommand: there is no such round.
        """

    async def course(self, number: str) -> JsonObject:
        """The same with its ``course``, as ``round show --json --course`` prints it, and the
        ``facts`` under which it was played; of closed journals, too, while they are here. Errors
        as for :meth:`round`."""

    async def proof(self, number: str) -> JsonObject:
        """The ``proof`` of a finished round, as ``tablectl journal prove`` writes it.

        Raises:
            RequestRefused: it is not to be proven, or not yet. BadCommand: it names no round.
        """

    async def shift(self, which: str) -> JsonObject:
        """A report as ``tablectl shift report --json`` prints it, on the shift of that number, the
        ``present`` one, or a gaming day as 2026-11-26.

        Raises:
            RequestRefused: not now, or its journal was taken away. BadCommand: there is no such
            one.
        """


def failure(request: Request, peer: Peer, error: Exception) -> bytes:
    """The line that says why a request was not done, or that nobody knows."""
    if isinstance(error, RequestFailed):
        return encode_error(
            *(request.id, error.KIND, error.reason, error.clause, error.permitted),
            actions=error.actions,
            code=error.code,
            more=error.more,
        )
    _log.error("%s of %s failed", request, peer.name, exc_info=error)
    why = "it failed and may have been done: ask status"
    if request.dry:
        why = "it failed; nothing was done"
    return encode_error(request.id, "unavailable", why, code="failed")
