"""What the control socket asks of the daemon, the errors by which that is not done, and who is
meant.

People known by PIN add the rights of their role to a connection that may at least be a dealer, and
what they do is theirs, whatever user they work as. What is not taken (a wrong PIN, a person that
there is none of, one who is barred) is answered in the same words after the same work.

Refused attempts are commands beyond a client's role, journaled at a limited rate:

- An attempt is a command of a role that the client has not; lines that are no requests, one too
  long or one after the other; more requests or connections than a client gets. A command that the
  rules or the table's state refuse is not an attempt: a dealer's mistake is not an attack.
- In each minute the first of one user are reported one by one, and so are the first of all users
  together. What comes beyond is counted and reported once, by user, when the minute is over. So an
  attacker cannot fill the disk, nor push another's attempt out of the journal: it is counted.
- Who it was is the kernel's word. What the client sent is stored only where it was read as a
  request: printable and short.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Protocol

from controller.control.answers import Portion
from controller.control.peers import Peer
from controller.control.protocol import ErrorKind, PersonsRole, Request, encode_error
from controller.forms.json_values import JsonObject

NOT_TAKEN: Final = (
    "this person and PIN are not taken; after five wrong ones in a row none is for a minute, then "
    "for longer each time"
)
"""In these words whatever the cause is."""


@dataclass(slots=True, eq=False, weakref_slot=True)
class Person:
    """Who has shown his PIN; ``stands`` until he is removed or is given another one."""

    name: str
    role: PersonsRole
    stands: bool = True


class PinNotTaken(Exception):
    """A PIN that is not taken; ``name`` is whose it was to be, "" where there is no such person."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(NOT_TAKEN)


WINDOW_S: Final = 60.0
OF_ONE_USER: Final = 10
OF_ALL: Final = 60
USERS: Final = 16
"""Users that are counted separately; those beyond are one more together."""

OTHERS: Final = "others"


@dataclass(frozen=True, slots=True)
class Attempt:
    """What was refused, and why; ``count`` above 1: of equal attempts this is the last. ``uid`` and
    ``pid`` are None where several users are counted together."""

    user: str
    uid: int | None
    pid: int | None
    what: str
    why: str
    count: int = 1


class Attempts:
    """Hands attempts to ``tell``, as many as the journal is to hold; in ``loop``'s time."""

    def __init__(self, loop: asyncio.AbstractEventLoop, tell: Callable[[Attempt], None]) -> None:
        self._loop = loop
        self._tell = tell
        self._told: Counter[int] = Counter()
        self._left_out: dict[int | None, Attempt] = {}
        self._counts: Counter[int | None] = Counter()
        self._window: asyncio.TimerHandle | None = None

    def note(self, who: Peer, what: str, why: str) -> None:
        """Somebody was refused something: reported now, or counted until the minute is over."""
        if self._window is None:
            self._window = self._loop.call_later(WINDOW_S, self._over)
        attempt = Attempt(who.name, who.uid, who.pid, what, why)
        if self._told[who.uid] < OF_ONE_USER and self._told.total() < OF_ALL:
            self._told[who.uid] += 1
            self._tell(attempt)
        else:
            self._count(attempt)

    def close(self) -> None:
        """Tell what was only counted; harmless when done twice."""
        if self._window is not None:
            self._window.cancel()
            self._over()

    def _count(self, attempt: Attempt) -> None:
        key = attempt.uid
        if key not in self._left_out and len(self._left_out) >= USERS:
            key, attempt = None, replace(attempt, user=OTHERS, uid=None, pid=None)
        self._left_out[key] = attempt
        self._counts[key] += 1

    def _over(self) -> None:
        left_out, counts = self._left_out, self._counts
        self._left_out, self._counts = {}, Counter()
        self._told.clear()
        self._window = None
        for key, attempt in left_out.items():
            self._tell(replace(attempt, count=counts[key]))


_log = logging.getLogger(__name__)


class RequestFailed(Exception):
    """A request that is not done: its ``code`` for programs, ``clause`` of the rules, what is
    ``permitted`` instead, also as ``actions``, and ``more`` that the error has."""

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
    """The table is not as the client saw it: since ``at`` it shows ``prompt``, in code ``asks``."""

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


class LineCapture(Protocol):
    """The traffic of a device's line since it was asked for; bounded, so it may have gaps."""

    def take_portion(self) -> Portion:
        """What has come since the last time."""

    def close(self) -> None:
        """It is not wanted any more."""


Answer = Callable[[Request, Peer], Awaitable[JsonObject]]
"""What the daemon does for a request; it may raise :class:`RequestFailed`."""

Stream = Callable[[str, Peer, Callable[[], None]], LineCapture]
"""Begins a stream of a device's; what is given last is called in the loop when there is some."""


@dataclass(frozen=True, slots=True)
class Daemon:
    """What the daemon does for clients: the committed ``status``, ``answers`` and ``streams`` by
    request. ``subscribe`` has something called in the loop after each commit, and returns what ends
    that; ``refused_attempt`` records an attempt at what the client's role does not permit.
    ``known`` gives the person of that name and PIN, on connections of a user; PinNotTaken where it
    is not his or he is barred there, RequestFailed where that cannot be found out."""

    status: Callable[[], Awaitable[JsonObject]]
    subscribe: Callable[[Callable[[], None]], Callable[[], None]]
    refused_attempt: Callable[[Attempt], None]
    known: Callable[[str, str, int], Awaitable[Person]]
    streams: Mapping[str, Stream]
    answers: Mapping[str, Answer]


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
