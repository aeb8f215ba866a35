"""The daemon, killed at a planned commit: ``python -m hil_tests.kills.killed_daemon PLAN ...``.

PLAN is the file of a :class:`Plan`, which is mapped into the memory of the daemon and of the test:
the test writes into it which commit, counted from now on, is to be the last and where about it; the
daemon counts its commits there and kills itself at that point by SIGKILL, which is as sudden as a
power cut. What follows PLAN are the daemon's own arguments. Its code is what runs at a table: the
hooks are installed at its outermost seam (:class:`controller.daemon.outside.Outside`) and, between
a row and its commit, as a temporary trigger in its SQLite connection.
"""

from __future__ import annotations

import asyncio
import mmap
import os
import signal
import struct
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple
from unittest.mock import patch

from controller.daemon import app, main
from controller.daemon.committer import Committer
from controller.daemon.outside import Outside
from controller.journal.model import Draft, Entry
from controller.journal.store import Journal
from drivers.api import DeviceConfig, DeviceLink, DeviceListener
from drivers.registry import open_device

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


class CommitKiller:
    """Waits within the daemon for the planned commit, and kills it there."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._where: int | None = None
        self._kinds = ""
        self._wanted = 0
        self._left = 0

    def committer(
        self,
        journal: Journal,
        loop: asyncio.AbstractEventLoop,
        failed: Callable[[Exception], None],
    ) -> Committer:
        """The real committer, over a journal that may kill the daemon."""
        connection = journal.connection
        connection.create_function("kill_inside", 0, self._inside)
        connection.execute(
            "CREATE TEMP TRIGGER inside AFTER INSERT ON main.entry BEGIN SELECT kill_inside(); END"
        )
        append = journal.append

        def append_or_die(drafts: Sequence[Draft], mono_ns: int, wall: str) -> Sequence[Entry]:
            self.begins(drafts)
            entries = append(drafts, mono_ns, wall)
            self.is_durable()
            return entries

        journal.append = append_or_die  # type: ignore[method-assign]
        return Committer(journal, loop, failed)

    def open_device(
        self,
        config: DeviceConfig,
        loop: asyncio.AbstractEventLoop,
        listener: DeviceListener,
        resume: tuple[int, int],
    ) -> DeviceLink:
        """The real link, whose acknowledgements and commands are counted."""
        link = open_device(config, loop, listener, resume)
        for name in ("command", "acknowledge"):
            setattr(link, name, self._counted(getattr(link, name)))
        return link

    def _counted(self, leaves: Callable[..., None]) -> Callable[..., None]:
        def counted(*given: object) -> None:
            leaves(*given)
            self.has_left()

        return counted

    def begins(self, drafts: Sequence[Draft]) -> None:
        """A commit is about to begin."""
        planned = self._plan.next_commit()
        self._where, self._wanted = planned or (None, 0)
        self._left = 0
        self._kinds = "+".join(draft.type for draft in drafts)
        if self._where == BEFORE:
            self._plan.kill_here(f"{self._kinds}, not begun")

    def _inside(self) -> int:
        if self._where == INSIDE:
            self._plan.kill_here(f"{self._kinds}, written and not committed")
        return 0

    def is_durable(self) -> None:
        """It is on the disk, no client has been answered."""
        if self._where == DURABLE:
            self._plan.kill_here(f"{self._kinds}, committed and nothing left")

    def has_left(self) -> None:
        """An acknowledgement or a command has been written to a device."""
        if self._where == EFFECT and self._plan.armed:
            self._left += 1
            if self._left == self._wanted:
                self._plan.kill_here(f"{self._kinds}, committed and {self._left} left")


def run_daemon(arguments: list[str]) -> int:
    """Run the daemon under the plan."""
    path, *rest = arguments
    killer = CommitKiller(Plan(Path(path)))
    outside = partial(Outside, committer=killer.committer, open_device=killer.open_device)
    with patch.object(app, "Outside", outside):
        return main.main(rest)


if __name__ == "__main__":
    sys.exit(run_daemon(sys.argv[1:]))
