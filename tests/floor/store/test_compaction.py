"""Compaction: fewer bundles, the same entries, each in the gaming day that it was in."""

from __future__ import annotations

from datetime import date, timedelta

import psycopg
import pytest

from floor.store.compaction import compact
from floor.store.store import FloorStore
from tests.floor.store.logs import DAY, leaves, sent, stored

pytestmark = pytest.mark.needs("postgresql")
NEXT_DAY = DAY + timedelta(days=1)


def bundles(database: str) -> list[tuple[date, int, int]]:
    with psycopg.connect(database) as connection:
        return connection.execute(
            "select day, first, entries from floor.bundle order by first"
        ).fetchall()


async def test_a_whole_block_becomes_one_bundle(database: str) -> None:
    async with FloorStore.open(database, most=2) as store:
        for end in range(21, 600, 21):
            await sent(store, end)
        before = bundles(database)
        fewer = await compact(store)
        after = bundles(database)
        assert len(after) == len(before) - fewer
        assert after[:2] == [(DAY, 0, 256), (DAY, 256, 256)]
        assert after[2:] == before[-len(after[2:]) :]
        assert await stored(store, 588) == leaves(0, 588)
        assert await compact(store) == 0


async def test_a_block_of_two_days_stays_in_both(database: str) -> None:
    async with FloorStore.open(database, most=2) as store:
        for end, day in ((40, DAY), (90, DAY), (150, NEXT_DAY), (256, NEXT_DAY)):
            await sent(store, end, day)
        assert await compact(store) == 2
        assert bundles(database) == [(DAY, 0, 90), (NEXT_DAY, 90, 166)]
        assert await stored(store, 256) == leaves(0, 256)


async def test_a_clock_that_went_back_and_forth_keeps_its_order(database: str) -> None:
    async with FloorStore.open(database, most=2) as store:
        for end, day in ((50, DAY), (100, NEXT_DAY), (150, DAY), (200, DAY), (256, NEXT_DAY)):
            await sent(store, end, day)
        assert await compact(store) == 1
        assert await stored(store, 256) == leaves(0, 256)


async def test_what_was_altered_is_left_as_it_is(database: str) -> None:
    async with FloorStore.open(database, most=2) as store:
        for end in (100, 256, 400, 512):
            await sent(store, end)
        with psycopg.connect(database) as connection:
            connection.execute("update floor.bundle set lines = 'x' where first = 0")
            connection.execute(
                "update floor.bundle set lines = (select lines from floor.bundle where first = 256)"
                " where first = 400"
            )
        assert await compact(store) == 0
        assert len(bundles(database)) == 4
