"""Commits in virtual time: through the real journal, at a pace of their own, until a life ends.

The rules are those of :mod:`controller.daemon.committer`: what one turn of the loop has
submitted is one batch; on a quick disk what follows comes in the same turn, on a slow one later,
and what waits by then goes into the next transaction together. A life may end before a commit,
right after it (durable, and nobody told), and a commit may fail, after which there is none.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from controller.daemon.committer import Committed
from controller.journal.errors import CommitFailed
from controller.journal.model import Draft, Entry
from controller.journal.store import Journal
from hil_tests.virtual_time.world import Crash, VirtualLoop

Submission = tuple[Draft, Committed]


@dataclass(slots=True)
class Plan:
    """What is to go wrong with the disk: after how many more commits a life ends (``before`` or
    ``after`` one), or a commit fails; None: not. ``slow_s`` bounds how long a commit takes; (0, 0):
    the disk is quick."""

    before: int | None = None
    after: int | None = None
    fails: int | None = None
    slow_s: tuple[float, float] = (0.0, 0.0)
    done: set[str] = field(default_factory=set)

    def due(self, what: str) -> bool:
        """Whether it is to happen at this commit."""
        left: int | None = getattr(self, what)
        if left is None:
            return False
        setattr(self, what, left - 1 if left else None)
        if left == 0:
            self.done.add(what)
        return left == 0


class VirtualCommitter:
    """:class:`controller.daemon.outside.Committing` in a world. ``durable`` is told every entry as
    soon as it is, before anybody of the daemon."""

    def __init__(
        self,
        journal: Journal,
        loop: VirtualLoop,
        failed: Callable[[Exception], None],
        plan: Plan,
        clocks: tuple[Callable[[], int], Callable[[], datetime]],
        durable: Callable[[Entry], None],
        source: random.Random,
    ) -> None:
        self.handed_over: Callable[[], None] = lambda: None
        self.durable: Callable[[], None] = lambda: None
        self.settled: Callable[[], None] = lambda: None
        self._journal = journal
        self._loop = loop
        self._failed = failed
        self._plan = plan
        self._mono_ns, self._wall = clocks
        self._durable = durable
        self._random = source
        self._gathered: list[Submission] = []
        self._waiting: deque[Submission] = deque()
        self._since: deque[float] = deque()
        self._busy = False
        self._broken = False
        self._longest_s = 0.0

    def start(self) -> None:
        """There is no thread."""

    def submit(self, draft: Draft, committed: Committed) -> None:
        """Gather what this turn of the loop submits."""
        self._since.append(self._loop.time())
        self._gathered.append((draft, committed))
        if len(self._gathered) == 1:
            self._loop.call_soon(self._turn)

    def age_s(self) -> float:
        """For how long the oldest draft has waited, in seconds."""
        return self._loop.time() - self._since[0] if self._since else 0.0

    def longest_s(self) -> float:
        """How long the longest commit has taken since this was last asked, in seconds."""
        longest_s, self._longest_s = self._longest_s, 0.0
        return longest_s

    def in_the_disk(self) -> bool:
        """No kernel is asked here."""
        return False

    def journal_holder(self) -> str:
        """No other program is here."""
        return ""

    def close(self, within_s: float | None = None) -> bool:
        """Commit what waits."""
        self._waiting += self._gathered
        self._gathered = []
        if self._waiting and not self._broken:
            self._commit()
        return True

    def _turn(self) -> None:
        self._waiting += self._gathered
        self._gathered = []
        if self._busy or self._broken:
            self.handed_over()
        elif self._plan.slow_s[1] > 0:
            self.handed_over()
            self._busy = True
            self._loop.call_later(self._random.uniform(*self._plan.slow_s), self._later)
        else:
            while self._waiting and not self._broken:
                batch = self._commit()
                self._report_committed(batch)
                self.handed_over()
                self.durable()
                self.settled()
                self._waiting += self._gathered
                self._gathered = []

    def _later(self) -> None:
        batch = self._commit()
        self._busy = False
        self._report_committed(batch)
        self.durable()
        self.settled()
        if self._waiting and not self._broken:
            self._busy = True
            self._loop.call_later(self._random.uniform(*self._plan.slow_s), self._later)

    def _commit(self) -> list[tuple[Committed, Entry]]:
        """All that waits, in one transaction."""
        batch = list(self._waiting)
        self._waiting.clear()
        if self._plan.due("before"):
            raise Crash
        if self._plan.due("fails"):
            self._broken = True
            self._failed(CommitFailed("the disk has failed, as planned"))
            return []
        wall = self._wall().isoformat(timespec="milliseconds")
        entries = self._journal.append([draft for draft, _ in batch], self._mono_ns(), wall)
        for entry in entries:
            self._durable(entry)
        if self._plan.due("after"):
            raise Crash
        return [(then, entry) for (_, then), entry in zip(batch, entries, strict=True)]

    def _report_committed(self, batch: list[tuple[Committed, Entry]]) -> None:
        for then, entry in batch:
            self._longest_s = max(self._longest_s, self._loop.time() - self._since.popleft())
            then(entry)
