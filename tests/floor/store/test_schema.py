"""The schema is applied once, whoever is at it, also while tables play; no other one is used."""

from __future__ import annotations

import asyncio

import psycopg
import pytest

from floor.store import schema
from floor.store.failing import StoreFails
from floor.store.schema import Migration, migrate, migrations
from floor.store.store import FloorStore
from tests.floor.store.logs import DAY, leaves, sent, stored

pytestmark = pytest.mark.needs("postgresql")
NAMES = [one.name for one in migrations()]
ADDS = Migration(9001, "9001-test.sql", "alter table floor.log add column colour text;")


async def test_two_who_migrate_at_once_apply_each_file_once(empty_database: str) -> None:
    applied = await asyncio.gather(*(migrate(empty_database) for _ in range(4)))
    assert sorted(name for some in applied for name in some) == sorted(NAMES)
    assert await migrate(empty_database) == []
    async with FloorStore.open(empty_database, most=2) as store:
        await sent(store, 10)


async def test_a_migration_waits_for_no_table_and_none_for_it(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A session that does not end holds it up: it lets go, is tried again, and tables play on."""
    monkeypatch.setattr(schema, "LOCK_WAIT", "50ms")
    monkeypatch.setattr(schema, "PAUSE_S", 0.05)
    async with FloorStore.open(database, most=4) as store:
        await sent(store, 10)
        monkeypatch.setattr(schema, "migrations", lambda: [*migrations(), ADDS])
        async with store.connection() as reading:
            await reading.execute("select from floor.log")
            migrating = asyncio.create_task(migrate(database))
            for end in range(20, 100, 10):
                await sent(store, end)
            assert not migrating.done()
        assert await migrating == [ADDS.name]
        await sent(store, 200)
        assert await stored(store, 200) == leaves(0, 200)


async def test_a_migration_that_never_gets_its_lock_changes_nothing(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "migrations", lambda: [*migrations(), ADDS])
    monkeypatch.setattr(schema, "LOCK_WAIT", "20ms")
    monkeypatch.setattr(schema, "PAUSE_S", 0)
    monkeypatch.setattr(schema, "TRIES", 2)
    with psycopg.connect(database) as connection:
        connection.execute("select from floor.log")
        with pytest.raises(StoreFails, match="held the same rows for too long"):
            await migrate(database)
        columns = connection.execute(
            "select from information_schema.columns where column_name = 'colour'"
        )
        assert columns.fetchall() == []


async def test_another_releases_schema_is_not_used(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with psycopg.connect(database) as connection:
        connection.execute("insert into floor.migration (number, name) values (9002, 'later')")
    for does in (migrate(database), _opened(database)):
        with pytest.raises(StoreFails, match="of a later release"):
            await does
    with psycopg.connect(database) as connection:
        connection.execute("delete from floor.migration where number = 9002")
    monkeypatch.setattr(schema, "migrations", lambda: [*migrations(), ADDS])
    with pytest.raises(StoreFails, match=r"lacks 9001 .* 'table-floor init'"):
        await _opened(database)


async def _opened(database: str) -> None:
    async with FloorStore.open(database, most=2):
        pass


async def test_a_reader_reads_the_views_and_nothing_else(database: str) -> None:
    async with FloorStore.open(database, most=2) as store:
        await sent(store, 10, DAY)
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("set role floor_reader")
        assert connection.execute("select next_entry from floor.watermarks").fetchall() == [(10,)]
        for table in ("log", "bundle", "bundle_2026_11_20", "checkpoint", "altered"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(f"select from floor.{table}".encode())


async def test_who_may_make_no_role_is_told_what_to_ask_for(
    empty_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "READER", "floor_other_reader")
    with psycopg.connect(empty_database, autocommit=True) as connection:
        connection.execute("create role floor_clerk login")
        grant = f"grant create on database {connection.info.dbname} to floor_clerk"
        connection.execute(grant.encode())
    with pytest.raises(StoreFails, match="create role floor_other_reader nologin"):
        await migrate(f"{empty_database} options='-c role=floor_clerk'")
    with psycopg.connect(empty_database, autocommit=True) as connection:
        connection.execute("drop owned by floor_clerk")
        connection.execute("drop role floor_clerk")
