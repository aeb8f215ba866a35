"""``table-floor nightly``: what is done by night beside collecting.

The rules:

- Every log that the house knows is checked: its entries against the checkpoints that its table has
  signed. Where there are more than :data:`A_NIGHT` entries a part of the blocks is read each night,
  and all in as many nights as it takes.
- What is altered is told, and its table sends it again; that makes the night not well.
- A log of a table that was taken out of the house's folder is told: nobody vouches for its key.
- Gaming days older than ``keep_years`` are removed; without that key nothing ever is.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, date, datetime
from typing import Final

from controller.not_done import NOT_WELL, NotDone
from floor.configuration import FloorSettings
from floor.store.checking import AlteredEntries, altered
from floor.store.compaction import compact
from floor.store.failing import StoreFails
from floor.store.repair import send_again
from floor.store.retention import remove_before
from floor.store.store import FloorStore
from floor.tables import KnownLog, read_tables

CONNECTIONS: Final = 2
A_NIGHT: Final = 300_000_000
"""Entries: an hour of a processor."""


def nightly(settings: FloorSettings) -> None:
    """Do it, and print what was found and done.

    Raises:
        NotDone: 1, entries were altered, no log was checked, or the database cannot be used now; 2,
            the tables' folder cannot be used.
    """
    tables = read_tables(settings.tables)
    for one in tables.bad:
        print(f"not known: {settings.tables}/{one.fault}")
    today = settings.day_of(datetime.now(UTC).isoformat())
    assert today is not None
    try:
        found = asyncio.run(_night(settings, tables.logs, today))
    except StoreFails as error:
        raise NotDone(NOT_WELL, str(error)) from error
    if found:
        raise NotDone(
            NOT_WELL,
            f"{found} places were altered in the database, as told above: find out by whom. Their"
            " tables send them again by themselves; 'table-floor rebuild' makes the facts anew",
        )


async def _night(settings: FloorSettings, logs: Mapping[str, KnownLog], today: date) -> int:
    """How many places were found altered."""
    found = 0
    async with FloorStore.open(settings.database, CONNECTIONS) as store:
        await compact(store)
        async for place in _altered(store, logs, today):
            found += 1
            print(f"altered: {logs[place.origin].table}: {place}")
        if settings.keep_years is not None:
            for day in await remove_before(store, years_before(today, settings.keep_years)):
                print(f"removed: {day}, older than {settings.keep_years} years")
    return found


async def _altered(
    store: FloorStore, logs: Mapping[str, KnownLog], today: date
) -> AsyncIterator[AlteredEntries]:
    """What is found, log by log; the first place of each is put back."""
    checked, marks = 0, await store.watermarks()
    parts = parts_of(sum(mark.next_entry - mark.begins for mark in marks))
    part = today.toordinal() % parts
    for mark in marks:
        if (log := logs.get(mark.origin)) is None:
            print(f"not checked: {mark.table_name}: {mark.origin} is in no file of the tables")
            continue
        checked += 1
        async for place in altered(store, mark.origin, [log.key], parts, part):
            yield place
            await send_again(store, log.table, place)
    print(f"checked: {checked} logs" + (f", part {part + 1} of {parts}" if parts > 1 else ""))
    if marks and not checked:
        raise NotDone(NOT_WELL, "no log was checked: the tables' folder has none of their keys")


def parts_of(entries: int) -> int:
    """In how many nights so many entries are checked."""
    return max(1, -(-entries // A_NIGHT))


def years_before(day: date, years: int) -> date:
    """The same day so many years before; of a 29th of February the 28th."""
    try:
        return day.replace(year=day.year - years)
    except ValueError:
        return day.replace(year=day.year - years, day=28)
