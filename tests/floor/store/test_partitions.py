"""How many days a log opens, whatever its clock says: a table's key can sign any."""

from __future__ import annotations

from datetime import date, timedelta

import psycopg
import pytest

from floor.facts.rows import may_open
from floor.store import partitions
from floor.store.bundles import UNDATED
from floor.store.store import FloorStore
from tests.floor.store.logs import leaves, sent, stored

pytestmark = pytest.mark.needs("postgresql")

LONG_PAST = date(2021, 3, 4)
FREE = 5


def day(number: int) -> date:
    return LONG_PAST + timedelta(days=number)


def days_of(database: str) -> list[date]:
    """Those of the first log's bundles, in their order; as often as there are bundles."""
    with psycopg.connect(database) as connection:
        rows = connection.execute("select day from floor.bundle where log = 1 order by first")
        return [one for (one,) in rows.fetchall()]


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partitions, "FREE_DAYS", FREE)


async def test_a_log_opens_no_more_days_than_it_has_blocks_and_some(database: str) -> None:
    async with FloorStore.open(database, most=2) as store:
        for number in range(FREE + 4):
            await sent(store, number + 1, day(number))
        opened = [day(number) for number in range(FREE)]
        assert days_of(database) == [*opened, *[UNDATED] * 4]
        await sent(store, 3 * 256, day(0))
        for number in range(3):
            await sent(store, 3 * 256 + number + 1, day(100 + number))
        assert days_of(database)[-3:] == [day(100), day(101), UNDATED], "that one counts as one"
        assert await stored(store, 1 << 20) == leaves(0, 3 * 256 + 3)


async def test_days_that_are_near_or_there_count_however_many_a_log_has(database: str) -> None:
    with psycopg.connect(database) as connection:
        row = connection.execute("select current_date").fetchone()
        assert row is not None
        today: date = row[0]
    async with FloorStore.open(database, most=2) as store:
        for number in range(FREE):
            await sent(store, number + 1, day(number))
        await sent(store, FREE + 1, today)
        await sent(store, FREE + 2, today - timedelta(days=2))
        await sent(store, FREE + 3, today - timedelta(days=3))
        await sent(store, 1, day(50), "another")
        await sent(store, FREE + 4, day(50))
    assert days_of(database)[FREE:] == [today, today - timedelta(days=2), UNDATED, day(50)]


async def test_facts_open_the_days_that_entries_have_and_those_beside(database: str) -> None:
    today = day(100)
    async with FloorStore.open(database, most=2) as store:
        await sent(store, 10, day(50))
        async with store.connection() as connection:
            opened = [n for n in range(-500, 200) if await may_open(connection, day(n), today)]
    assert opened == [49, 50, 51, *range(98, 103)]
