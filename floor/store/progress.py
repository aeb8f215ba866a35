"""How far logs are, read without their locks: what a row says may be old by the time it is read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from psycopg import AsyncConnection
from psycopg.rows import class_row

from floor.protocol.packages import Frontier
from floor.store.log_row import frontier_of


@dataclass(frozen=True, slots=True)
class LogProgress:
    """Entries ``[0, next_entry)`` are stored, with that ``frontier``; ``pending`` is the size of
    the checkpoint that the mirror took last, None where it never took one, ``mirrored`` of the one
    that it has cosigned. ``asked`` are root and text of the checkpoint of the size that was asked
    for, None where no such one is known."""

    next_entry: int
    frontier: Frontier
    pending: int | None
    mirrored: int
    asked: tuple[bytes, str] | None


_PROGRESS: Final = """
    select next_entry, frontier, mirror_size, asked.root, asked.text,
        (select max(size) from floor.checkpoint where log = log.id and role = 'pending')
    from floor.log left join lateral (
        select root, text from floor.checkpoint
        where log = log.id and size = %s and role in ('pending', 'mirror')
        order by role desc limit 1) as asked on true
    where origin = %s"""


async def progress_of(connection: AsyncConnection, origin: str, size: int) -> LogProgress | None:
    """That of the log of that origin; None where nothing of it was ever taken."""
    cursor = await connection.execute(_PROGRESS, [size, origin], binary=True)
    row = await cursor.fetchone()
    if row is None:
        return None
    next_entry, hashes, mirrored, root, text, pending = row
    asked = None if root is None else (root, text)
    return LogProgress(next_entry, frontier_of(next_entry, hashes), pending, mirrored, asked)


@dataclass(frozen=True, slots=True)
class TableProgress:
    """How far the newest log of a table is: entries stored, and those that ``facts`` are derived
    of, the sizes of the checkpoints that the mirror took and cosigned last, and when an entry was
    stored; ``refused`` are the checkpoints of all of its logs that are kept as evidence."""

    table: str
    entries: int
    facts: int
    pending: int
    mirrored: int
    stored_at: datetime | None
    refused: int


_TABLES: Final = """
    select distinct on (table_name) table_name as table, next_entry as entries,
        facts_upto as facts, pending_size as pending, mirror_size as mirrored, stored_at,
        (select count(*) from floor.refusals where refusals.table_name = log.table_name) as refused
    from floor.log order by table_name, id desc"""


async def tables_of(connection: AsyncConnection) -> list[TableProgress]:
    """That of every table."""
    cursor = connection.cursor(row_factory=class_row(TableProgress))
    return await (await cursor.execute(_TABLES)).fetchall()
