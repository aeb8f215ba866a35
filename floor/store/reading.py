"""Reading entries back: in order, each once, out of the bundles that have them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final

from psycopg import AsyncConnection
from psycopg.rows import class_row

from floor.protocol.packages import BLOCK
from floor.store.bundles import BadBundle, unpacked

AT_ONCE: Final = 64
"""Bundles that are read by one question: memory is bounded, however much is asked for."""

_DAYS: Final = """
    select log, array_agg(day) from floor.span join floor.log on log.id = span.log
    where origin = %s and span.first < %s and until > %s group by log"""

_BUNDLES: Final = """
    select log, day, first, entries, lines from floor.bundle
    where log = %(log)s and day = any(%(days)s) and first > %(at)s - %(block)s
        and first < %(end)s and first + entries > %(at)s
    order by first limit %(most)s"""


class AlteredBundle(Exception):
    """Entries ``[first, end)`` of the log ``origin`` are not as they were; ``words`` say how."""

    def __init__(self, origin: str, first: int, end: int, words: str) -> None:
        super().__init__(f"{origin}: entries {first} to {end - 1} {words}")
        self.origin, self.first, self.end, self.words = origin, first, end, words


@dataclass(frozen=True, slots=True)
class BundleRow:
    """A row of ``floor.bundle``."""

    log: int
    day: date
    first: int
    entries: int
    lines: bytes


async def bundles_of(
    connection: AsyncConnection, origin: str, first: int, end: int, most: int = AT_ONCE
) -> list[BundleRow]:
    """The first bundles that have entries of ``[first, end)`` of a log, in order."""
    found = await (await connection.execute(_DAYS, [origin, end, first])).fetchone()
    if found is None:
        return []
    log, days = found
    given = {"log": log, "days": days, "at": first, "end": end, "block": BLOCK, "most": most}
    async with connection.cursor(row_factory=class_row(BundleRow), binary=True) as cursor:
        # A plan for these days alone: one for any would look at the partitions of all years.
        return await (await cursor.execute(_BUNDLES, given, prepare=False)).fetchall()


async def leaves_of(connection: AsyncConnection, origin: str, first: int, end: int) -> list[bytes]:
    """The first of the entries ``[first, end)`` of a log, in order: all there are in some bundles.

    Raises:
        AlteredBundle: one is missing among them, or cannot be unpacked.
    """
    found: list[bytes] = []
    for row in await bundles_of(connection, origin, first, end):
        at = first + len(found)
        if row.first > at:
            raise AlteredBundle(origin, at, row.first, "are missing")
        found += _leaves(origin, row)[at - row.first : end - row.first]
    return found


def _leaves(origin: str, row: BundleRow) -> list[bytes]:
    try:
        return unpacked(row.lines, row.entries)
    except BadBundle as error:
        raise AlteredBundle(origin, row.first, row.first + row.entries, str(error)) from error
