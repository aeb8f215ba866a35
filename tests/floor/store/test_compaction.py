"""Compaction, and beside a collector: fewer bundles, the same entries, each in the gaming day that
it was in."""

from __future__ import annotations

import asyncio
from datetime import date, timedelta

import pytest

from floor.collector import running as module
from floor.collector.running import compacting
from floor.store.compaction import compact
from floor.store.failing import StoreFails
from floor.store.store import FloorStore
from tests.floor.store.logs import DAY, execute, leaves, sent, stored

pytestmark = pytest.mark.needs("postgresql")

PATIENCE_S = 20


async def test_what_is_whole_is_joined_while_the_collector_runs(
    store: FloorStore, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fewer: asyncio.Queue[int] = asyncio.Queue()

    async def counted(store: FloorStore) -> int:
        fewer.put_nowait(await compact(store))
        return 0

    monkeypatch.setattr(module, "EVERY_S", 0.01)
    monkeypatch.setattr(module, "compact", counted)
    for end in range(50, 1050, 50):
        await sent(store, end)
    before = len(bundles(database))
    async with compacting(store), asyncio.timeout(PATIENCE_S):
        assert await fewer.get() == before - 8
    assert await stored(store, 1000) == leaves(0, 1000)
    assert len(bundles(database)) == 8  # three blocks, and five behind them


async def test_a_database_that_fails_is_asked_again(
    store: FloorStore, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    asked = asyncio.Event()
    times = 0

    async def fails_once(_: FloorStore) -> int:
        nonlocal times
        times += 1
        if times == 1:
            raise StoreFails("it is away")
        asked.set()
        return 0

    monkeypatch.setattr(module, "EVERY_S", 0)
    monkeypatch.setattr(module, "compact", fails_once)
    async with compacting(store):
        await asyncio.wait_for(asked.wait(), PATIENCE_S)
    assert "not compacted: it is away" in caplog.text


NEXT_DAY = DAY + timedelta(days=1)


def bundles(database: str) -> list[tuple[date, int, int]]:
    return execute(database, "select day, first, entries from floor.bundle order by first")


async def test_a_whole_block_becomes_one_bundle(store: FloorStore, database: str) -> None:
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


async def test_a_block_of_two_days_stays_in_both(store: FloorStore, database: str) -> None:
    for end, day in ((40, DAY), (90, DAY), (150, NEXT_DAY), (256, NEXT_DAY)):
        await sent(store, end, day)
    assert await compact(store) == 2
    assert bundles(database) == [(DAY, 0, 90), (NEXT_DAY, 90, 166)]
    assert await stored(store, 256) == leaves(0, 256)


async def test_a_clock_that_went_back_and_forth_keeps_its_order(store: FloorStore) -> None:
    for end, day in ((50, DAY), (100, NEXT_DAY), (150, DAY), (200, DAY), (256, NEXT_DAY)):
        await sent(store, end, day)
    assert await compact(store) == 1
    assert await stored(store, 256) == leaves(0, 256)


async def test_what_was_altered_is_left_as_it_is(store: FloorStore, database: str) -> None:
    for end in (100, 256, 400, 512):
        await sent(store, end)
    execute(database, "update floor.bundle set lines = 'x' where first = 0")
    execute(
        database,
        "update floor.bundle set lines = (select lines from floor.bundle where first = 256)"
        " where first = 400",
    )
    assert await compact(store) == 0
    assert len(bundles(database)) == 4
