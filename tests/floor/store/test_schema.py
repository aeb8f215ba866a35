"""The schema is made once, whoever is at it; no other one is used."""

from __future__ import annotations

import asyncio

import psycopg
import pytest

from floor.store import schema
from floor.store.failing import StoreFails
from floor.store.schema import make_schema
from floor.store.store import FloorStore
from tests.floor.store.logs import DAY, execute, sent

pytestmark = pytest.mark.needs("postgresql")


async def test_of_those_who_make_it_at_once_one_does(empty_database: str) -> None:
    made = await asyncio.gather(*(make_schema(empty_database) for _ in range(4)))
    assert sorted(made) == [False, False, False, True]
    async with FloorStore.open(empty_database, most=2) as store:
        await sent(store, 10)


async def test_it_is_made_whole_or_not_at_all(
    empty_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "_FILES", (*schema._FILES, "none.sql"))
    with pytest.raises(FileNotFoundError):
        await make_schema(empty_database)
    monkeypatch.undo()
    with pytest.raises(StoreFails, match="has not the floor's schema: 'table-floor init' makes it"):
        await _opened(empty_database)
    assert await make_schema(empty_database)


@pytest.mark.parametrize(
    "change",
    ["update floor.format set number = 2", "delete from floor.format", "drop table floor.format"],
)
async def test_one_of_another_format_is_not_used(database: str, change: str) -> None:
    execute(database, change)
    for does in (make_schema(database), _opened(database)):
        with pytest.raises(
            StoreFails, match="not of format 1: keep that database, and begin a new"
        ):
            await does


async def _opened(database: str) -> None:
    async with FloorStore.open(database, most=2):
        pass


async def test_a_reader_reads_the_views_and_nothing_else(store: FloorStore, database: str) -> None:
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
        await make_schema(f"{empty_database} options='-c role=floor_clerk'")
    execute(empty_database, "drop owned by floor_clerk")
    execute(empty_database, "drop role floor_clerk")
