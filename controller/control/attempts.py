"""Refused attempts: commands beyond a client's role, journaled at a limited rate.

The rules:

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
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from controller.control.peers import Peer

WINDOW_S: Final = 60.0
OF_ONE_USER: Final = 10
OF_ALL: Final = 60
USERS: Final = 16
"""Users that are counted separately; those beyond are one more together."""

OTHERS: Final = "others"


@dataclass(frozen=True, slots=True)
class Attempt:
    """What was refused, and why; ``count`` above 1: the number of equal attempts, of which this is
    the last. ``uid`` and ``pid`` are None where several users are counted together."""

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
        """Somebody was refused something: reported now, or counted and reported when the minute is
        over."""
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
