"""Deriving the facts of all logs, as their entries come: beside the collector, in its process.

The rules:

- Several collectors share the logs: who follows one has the database's advisory lock of it, for as
  long as his session lives: one that asks nothing for :data:`STOPPED_S` is ended, for its program
  is stopped. A pass takes one that nobody has, and more where there is nothing else to do: so who
  has more time has more logs.
- What is stored is looked for every :data:`EVERY_S`; a round's facts are there a second or two
  behind its end.
- Whatever fails is tried again: the entries are stored, and facts can wait. It is said once, until
  that log, or the pass, has ended well.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from itertools import islice
from typing import Final

from psycopg import AsyncConnection

from controller.replay.journal_chain import Clock
from floor.configuration import FloorSettings
from floor.facts.following import FOLLOWED, Follower, LogName, own
from floor.facts.rows import WrittenElsewhere
from floor.store.failing import StoreFails
from floor.store.reading import AlteredBundle
from floor.store.store import FloorStore, lasting_session

EVERY_S: Final = 1.0
STOPPED_S: Final = 30
ASKED_S: Final = 3.0
"""So often something is asked in the session, however long a pass takes."""
MOST_TAKEN: Final = 4
"""Logs that are taken in one pass: others take theirs meanwhile."""

Pending = tuple[int, str, str, int, bool, bool]
"""A log's number, origin and table, how many entries are stored, whether somebody follows it, and
whether its facts are written to have ended."""

_PENDING: Final = """
    select id, origin, table_name, next_entry, followed.id is not null,
        coalesce(halted, '') <> ''
    from floor.log left join floor_facts.progress on progress.log = log.id left join (
        select distinct objid::bigint as id from pg_locks join pg_database on oid = database
        where locktype = 'advisory' and classid = %s and datname = current_database()
    ) as followed using (id)
    where next_entry > facts_upto order by stored_at"""

_log = logging.getLogger(__name__)


@asynccontextmanager
async def deriving(store: FloorStore, settings: FloorSettings) -> AsyncIterator[None]:
    """Derive facts for as long as the block lasts."""
    task = asyncio.create_task(FactsWorker(store, settings).derive_facts())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


class FactsWorker:
    """Follows logs of ``store`` until it is cancelled."""

    def __init__(self, store: FloorStore, settings: FloorSettings) -> None:
        self._store, self._dsn = store, settings.database
        self._clock = Clock(settings.zone)
        self._followed: dict[int, Follower] = {}
        self._said: dict[int | None, str] = {}

    async def derive_facts(self) -> None:
        """Derive facts, and wait for more entries, for ever."""
        while True:
            try:
                await self._own_logs()
            except StoreFails as error:
                self._warn_once(None, str(error))
            except Exception as error:  # else nobody derives here until the next start
                self._warn_once(None, f"tried again, and to be reported: {error!r}")
            await asyncio.sleep(EVERY_S)

    async def _own_logs(self) -> None:
        """Follow logs for as long as the session that has their locks lives."""
        self._followed = {}
        async with lasting_session(self._dsn, STOPPED_S) as owner:
            while True:
                more = await self.step(owner)
                self._said.pop(None, None)
                if not more:
                    await asyncio.sleep(EVERY_S)

    async def step(self, owner: AsyncConnection) -> bool:
        """Derive some entries of each log that is followed, and take others where none has any;
        whether there is more to do. ``owner`` is the session that has the locks."""
        more = False
        asked = time.monotonic()
        pending: list[Pending] = await (await owner.execute(_PENDING, [FOLLOWED])).fetchall()
        mine = [row for row in pending if self._goes_on(row)]
        free = [row for row in pending if not row[4]]
        mine += await self._take_free(owner, free, 1 if mine else MOST_TAKEN)
        for number, origin, table, end, *_ in mine:
            if time.monotonic() - asked > ASKED_S:
                asked = time.monotonic()
                await owner.execute("select")
            follower = self._followed[number]
            more |= await self._follow(LogName(number, origin, table), follower, end)
        return more

    def _goes_on(self, row: Pending) -> bool:
        """Whether it is followed here, and has not come to its end; one whose facts were taken
        away since begins again."""
        number, origin, table, *_, ended = row
        if number not in self._followed:
            return False
        if self._followed[number].halted and not ended:
            self._follow_log(LogName(number, origin, table))
        return not self._followed[number].halted

    async def _take_free(
        self, owner: AsyncConnection, free: Iterable[Pending], most: int
    ) -> list[Pending]:
        """The first of the logs that nobody follows, if nobody has been quicker."""
        taken: list[Pending] = []
        for row in islice(free, most):
            if await own(owner, row[0]):
                self._follow_log(LogName(*row[:3]))
                taken.append(row)
        return taken

    def _follow_log(self, log: LogName) -> Follower:
        follower = self._followed[log.number] = Follower(self._store, self._clock, log)
        return follower

    async def _follow(self, log: LogName, follower: Follower, end: int) -> bool:
        try:
            more = await follower.step(end)
        except (StoreFails, AlteredBundle) as error:
            self._warn_once(log.number, str(error))
        except WrittenElsewhere:
            self._warn_once(
                log.number, f"{log.table}: its facts were derived by somebody else, too"
            )
        else:
            self._said.pop(log.number, None)
            return more
        self._follow_log(log)  # from what is written
        return False

    def _warn_once(self, log: int | None, words: str) -> None:
        """Say it of a log, or of all; once where it comes again, or of many."""
        if words not in self._said.values():
            _log.warning("facts: %s", words)
        self._said[log] = words
