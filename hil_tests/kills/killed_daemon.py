"""The daemon, killed at a planned commit: ``python -m hil_tests.kills.killed_daemon PLAN ...``.

PLAN is the file of a :class:`~hil_tests.kills.commit_plan.Plan`; what follows it are the daemon's
own arguments. The daemon kills itself by SIGKILL where the plan says, which is as sudden as a power
cut. Its code is what runs at a table: the hooks are installed at its outermost seam
(:class:`controller.daemon.outside.Outside`) and, between a row and its commit, as a temporary
trigger in its SQLite connection.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import cast
from unittest.mock import patch

from controller.daemon import app, main
from controller.daemon.committer import Committer
from controller.daemon.outside import Outside
from controller.journal.model import Draft, Entry
from controller.journal.store import Journal
from drivers.api import Answer, DeviceConfig, DeviceLink, DeviceListener, Value
from drivers.registry import open_device
from hil_tests.kills.commit_plan import BEFORE, DURABLE, EFFECT, INSIDE, Plan


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
        return Committer(cast("Journal", KillingJournal(journal, self)), loop, failed)

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


class KillingJournal:
    """A journal as the committer knows it."""

    def __init__(self, journal: Journal, killer: CommitKiller) -> None:
        self._journal = journal
        self._killer = killer

    @property
    def wal_bytes(self) -> int:
        """The journal's."""
        return self._journal.wal_bytes

    @property
    def syncing(self) -> Callable[[], None]:
        """The journal's: without it the loop would find nothing while the disk is waited for."""
        return self._journal.syncing

    @syncing.setter
    def syncing(self, called: Callable[[], None]) -> None:
        self._journal.syncing = called

    @property
    def held(self) -> str:
        """The journal's."""
        return self._journal.held

    @property
    def held_ns(self) -> int:
        """The journal's."""
        return self._journal.held_ns

    def append(self, drafts: Sequence[Draft], mono_ns: int, wall: str) -> Sequence[Entry]:
        """The journal's, unless the daemon is killed before."""
        self._killer.begins(drafts)
        entries = self._journal.append(drafts, mono_ns, wall)
        self._killer.is_durable()
        return entries

    def check_in_place(self) -> None:
        """The journal's."""
        self._journal.check_in_place()

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


def run_daemon(arguments: list[str]) -> int:
    """Run the daemon under the plan."""
    path, *rest = arguments
    killer = CommitKiller(Plan(Path(path)))
    outside = partial(Outside, committer=killer.committer, open_device=killer.open_device)
    with patch.object(app, "Outside", outside):
        return main.main(rest)


if __name__ == "__main__":
    sys.exit(run_daemon(sys.argv[1:]))
