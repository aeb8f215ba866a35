"""Compaction beside collecting."""

from __future__ import annotations

import asyncio

import psycopg
import pytest

from floor.collector import running as module
from floor.collector.running import compacting
from floor.store.compaction import compact
from floor.store.failing import StoreFails
from floor.store.store import FloorStore
from tests.floor.store.logs import leaves, sent, stored

pytestmark = pytest.mark.needs("postgresql")
PATIENCE_S = 20


async def test_what_is_whole_is_joined_while_the_collector_runs(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fewer: asyncio.Queue[int] = asyncio.Queue()

    async def counted(store: FloorStore) -> int:
        fewer.put_nowait(await compact(store))
        return 0

    monkeypatch.setattr(module, "EVERY_S", 0.01)
    monkeypatch.setattr(module, "compact", counted)
    async with FloorStore.open(database, most=4) as store:
        for end in range(50, 1050, 50):
            await sent(store, end)
        before = _bundles(database)
        async with compacting(store), asyncio.timeout(PATIENCE_S):
            assert await fewer.get() == before - 8
        assert await stored(store, 1000) == leaves(0, 1000)
    assert _bundles(database) == 8  # three blocks, and five behind them


def _bundles(database: str) -> int:
    with psycopg.connect(database) as connection:
        found = connection.execute("select count(*) from floor.bundle").fetchone()
    return found[0] if found else 0


async def test_a_database_that_fails_is_asked_again(
    database: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
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
    async with FloorStore.open(database, most=2) as store, compacting(store):
        await asyncio.wait_for(asked.wait(), PATIENCE_S)
    assert "not compacted: it is away" in caplog.text
