"""Partitions by gaming day: made when the first row of a day comes, whoever else is at it.

A new partition is made beside its parent and attached, which nobody who writes or reads has to wait
for (a partition that is made in its parent would lock all of it). Rows of up to a page stay in one
piece: a bundle of one round in two pieces costs a tenth more.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

from psycopg import AsyncConnection, sql

from floor.store.schema import SCHEMA

_MAKE: Final = sql.SQL("create table {} (like {} including all) with (toast_tuple_target = 8160)")
_TABLE: Final = "select from pg_tables where schemaname = %s and tablename = %s"


def partition_name(parent: str, day: date) -> str:
    """The partition of the table ``parent`` for that day."""
    return f"{parent}_{day:%Y_%m_%d}"


async def make_partition(
    connection: AsyncConnection, parent: str, day: date, schema: str = SCHEMA
) -> None:
    """See that the day has its partition; within the caller's transaction."""
    name = partition_name(parent, day)
    if await _exists(connection, schema, name):
        return
    await connection.execute("select pg_advisory_xact_lock(hashtext(%s))", [f"{schema}.{name}"])
    if await _exists(connection, schema, name):
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


async def _exists(connection: AsyncConnection, schema: str, name: str) -> bool:
    # Asked of the catalogue's tables: to_regclass remembers that there was none while another
    # session made it.
    found = await connection.execute(_TABLE, [schema, name])
    return await found.fetchone() is not None
