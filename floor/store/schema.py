"""The schema: files of SQL that make it whole, in one transaction.

The rules:

- A collector works with exactly the schema that it was made for, and nothing makes another one of
  it: :data:`FORMAT` is raised when tables or views change.
- A lock keeps two apart who make it at once.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Final, LiteralString

import psycopg
from psycopg import sql

from floor.store.failing import StoreFails, told

FORMAT: Final = 1

SCHEMA: Final = "floor"
READER: Final = "floor_reader"
"""A role that may read the views; whom it is granted to the house decides."""

PAGE: Final = "floor_page"
"""The role in which the page reads: entries too, so it knows cards that lie face down."""

_FILES: Final = ("logs.sql", "facts.sql", "views.sql")
_LOCK: Final = 0x666C6F6F72
"""The number of the lock among PostgreSQL's advisory ones: "floor" in ASCII."""


async def make_schema(dsn: str) -> bool:
    """Make roles and schema where the database has none; whether it had none.

    Raises:
        StoreFails: the database does not, or its schema is of another format.
    """
    with told():
        async with (
            await psycopg.AsyncConnection.connect(dsn, autocommit=True) as connection,
            connection.transaction(),
        ):
            await connection.execute("select pg_advisory_xact_lock(%s)", [_LOCK])
            if await _is_there(connection, "select to_regnamespace('floor')"):
                await check_schema(connection)
                return False
            for role in (READER, PAGE):
                if not await _is_there(connection, "select to_regrole(%s)", role):
                    await _make_role(connection, role)
            for name in _FILES:
                await connection.execute((files(__package__) / name).read_bytes())
            await connection.execute("insert into floor.format values (%s)", [FORMAT])
    return True


async def check_schema(connection: psycopg.AsyncConnection) -> None:
    """Whether the database has the schema that this program was made for.

    Raises:
        StoreFails: it has one of another format, or none.
    """
    with told():
        if not await _is_there(connection, "select to_regnamespace('floor')"):
            raise StoreFails(
                "the floor's database: it has not the floor's schema: 'table-floor init' makes it"
            )
        says = await _is_there(connection, "select to_regclass('floor.format')")
        if says and await _is_there(
            connection, "select from floor.format where number = %s", FORMAT
        ):
            return
    raise StoreFails(
        f"the floor's database: its schema is not of format {FORMAT}: keep that database, and begin"
        " a new one ('createdb', its name in the configuration, 'table-floor init')"
    )


async def _is_there(
    connection: psycopg.AsyncConnection, query: LiteralString, *given: object
) -> bool:
    """Whether the query finds a row, and it is not null."""
    row = await (await connection.execute(query, given)).fetchone()
    return row is not None and row != (None,)


async def _make_role(connection: psycopg.AsyncConnection, role: str) -> None:
    """Make the role, and this user one of it: he may read as it does."""
    make = sql.SQL("create role {0} nologin; grant {0} to current_user")
    try:
        async with connection.transaction():
            await connection.execute(make.format(sql.Identifier(role)))
    except (psycopg.errors.DuplicateObject, psycopg.errors.UniqueViolation):
        return  # a role is of the whole cluster: another database's floor has made it
    except psycopg.errors.InsufficientPrivilege as error:
        user = connection.info.user
        raise StoreFails(
            f"the floor's database: {user} may make no roles: have its administrator do"
            f" 'create role {role} nologin; grant {role} to \"{user}\"', then give"
            " 'table-floor init' again"
        ) from error
