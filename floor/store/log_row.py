"""The row of a log, ``floor.log``: read behind its lock, and written as a whole."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final

from psycopg import AsyncConnection
from psycopg.rows import class_row

from controller.evidence.tree import merkle
from floor.protocol.packages import Frontier


@dataclass(frozen=True, slots=True)
class LogRow:
    """The row as it is in ``floor.log``, with the database's day."""

    id: int
    origin: str
    table_name: str
    next_entry: int
    frontier: bytes
    pending_size: int
    pending_root: bytes
    mirror_size: int
    witness_size: int
    witness_root: bytes
    compacted: int
    hole_end: int | None
    ahead_entry: int | None
    ahead_frontier: bytes | None
    today: date


_SELECT: Final = """
    select id, origin, table_name, next_entry, frontier, pending_size, pending_root, mirror_size,
        witness_size, witness_root, compacted, hole_end, ahead_entry, ahead_frontier,
        current_date as today
    from floor.log where origin = %s for update"""

_MAKE: Final = """
    insert into floor.log (origin, table_name) values (%s, %s) on conflict (origin) do nothing"""

UPDATE: Final = """
    update floor.log set table_name = %(table_name)s, next_entry = %(next_entry)s,
        frontier = %(frontier)s, pending_size = %(pending_size)s, pending_root = %(pending_root)s,
        mirror_size = %(mirror_size)s, witness_size = %(witness_size)s,
        witness_root = %(witness_root)s, compacted = %(compacted)s,
        hole_end = %(hole_end)s, ahead_entry = %(ahead_entry)s,
        ahead_frontier = %(ahead_frontier)s,
        stored_at = case when next_entry <> %(next_entry)s then now() else stored_at end
    where id = %(id)s"""


def frontier_of(size: int, hashes: bytes) -> list[tuple[int, bytes]]:
    """The frontier of so many entries out of its hashes, as the row has them."""
    step = merkle.HASH_BYTES
    return [
        (level, hashes[at * step : (at + 1) * step])
        for at, (level, _) in enumerate(merkle.frontier(size))
    ]


def hashes_of(frontier: Frontier) -> bytes:
    """The hashes of a frontier, as the row has them."""
    return b"".join(value for _, value in frontier)


async def locked_row(connection: AsyncConnection, origin: str, table: str) -> LogRow:
    """That of the log of that origin, locked; it is made at first, for that table."""
    async with connection.cursor(row_factory=class_row(LogRow), binary=True) as cursor:
        row = await (await cursor.execute(_SELECT, [origin])).fetchone()
        if row is None:
            await connection.execute(_MAKE, [origin, table])
            row = await (await cursor.execute(_SELECT, [origin])).fetchone()
    assert row is not None
    return row
