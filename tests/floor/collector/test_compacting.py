"""Compaction beside collecting."""

from __future__ import annotations

import asyncio

import psycopg
import pytest

from floor.collector import compacting as module
from floor.collector.compacting import compacting
from floor.store.failing import StoreFails
from floor.store.store import FloorStore
from tests.floor.store.logs import leaves, sent, stored

pytestmark = pytest.mark.needs("postgresql")
PATIENCE_S = 20


async def test_what_is_whole_is_joined_while_the_collector_runs(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "EVERY_S", 0.01)
    async with FloorStore.open(database, most=4) as store, compacting(store):
        for end in range(50, 1100, 50):
            await sent(store, end)
        async with asyncio.timeout(PATIENCE_S):
            while _bundles(database) > 5:
                await asyncio.sleep(0.01)
        assert await stored(store, 1050) == leaves(0, 1050)


def _bundles(database: str) -> int:
    with psycopg.connect(database) as connection:
        found = connection.execute("select count(*) from floor.bundle").fetchone()
    return found[0] if found else 0


async def test_a_database_that_fails_is_asked_again(
    database: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    asked = asyncio.Event()
    times = 0

    async def compact(_: FloorStore) -> int:
        nonlocal times
        times += 1
        if times == 1:
            raise StoreFails("it is away")
        asked.set()
        return 0

    monkeypatch.setattr(module, "EVERY_S", 0)
    monkeypatch.setattr(module, "compact", compact)
    async with FloorStore.open(database, most=2) as store, compacting(store):
        await asyncio.wait_for(asked.wait(), PATIENCE_S)
    assert "not compacted: it is away" in caplog.text
