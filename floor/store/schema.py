"""The schema: numbered files of SQL, each applied once.

The rules:

- A file of ``migrations`` is never changed once it is released: what is to be otherwise is the next
  file's. Its number orders it.
- Each is applied in a transaction of its own, behind a lock that keeps two who migrate apart.
- Tables may be at play: a file that would wait longer than :data:`LOCK_WAIT` for a lock, while
  everybody else waits behind it, is taken back, and tried again after :data:`PAUSE_S`.
- A collector works with exactly the schema that it was made for.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import Final

import psycopg
from psycopg import sql

from floor.store.failing import StoreFails, failures_in_words

SCHEMA: Final = "floor"
READER: Final = "floor_reader"
"""A role that may read the views; whom it is granted to the house decides."""

PAGE: Final = "floor_page"
"""The role in which the page reads: entries too, so it knows cards that lie face down."""

LOCK_WAIT: Final = "1s"
PAUSE_S: Final = 2.0
TRIES: Final = 30
IN_THE_WAY: Final = (psycopg.errors.LockNotAvailable, psycopg.errors.DeadlockDetected)
"""What is raised where somebody else has a lock for too long."""
_LOCK: Final = 0x666C6F6F72
"""The number of the lock among PostgreSQL's advisory ones: "floor" in ASCII."""


@dataclass(frozen=True, slots=True)
class Migration:
    """A file: its ``number``, ``name`` and ``text``."""

    number: int
    name: str
    text: str


def migrations() -> list[Migration]:
    """All there are, in order."""
    return sorted(_migrations(), key=lambda one: one.number)


def _migrations() -> Iterator[Migration]:
    for file in (files(__package__) / "migrations").iterdir():
        if file.name.endswith(".sql"):
            number = int(file.name.partition("-")[0])
            yield Migration(number, file.name, file.read_text(encoding="utf-8"))


async def migrate(dsn: str) -> list[str]:
    """Bring the schema up to date; returns the names of what was applied.

    Raises:
        StoreFails: the database does not, or is of a later release.
    """
    applied = []
    with failures_in_words():
        async with await psycopg.AsyncConnection.connect(dsn, autocommit=True) as connection:
            await _create_schema(connection)
            for migration in migrations():
                if await _apply(connection, migration):
                    applied.append(migration.name)
            await _compare(connection)
    return applied


async def check_schema(connection: psycopg.AsyncConnection) -> None:
    """Whether the database has the schema that this program was made for.

    Raises:
        StoreFails: it has an earlier one, a later one, or none.
    """
    with failures_in_words():
        await _compare(connection)


async def _create_schema(connection: psycopg.AsyncConnection) -> None:
    """The schema, its list of what was applied, and the roles."""
    async with connection.transaction():
        await connection.execute("select pg_advisory_xact_lock(%s)", [_LOCK])
        for role in (READER, PAGE):
            known = await connection.execute("select from pg_roles where rolname = %s", [role])
            if await known.fetchone() is None:
                await _make_role(connection, role)
        await connection.execute("create schema if not exists floor")
        await connection.execute(
            "create table if not exists floor.migration (number integer primary key,"
            " name text not null, applied_at timestamptz not null default now())"
        )


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


async def _apply(connection: psycopg.AsyncConnection, migration: Migration) -> bool:
    for _ in range(TRIES - 1):
        try:
            return await _apply_now(connection, migration)
        except IN_THE_WAY:
            await asyncio.sleep(PAUSE_S)
    return await _apply_now(connection, migration)


async def _apply_now(connection: psycopg.AsyncConnection, migration: Migration) -> bool:
    async with connection.transaction():
        await connection.execute("select pg_advisory_xact_lock(%s)", [_LOCK])
        if migration.number in await _numbers(connection):
            return False
        await connection.execute(f"set local lock_timeout = '{LOCK_WAIT}'")
        await connection.execute(migration.text.encode())
        await connection.execute(
            "insert into floor.migration (number, name) values (%s, %s)",
            [migration.number, migration.name],
        )
    return True


async def _compare(connection: psycopg.AsyncConnection) -> None:
    there, ours = await _numbers(connection), {one.number for one in migrations()}
    if later := there - ours:
        raise StoreFails(
            f"the floor's database: its schema is of a later release (it has {max(later):04d}, and"
            f" this program {max(ours):04d}): install that release here"
        )
    if missing := ours - there:
        raise StoreFails(
            f"the floor's database: its schema lacks {min(missing):04d} and what is behind it:"
            " 'table-floor init' brings it up to date, also while tables play"
        )


async def _numbers(connection: psycopg.AsyncConnection) -> set[int]:
    told_numbers = await connection.execute("select number from floor.migration")
    return {number for (number,) in await told_numbers.fetchall()}
