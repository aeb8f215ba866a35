"""Retention: gaming days that are older than is asked for are removed, whole partitions at a time.

The rules:

- What is removed of a log is its beginning, and never what comes behind entries that are kept: an
  old day in the middle is a clock that was off. Such a day stays, with all that is in it, until
  what is before it is old, too.
- The nodes above removed blocks stay: the tree goes on, and what is kept is proven as before.
- All tables that are partitioned by gaming day, of facts, too, lose the day together.
- A removal that would wait longer than :data:`LOCK_WAIT` for whoever writes is
  taken back, and tried again later: nobody who writes waits longer than that.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterable
from datetime import date
from typing import Final

import psycopg
from psycopg import AsyncConnection, sql

from floor.store.bundles import UNDATED
from floor.store.failing import StoreFails
from floor.store.partitions import partition_name
from floor.store.store import FloorStore

LOCK_WAIT: Final = "1s"
PAUSE_S: Final = 2.0
TRIES: Final = 30
IN_THE_WAY: Final = (psycopg.errors.LockNotAvailable, psycopg.errors.DeadlockDetected)
"""What is raised where somebody else has a lock for too long."""

Span = tuple[int, date, int, int]
"""A log, a day, and the entries ``[first, until)`` among which those of that day are."""

_SPANS: Final = "select log, day, first, until from floor.span"

_LOCK: Final = """
    select from floor.log where id in (select log from floor.span where day = %s)
    order by id for update"""

_PARENTS: Final = """
    select nspname, relname from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind = 'p' and nspname ~ '^floor(_|$)' order by nspname, relname"""

_MOVE: Final = """
    update floor.log set begins = greatest(begins, span.until)
    from floor.span where span.log = log.id and span.day = %s"""

_UNDATED_GONE: Final = """
    delete from floor.bundle using floor.log
    where log.id = bundle.log and day = %s and first + entries <= log.begins"""


def removable(spans: Iterable[Span], before: date) -> set[date]:
    """The days before that one of which every log has only entries that are before all that it
    keeps."""
    of_logs: dict[int, list[Span]] = defaultdict(list)
    for span in spans:
        of_logs[span[0]].append(span)
    days = {day for of_log in of_logs.values() for _, day, _, _ in of_log if day < before}
    while kept := {day for of_log in of_logs.values() for day in _in_the_middle(of_log, days)}:
        days -= kept
    return days


def _in_the_middle(of_log: Iterable[Span], days: set[date]) -> set[date]:
    """Those of the days that have entries of the log behind one of another day."""
    of_log = [*of_log]
    kept = [first for _, day, first, _ in of_log if day not in days and day != UNDATED]
    return {day for _, day, _, until in of_log if day in days and until > min(kept, default=until)}


async def remove_before(store: FloorStore, before: date) -> list[date]:
    """Remove the gaming days before that one, the oldest first; returns them.

    Raises:
        StoreFails: the database does not, or tables are too busy at every try.
    """
    removed: list[date] = []
    async with store.connection() as connection:
        days = sorted(removable(await _spans(connection), before))
    for day in days:
        if await _remove(store, day, before):
            removed.append(day)
    return removed


async def _remove(store: FloorStore, day: date, before: date) -> bool:
    for _ in range(TRIES):
        async with store.connection() as connection:
            removed = False
            try:
                async with connection.transaction():
                    await _remove_now(connection, day, before)
                    removed = True
            except IN_THE_WAY:
                await asyncio.sleep(PAUSE_S)
            else:
                return removed
    raise StoreFails(f"the floor's database: {day} is not removed: somebody reads it all the time")


async def _remove_now(connection: AsyncConnection, day: date, before: date) -> None:
    """Remove it, or raise Rollback: entries of it have come meanwhile that must stay. As whoever
    appends, this holds the rows of logs before it holds a table."""
    await connection.execute(f"set local lock_timeout = '{LOCK_WAIT}'")
    await connection.execute(_LOCK, [day])
    for schema, parent in await (await connection.execute(_PARENTS)).fetchall():
        name = sql.Identifier(schema, partition_name(parent, day))
        await connection.execute(sql.SQL("drop table if exists {}").format(name))
    if day not in removable(await _spans(connection), before):  # now nobody adds to it
        raise psycopg.Rollback
    await connection.execute(_MOVE, [day])
    await connection.execute("delete from floor.span where day = %s", [day])
    await connection.execute(_UNDATED_GONE, [UNDATED], prepare=False)


async def _spans(connection: AsyncConnection) -> list[Span]:
    return await (await connection.execute(_SPANS)).fetchall()
