"""Facts in the database: they say what the table says, they are the same derived again, and after a
death in the middle; who may only read reads the views, and another system subscribes to them by the
examples of the documentation."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import psycopg
import pytest

from controller.counters.report import report_on
from controller.replay.journal_chain import Clock
from floor.facts.following import Follower
from floor.facts.report.accounts import AskedSpan, accounts_of
from floor.facts.rows import WrittenElsewhere, forget_facts, progress_of_facts
from floor.store.schema import make_schema
from floor.store.store import FloorStore
from hil_tests.bench.logged_program import until
from hil_tests.bench.processes import ROOT
from hil_tests.postgresql import Cluster
from tests.cli.shifts.diary import Diary
from tests.floor.conftest import new_cluster
from tests.floor.facts.kept import NONE, ZONE, follow, leaves_of, rows_of, upload
from tests.floor.facts.test_deriving import told
from tests.floor.store.logs import execute
from tests.replay.course.played import eventful, void, write

pytestmark = pytest.mark.needs("postgresql")

EXAMPLES = ROOT / "docs" / "examples"
WORDS = {
    "connection": "host=floor.example dbname=floor user=subscriber",
    "publication": "publication floor_facts;",
}


@pytest.fixture
def publishing() -> Iterator[Cluster]:
    """A cluster whose log says what has changed, with a floor and another database."""
    with new_cluster(wal_level="logical") as made:
        execute(made.dsn(), "create database floor")
        execute(made.dsn(), "create database other")
        for name in ("floor", "other"):
            asyncio.run(make_schema(made.dsn(name)))
        yield made
        execute(made.dsn("other"), "drop subscription if exists floor_facts")


def example(dsn: str, name: str, **replaced: str) -> None:
    """Run it in that database; what is replaced stands in it."""
    text = (EXAMPLES / name).read_text(encoding="utf-8")
    for old, new in replaced.items():
        assert WORDS[old] in text
        text = text.replace(WORDS[old], new)
    execute(dsn, text)


def test_who_subscribes_has_the_same_facts(publishing: Cluster, diary: Diary) -> None:
    floor, other = publishing.dsn("floor"), publishing.dsn("other")
    leaves = leaves_of(diary.state)

    async def derive(upto: int) -> None:
        async with FloorStore.open(floor, most=1) as store:
            await follow(store, await upload(store, "P1", leaves[:upto]), upto)

    asyncio.run(derive(len(leaves) // 2))
    example(floor, "floor-publication.sql")
    execute(floor, "select pg_create_logical_replication_slot('floor_facts', 'pgoutput')")
    there = "publication floor_facts with (create_slot = false);"
    example(other, "floor-subscription.sql", connection=floor, publication=there)
    asyncio.run(derive(len(leaves)))
    until(lambda: rows_of(other) == rows_of(floor), "the same rows")

    async def report() -> object:
        async with FloorStore.open(other, most=1) as store:
            return await reported(store, AskedSpan(table="P1"))

    assert asyncio.run(report())


async def reported(store: FloorStore, asked: AskedSpan) -> dict[str, Any]:
    async with store.connection() as connection:
        found = await accounts_of(connection, asked)
    told_of = {one.table: dict(report_on(one.account, NONE)) for one in found}
    return {
        table: {name: value for name, value in one.items() if name != "shift"}
        for table, one in told_of.items()
    }


async def test_the_database_says_what_the_tables_say(
    store: FloorStore, diary: Diary, tmp_path: Path
) -> None:
    places = {
        "P1": diary.state,
        "P2": write(eventful(), tmp_path / "eventful"),
        "P3": write(void(), tmp_path / "void"),
    }
    for table, place in places.items():
        leaves = leaves_of(place)
        await follow(store, await upload(store, table, leaves), len(leaves))
    for day in (date(2026, 11, 24), date(2026, 11, 25)):
        expected = told(diary.state, day)
        assert await reported(store, AskedSpan(day=day)) == {"P1": expected}
    for number in (0, 1, 2):
        of_table = await reported(store, AskedSpan(shift=number, table="P1"))
        assert of_table == {"P1": told(diary.state, number)}
    night = date(2026, 11, 21)
    found = await reported(store, AskedSpan(day=night))
    assert found == {table: told(places[table], night) for table in ("P2", "P3")}


async def test_derived_again_it_is_the_same(store: FloorStore, database: str, diary: Diary) -> None:
    leaves = leaves_of(diary.state)
    log = await upload(store, "P1", leaves)
    await follow(store, log, len(leaves))
    first = rows_of(database)
    async with store.connection() as connection:
        await forget_facts(connection, log.number)
    assert not any(rows for table, rows in rows_of(database).items() if table != "upto")
    await follow(store, log, len(leaves))
    assert rows_of(database) == first


async def test_who_dies_in_the_middle_leaves_the_same(
    store: FloorStore, database: str, diary: Diary
) -> None:
    """Workers that are gone after some entries, before or behind what they wrote."""
    leaves = leaves_of(diary.state)
    chance = Random(5)
    whole = await upload(store, "whole", leaves)
    await follow(store, whole, len(leaves))
    log = await upload(store, "died", leaves)
    done = 0
    while done < len(leaves):
        follower = Follower(store, Clock(ZONE), log)
        for _ in range(chance.randint(1, 3)):
            done = min(len(leaves), done + chance.randint(1, 30))
            await follower.step(done)
    for view in ("rounds", "settlements", "draws", "holds", "acts", "links", "versions"):
        first, second = (
            execute(
                database,
                f"select to_jsonb(v) - 'table_name' - 'origin' from floor_facts.{view} v"
                " where table_name = %s order by 1",
                [table],
            )
            for table in ("whole", "died")
        )
        assert first == second, view
        assert first or view in {"draws", "holds"}


async def test_two_who_derive_one_log_write_it_once(store: FloorStore, diary: Diary) -> None:
    leaves = leaves_of(diary.state)
    log = await upload(store, "P1", leaves)
    one, other = (Follower(store, Clock(ZONE), log) for _ in range(2))
    await one.step(20)
    await other.step(20)
    await one.step(40)
    with pytest.raises(WrittenElsewhere):
        await other.step(30)
    async with store.connection() as connection:
        assert (await progress_of_facts(connection, log.number)).upto == 40


@pytest.mark.parametrize(("older", "newer"), [(0.4, 1), (0.7, 1), (1, 0.8), (1, 1)])
async def test_a_table_with_another_key_is_told_once(
    store: FloorStore, diary: Diary, older: float, newer: float
) -> None:
    """The same journal under two keys: the older log ends where the key was exchanged, or has what
    the box has lost since."""
    leaves = leaves_of(diary.state)
    for key, part in (("older", older), ("newer", newer)):
        end = int(len(leaves) * part)
        for upto in (end // 3, end):
            log = await upload(store, "P1", leaves[:upto], key)
            await follow(store, log, upto)
    for day in (date(2026, 11, 24), date(2026, 11, 25)):
        found = (await reported(store, AskedSpan(day=day)))["P1"]
        expected = told(diary.state, day)
        if newer == 1:
            assert found == expected
        else:  # what the box has lost is told; the time behind the last snapshot is not
            assert found["money"] == expected["money"]


async def test_who_may_only_read_reads_the_views(
    store: FloorStore, database: str, diary: Diary
) -> None:
    leaves = leaves_of(diary.state)
    await follow(store, await upload(store, "P1", leaves), len(leaves))
    with psycopg.connect(database) as connection:
        views = [
            name
            for (name,) in connection.execute(
                "select viewname from pg_views where schemaname = 'floor_facts'"
            ).fetchall()
        ]
        comments = connection.execute(
            "select count(*) from pg_description join pg_class on objoid = pg_class.oid"
            " where relnamespace = 'floor_facts'::regnamespace and relkind = 'v'"
        ).fetchone()
        assert comments == (len(views),)
        connection.execute("set role floor_reader")
        for view in views:
            assert connection.execute(f"select * from floor_facts.{view}").description
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("select * from floor_facts.round")
