"""``python -m hil_tests.dying PLAN --config CONFIG``: the daemon, which dies at a planned commit.

PLAN is a file that the daemon and the rig both have in memory (:class:`Plan`): the rig writes into
it which commit from now on is to be the last, and where about it; the daemon kills itself there,
with SIGKILL, as a power cut would. The daemon's code is the one that runs at a table: the hooks are
put in where it meets the world (:class:`controller.daemon.outside.Outside`) and, for the moment
between a row and its commit, into its connection of SQLite as a temporary trigger.
"""

from __future__ import annotations

import asyncio
import mmap
import os
import signal
import struct
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple, cast
from unittest.mock import patch

from controller.daemon import app, main
from controller.daemon.journaling.committer import Committer
from controller.daemon.outside import Outside
from controller.journal.model import Draft, Entry
from controller.journal.store import Journal
from drivers.api import Answer, DeviceConfig, DeviceLink, DeviceListener, Value
from drivers.registry import open_device

BEFORE, INSIDE, DURABLE, EFFECT = range(4)
"""Where about a commit: before it begins; between its rows and its end; when it is on the disk and
nothing has left; when ``effects`` acknowledgements and commands have left after it (a commit that
has fewer is survived)."""

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
    """Every moment about so many commits."""
    found = []
    for commit in range(1, commits + 1):
        found += [Moment(commit, where) for where in (BEFORE, INSIDE, DURABLE)]
        found += [Moment(commit, EFFECT, effects) for effects in range(1, MOST_EFFECTS + 1)]
    return found


class Plan:
    """The shared page. ``commits`` counts since the file was made, over all processes; ``told`` is
    where the daemon died, or "" """

    def __init__(self, path: Path) -> None:
        if not path.exists():
            path.write_bytes(bytes(SIZE))
        with path.open("r+b") as file:
            self._page = mmap.mmap(file.fileno(), SIZE)

    def close(self) -> None:
        """Let go of the page."""
        self._page.close()

    # ---- the rig's ----------------------------------------------------------------------------

    def arm(self, moment: Moment) -> None:
        """Die then."""
        self.disarm()
        commits = self.commits
        _NUMBERS.pack_into(self._page, 0, *moment, commits)

    def disarm(self) -> None:
        """Live."""
        self._page[_WORDS:] = bytes(SIZE - _WORDS)
        _NUMBERS.pack_into(self._page, 0, 0, BEFORE, 0, self.commits)

    @property
    def commits(self) -> int:
        """Commits so far."""
        return self._numbers()[3]

    @property
    def told(self) -> str:
        """Where the daemon died."""
        return self._page[_WORDS:].rstrip(b"\0").decode()

    def _numbers(self) -> tuple[int, ...]:
        return _NUMBERS.unpack_from(self._page, 0)

    # ---- the daemon's -------------------------------------------------------------------------

    def next_commit(self) -> tuple[int, int] | None:
        """A commit begins: where about it to die and after how many effects, or None."""
        left, where, effects, commits = self._numbers()
        _NUMBERS.pack_into(self._page, 0, max(left - 1, 0), where, effects, commits + 1)
        return (where, effects) if left == 1 else None

    def die(self, where: str) -> None:
        """Tell where, and die."""
        words = where.encode()[: SIZE - _WORDS]
        self._page[_WORDS : _WORDS + len(words)] = words
        os.kill(os.getpid(), signal.SIGKILL)


class Death:
    """What waits for the planned moment within the daemon."""

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
        """The real one, over a journal that may be the death of it."""
        connection = journal._connection
        connection.create_function("dying_inside", 0, self._inside)
        connection.execute(
            "CREATE TEMP TRIGGER dying AFTER INSERT ON main.entry BEGIN SELECT dying_inside(); END"
        )
        return Committer(cast("Journal", DyingJournal(journal, self)), loop, failed)

    def open_device(
        self,
        config: DeviceConfig,
        loop: asyncio.AbstractEventLoop,
        listener: DeviceListener,
        resume: tuple[int, int],
    ) -> DeviceLink:
        """The real link, whose acknowledgements and commands are counted."""
        return CountedLink(open_device(config, loop, listener, resume), self.has_left)

    def begins(self, drafts: Sequence[Draft]) -> None:
        """A commit is about to begin."""
        planned = self._plan.next_commit()
        self._where, self._wanted = planned or (None, 0)
        self._left = 0
        self._kinds = "+".join(draft.type for draft in drafts)
        if self._where == BEFORE:
            self._plan.die(f"{self._kinds}, not begun")

    def _inside(self) -> int:
        if self._where == INSIDE:
            self._plan.die(f"{self._kinds}, written and not committed")
        return 0

    def is_durable(self) -> None:
        """It is on the disk, nobody has been told."""
        if self._where == DURABLE:
            self._plan.die(f"{self._kinds}, committed and nothing left")

    def has_left(self) -> None:
        """An acknowledgement or a command has been written to a device."""
        if self._where == EFFECT:
            self._left += 1
            if self._left == self._wanted:
                self._plan.die(f"{self._kinds}, committed and {self._left} left")


class DyingJournal:
    """A journal as the committer knows it."""

    def __init__(self, journal: Journal, death: Death) -> None:
        self._journal = journal
        self._death = death

    @property
    def wal_bytes(self) -> int:
        """The journal's."""
        return self._journal.wal_bytes

    def append(self, drafts: Sequence[Draft], mono_ns: int, wall: str) -> Sequence[Entry]:
        """The journal's, if it comes to that."""
        self._death.begins(drafts)
        entries = self._journal.append(drafts, mono_ns, wall)
        self._death.is_durable()
        return entries

    def checkpoint(self) -> object:
        """The journal's."""
        return self._journal.checkpoint()


class CountedLink:
    """A device's link; ``has_left`` is called after each command and acknowledgement."""

    def __init__(self, link: DeviceLink, has_left: Callable[[], None]) -> None:
        self._link = link
        self._has_left = has_left

    def start(self) -> None:
        """The link's."""
        self._link.start()

    def command(
        self, name: str, fields: Mapping[str, Value], done: Callable[[Answer], None]
    ) -> None:
        """The link's, and counted."""
        self._link.command(name, fields, done)
        self._has_left()

    def acknowledge(self, session: int, event_no: int) -> None:
        """The link's, and counted."""
        self._link.acknowledge(session, event_no)
        self._has_left()

    def statistics(self) -> Mapping[str, int]:
        """The link's."""
        return self._link.statistics()

    async def close(self) -> None:
        """The link's."""
        await self._link.close()


def run(arguments: list[str]) -> int:
    """Run the daemon under the plan."""
    path, *rest = arguments
    death = Death(Plan(Path(path)))
    outside = partial(Outside, committer=death.committer, open_device=death.open_device)
    with patch.object(app, "Outside", outside):
        return main.main(rest)


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
