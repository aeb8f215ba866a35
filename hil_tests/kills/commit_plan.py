"""The commit at which the daemon is to be killed, in a file that it shares with the test.

The file is mapped into the memory of both: the test writes into it which commit, counted from now
on, is to be the last and where about it; the daemon (:mod:`hil_tests.kills.killed_daemon`) counts
its commits there and kills itself at that point.
"""

from __future__ import annotations

import mmap
import os
import signal
import struct
from pathlib import Path
from typing import Final, NamedTuple

BEFORE, INSIDE, DURABLE, EFFECT = range(4)
"""The point of a commit: before it begins; between its rows and its end; when it is on the disk and
nothing has been sent; when ``effects`` acknowledgements and commands have been sent after it (the
daemon survives a commit that has fewer)."""

MOST_EFFECTS: Final = 3
SIZE: Final = 4096
_NUMBERS: Final = struct.Struct("<qqqq")
_WORDS: Final = 1024


class Moment(NamedTuple):
    """About the ``commit``-th commit from now on (1: the next)."""

    commit: int
    where: int
    effects: int = 0


def moments_about(commits: int) -> list[Moment]:
    """Every moment of the next ``commits`` commits."""
    found = []
    for commit in range(1, commits + 1):
        found += [Moment(commit, where) for where in (BEFORE, INSIDE, DURABLE)]
        found += [Moment(commit, EFFECT, effects) for effects in range(1, MOST_EFFECTS + 1)]
    return found


class Plan:
    """The shared page. ``commits`` counts since the file was made, over all processes."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            path.write_bytes(bytes(SIZE))
        with path.open("r+b") as file:
            self._page = mmap.mmap(file.fileno(), SIZE)

    def close(self) -> None:
        """Let go of the page."""
        self._page.close()

    # ---- for the test ----------------------------------------------------------------------------

    def arm(self, moment: Moment) -> None:
        """Have the daemon killed at this moment."""
        self.disarm()
        commits = self.commits
        _NUMBERS.pack_into(self._page, 0, *moment, commits)

    def disarm(self) -> None:
        """Have it live on."""
        self._page[_WORDS:] = bytes(SIZE - _WORDS)
        _NUMBERS.pack_into(self._page, 0, 0, BEFORE, 0, self.commits)

    @property
    def armed(self) -> bool:
        """Whether it is still to be killed after some effect: one that was not reached in its round
        would come at any time later, as in a stop."""
        return self._numbers()[2] > 0

    @property
    def commits(self) -> int:
        """Commits so far."""
        return self._numbers()[3]

    @property
    def killed_at(self) -> str:
        """Where the daemon was killed, in words; "" when it was not."""
        return self._page[_WORDS:].rstrip(b"\0").decode()

    def _numbers(self) -> tuple[int, ...]:
        return _NUMBERS.unpack_from(self._page, 0)

    # ---- for the daemon -------------------------------------------------------------------------

    def next_commit(self) -> tuple[int, int] | None:
        """A commit begins: at which point and after how many effects to be killed, or None."""
        left, where, effects, commits = self._numbers()
        _NUMBERS.pack_into(self._page, 0, max(left - 1, 0), where, effects, commits + 1)
        return (where, effects) if left == 1 else None

    def kill_here(self, where: str) -> None:
        """Write down where, and kill this process."""
        words = where.encode()[: SIZE - _WORDS]
        self._page[_WORDS : _WORDS + len(words)] = words
        os.kill(os.getpid(), signal.SIGKILL)
