"""Compaction: of the bundles of a whole block one is made for each gaming day.

A table sends a bundle a round; some twelve of these are a block, and take a third more room apart.
What is joined is compared with the block's hash before, and left as it is where it differs: then
:mod:`floor.store.checking` names it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from psycopg import AsyncConnection

from floor.protocol.packages import BLOCK
from floor.store.blocks import block_hash
from floor.store.bundles import BadBundle, packed, unpacked
from floor.store.reading import BundleRow, bundles_of
from floor.store.store import FloorStore

AT_ONCE: Final = 4
"""Blocks in one transaction: the log's row is held for some ten milliseconds."""

_DUE: Final = "select origin from floor.log where compacted < next_entry / %s"

_LOCK: Final = """
    select id, compacted, next_entry from floor.log where origin = %s for update"""

_BLOCK: Final = "select hash from floor.block where log = %s and number = %s"

_REMOVE: Final = "delete from floor.bundle where log = %s and day = %s and first = any(%s)"

_PUT: Final = """
    insert into floor.bundle (log, day, first, entries, lines) values (%s, %s, %s, %s, %s)"""

_DONE: Final = "update floor.log set compacted = %s where id = %s"


async def compact(store: FloorStore) -> int:
    """Join the bundles of every whole block; returns how many there are fewer."""
    async with store.connection() as connection:
        due = [origin for (origin,) in await (await connection.execute(_DUE, [BLOCK])).fetchall()]
    fewer = 0
    for origin in due:
        more = True
        while more:
            async with store.connection() as connection:
                joined, more = await _compact_some(connection, origin)
            fewer += joined
    return fewer


async def _compact_some(connection: AsyncConnection, origin: str) -> tuple[int, bool]:
    """Join those of some blocks; how many there are fewer, and whether there are more to do."""
    row = await (await connection.execute(_LOCK, [origin])).fetchone()
    assert row is not None
    log, done, whole = row[0], row[1], row[2] // BLOCK
    upto = min(whole, done + AT_ONCE)
    fewer = 0
    for number in range(done, upto):
        fewer += await _compact_block(connection, origin, log, number)
    await connection.execute(_DONE, [max(done, upto), log])
    return fewer, upto < whole


async def _compact_block(connection: AsyncConnection, origin: str, log: int, number: int) -> int:
    first = number * BLOCK
    rows = await bundles_of(connection, origin, first, first + BLOCK, most=BLOCK)
    known = await (await connection.execute(_BLOCK, [log, number], binary=True)).fetchone()
    if len(rows) < 2 or known is None:
        return 0
    try:
        leaves = [unpacked(row.lines, row.entries) for row in rows]
    except BadBundle:
        return 0
    if block_hash([leaf for some in leaves for leaf in some]) != known[0]:
        return 0
    fewer = 0
    pairs = zip(rows, leaves, strict=True)
    for _, of_day in groupby(pairs, key=lambda pair: pair[0].day):
        fewer += await _join(connection, [*of_day])
    return fewer


async def _join(connection: AsyncConnection, pairs: Sequence[tuple[BundleRow, list[bytes]]]) -> int:
    """One bundle for those, which follow each other on one day."""
    if len(pairs) == 1:
        return 0
    begin = pairs[0][0]
    lines = [leaf for _, leaves in pairs for leaf in leaves]
    await connection.execute(_REMOVE, [begin.log, begin.day, [row.first for row, _ in pairs]])
    await connection.execute(_PUT, [begin.log, begin.day, begin.first, len(lines), packed(lines)])
    return len(pairs) - 1
