"""Partitions by gaming day: made when the first row of a day comes, whoever else is at it.

A new partition is made beside its parent and attached, which nobody who writes or reads has to wait
for (a partition that is made in its parent would lock all of it). Rows of up to a page stay in one
piece: a bundle of one round in two pieces costs a tenth more.

A table's key can sign any day. A log may open what is near by the floor's own clock, and of what is
long past a day for each block of its entries, and :data:`FREE_DAYS` more: a table plays seventy
blocks a day. Entries of any other day go with those that have none.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

from psycopg import AsyncConnection, sql

from floor.protocol.packages import BLOCK
from floor.store.schema import SCHEMA

NEAR: Final = timedelta(days=2)
FREE_DAYS: Final = 62

_MAKE: Final = sql.SQL("create table {} (like {} including all) with (toast_tuple_target = 8160)")
_TABLE: Final = "select from pg_tables where schemaname = %s and tablename = %s"
_DAYS: Final = "select count(*) from floor.span where log = %s"


def partition_name(parent: str, day: date) -> str:
    """The partition of the table ``parent`` for that day."""
    return f"{parent}_{day:%Y_%m_%d}"


async def has_partition(
    connection: AsyncConnection, parent: str, day: date, schema: str = SCHEMA
) -> bool:
    """Whether the day has its partition."""
    # Asked of the catalogue's tables: to_regclass remembers that there was none while another
    # session made it.
    found = await connection.execute(_TABLE, [schema, partition_name(parent, day)])
    return await found.fetchone() is not None


async def may_open(
    connection: AsyncConnection, log: int, entries: int, day: date, today: date
) -> bool:
    """Whether a log of so many entries may open that day."""
    if day >= today - NEAR:
        return True
    row = await (await connection.execute(_DAYS, [log])).fetchone()
    assert row is not None
    return bool(row[0] < FREE_DAYS + entries // BLOCK)


async def make_partition(
    connection: AsyncConnection, parent: str, day: date, schema: str = SCHEMA
) -> None:
    """See that the day has its partition; within the caller's transaction."""
    if await has_partition(connection, parent, day, schema):
        return
    name = partition_name(parent, day)
    await connection.execute("select pg_advisory_xact_lock(hashtext(%s))", [f"{schema}.{name}"])
    if await has_partition(connection, parent, day, schema):
        return
    made, whole = sql.Identifier(schema, name), sql.Identifier(schema, parent)
    await connection.execute(_MAKE.format(made, whole))
    await connection.execute(
        sql.SQL("alter table {} attach partition {} for values from ({}) to ({})").format(
            whole, made, sql.Literal(day.isoformat()), sql.Literal(_next(day).isoformat())
        )
    )


def _next(day: date) -> date:
    return day + timedelta(days=1)
