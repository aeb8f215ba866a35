"""Another system subscribes to the facts, by the examples of the documentation."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from floor.facts.report.accounts import AskedSpan
from floor.store.schema import make_schema
from floor.store.store import FloorStore
from hil_tests.bench.logged_program import until
from hil_tests.bench.processes import ROOT
from hil_tests.postgresql import Cluster
from tests.cli.shifts.diary import Diary
from tests.floor.facts.stored import follow, leaves_of, rows_of, upload
from tests.floor.facts.test_deriving import diary
from tests.floor.facts.test_rows import reported

__all__ = ["diary"]
pytestmark = pytest.mark.needs("postgresql")

EXAMPLES = ROOT / "docs" / "examples"
WORDS = {
    "connection": "host=floor.example dbname=floor user=subscriber",
    "publication": "publication floor_facts;",
}


@pytest.fixture
def publishing() -> Iterator[Cluster]:
    """A cluster whose log says what has changed, with a floor and another database."""
    folder = Path(tempfile.mkdtemp(prefix="pg"))
    folder.chmod(0o755)
    made = Cluster(folder / "c", syncs=False, settings={"wal_level": "logical"})
    made.start()
    try:
        with psycopg.connect(made.dsn(), autocommit=True) as connection:
            connection.execute("create database floor")
            connection.execute("create database other")
        for name in ("floor", "other"):
            asyncio.run(make_schema(made.dsn(name)))
        yield made
        with psycopg.connect(made.dsn("other"), autocommit=True) as connection:
            connection.execute("drop subscription if exists floor_facts")
    finally:
        made.close()
        folder.rmdir()


def example(dsn: str, name: str, **replaced: str) -> None:
    """Run it in that database; what is replaced stands in it."""
    text = (EXAMPLES / name).read_text(encoding="utf-8")
    for old, new in replaced.items():
        assert WORDS[old] in text
        text = text.replace(WORDS[old], new)
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(text.encode())


def test_who_subscribes_has_the_same_facts(publishing: Cluster, diary: Diary) -> None:
    floor, other = publishing.dsn("floor"), publishing.dsn("other")
    leaves = leaves_of(diary.state)

    async def derive(upto: int) -> None:
        async with FloorStore.open(floor, most=1) as store:
            await follow(store, await upload(store, "P1", leaves[:upto]), upto)

    asyncio.run(derive(len(leaves) // 2))
    example(floor, "floor-publication.sql")
    with psycopg.connect(floor, autocommit=True) as connection:
        # Where both are databases of one cluster the slot is made by hand (PostgreSQL's manual).
        connection.execute("select pg_create_logical_replication_slot('floor_facts', 'pgoutput')")
    there = "publication floor_facts with (create_slot = false);"
    example(other, "floor-subscription.sql", connection=floor, publication=there)
    asyncio.run(derive(len(leaves)))
    until(lambda: rows_of(other) == rows_of(floor), "the same rows")

    async def report() -> object:
        async with FloorStore.open(other, most=1) as store:
            return await reported(store, AskedSpan(table="P1"))

    assert asyncio.run(report())
