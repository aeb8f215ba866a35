"""Old gaming days are removed, and nothing else is."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import date, timedelta

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from psycopg import AsyncConnection

from floor.store import retention
from floor.store.bundles import UNDATED
from floor.store.checking import altered
from floor.store.failing import StoreFails
from floor.store.partitions import make_partition
from floor.store.repair import send_again
from floor.store.retention import removable, remove_before
from floor.store.store import FloorStore
from tests.floor.store.logs import DAY, ORIGIN, TABLE, leaves, sent, stored
from tests.journal.helpers import KEY

OTHER = "table-controller/fedcba9876543210"


def day(number: int) -> date:
    return DAY + timedelta(days=number)


def partitions(database: str) -> list[str]:
    with psycopg.connect(database) as connection:
        found = connection.execute(
            "select tablename from pg_tables where tablename like 'bundle!_%' escape '!' order by 1"
        )
        return [name for (name,) in found.fetchall()]


@pytest.mark.needs("postgresql")
async def test_old_days_go_and_the_rest_is_proven_as_before(database: str) -> None:
    async with FloorStore.open(database, most=2) as store:
        for number, end in enumerate((200, 500, 900)):
            await sent(store, end, day(number))
        await sent(store, 50, day(0), OTHER)
        assert await remove_before(store, day(2)) == [day(0), day(1)]
        mark = await store.watermark(ORIGIN)
        assert mark is not None
        assert (mark.begins, mark.next_entry) == (500, 900)
        assert await stored(store, 900, 500) == leaves(500, 900)
        assert [one async for one in altered(store, ORIGIN, [KEY.public])] == []
        await sent(store, 1000, day(3))
        assert [one async for one in altered(store, ORIGIN, [KEY.public])] == []
        assert await remove_before(store, day(2)) == []
    assert partitions(database) == ["bundle_2026_11_22", "bundle_2026_11_23", "bundle_undated"]


@pytest.mark.needs("postgresql")
async def test_facts_of_the_day_go_with_it(database: str) -> None:
    async with FloorStore.open(database, most=2) as store:
        await sent(store, 10, day(0))
        await sent(store, 20, day(1))
        async with store.connection() as connection:
            for table in ("round", "settlement", "draw"):
                for when in (day(0), day(1)):
                    await make_partition(connection, table, when, "floor_facts")
        assert await remove_before(store, day(1)) == [day(0)]
        async with store.connection() as connection:
            left = await connection.execute(
                "select tablename from pg_tables where tablename like '%2026%' order by 1"
            )
            assert [name for (name,) in await left.fetchall()] == [
                f"{table}_2026_11_21" for table in ("bundle", "draw", "round", "settlement")
            ]


@pytest.mark.needs("postgresql")
async def test_what_cannot_be_trusted_comes_again_from_the_first_entry(database: str) -> None:
    """The nodes that were left of what was removed are altered: nothing can be proven by them."""
    async with FloorStore.open(database, most=2) as store:
        for number, end in enumerate((300, 900)):
            await sent(store, end, day(number))
        assert await remove_before(store, day(1)) == [day(0)]
        with psycopg.connect(database) as connection:
            connection.execute("update floor.block set hash = sha256('x') where number = 0")
        (place,) = [one async for one in altered(store, ORIGIN, [KEY.public])]
        assert (place.first, place.end) == (0, 900)
        assert await send_again(store, TABLE, place)
        await sent(store, 900, day(1))
        assert await stored(store, 900) == leaves(0, 900)
        mark = await store.watermark(ORIGIN)
        assert mark is not None
        assert mark.begins == 0
        assert [one async for one in altered(store, ORIGIN, [KEY.public])] == []


@pytest.mark.needs("postgresql")
async def test_a_clock_that_was_off_removes_nothing(database: str) -> None:
    """In the middle of a log stands an old day: removing it would leave a hole."""
    async with FloorStore.open(database, most=2) as store:
        for end, when in ((100, day(2)), (200, day(-900)), (300, day(2))):
            await sent(store, end, when)
        assert await remove_before(store, day(1)) == []
        assert await remove_before(store, day(3)) == [day(-900), day(2)]


@pytest.mark.needs("postgresql")
@pytest.mark.parametrize("when", [date(1970, 1, 1), date(2999, 1, 1), date.max])
async def test_what_has_no_day_goes_with_what_is_around_it(database: str, when: date) -> None:
    async with FloorStore.open(database, most=2) as store:
        for end, at in ((100, when), (200, day(0)), (300, when), (400, day(1)), (500, when)):
            await sent(store, end, at)
        assert len(partitions(database)) == 3
        assert await remove_before(store, day(1)) == [day(0)]
        assert await stored(store, 500, 200) == leaves(200, 500)
    with psycopg.connect(database) as connection:
        left = connection.execute("select first from floor.bundle where day = %s", [UNDATED])
        assert sorted(left.fetchall()) == [(200,), (256,), (400,)]


@pytest.mark.needs("postgresql")
async def test_whoever_writes_does_not_wait_for_a_removal(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "LOCK_WAIT", "50ms")
    monkeypatch.setattr(retention, "PAUSE_S", 0)
    monkeypatch.setattr(retention, "TRIES", 2)
    async with FloorStore.open(database, most=3) as store:
        await sent(store, 10, day(0))
        await sent(store, 20, day(1))
        async with store.connection() as reading:
            await reading.execute("select from floor.bundle")
            with pytest.raises(StoreFails, match="somebody reads it all the time"):
                await remove_before(store, day(1))
        assert await remove_before(store, day(1)) == [day(0)]


@given(st.data())
def test_what_is_removed_is_the_beginning_of_every_log(data: st.DataObject) -> None:
    """Whatever the clocks did: behind what is kept nothing is removed."""
    logs = data.draw(st.lists(st.lists(st.integers(0, 5), min_size=1, max_size=8), max_size=3))
    spans = []
    for log, days in enumerate(logs):
        for number in set(days):
            places = [at for at, one in enumerate(days) if one == number]
            spans.append((log, day(number), places[0], places[-1] + 1))
    before = day(data.draw(st.integers(0, 6)))
    gone = removable(spans, before)
    assert all(one < before for one in gone)
    for days in logs:
        kept = [day(one) not in gone for one in days]
        assert sorted(kept) == kept
    if all(sorted(days) == days for days in logs):
        assert gone == {day(one) for days in logs for one in days if day(one) < before}


@pytest.mark.needs("postgresql")
async def test_a_removal_and_a_writer_of_facts_who_meet_both_get_done(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Facts are written before the log's row is locked, and a removal locks the row first."""
    monkeypatch.setattr(retention, "LOCK_WAIT", "5s")
    monkeypatch.setattr(retention, "PAUSE_S", 0)
    async with FloorStore.open(database, most=4) as store:
        await sent(store, 10, day(0))
        await sent(store, 20, day(1))
        async with store.connection() as connection:
            await make_partition(connection, "draw", day(0), "floor_facts")
        removing = None
        with suppress(StoreFails):
            async with store.connection() as writing:
                await writing.execute("lock table floor_facts.draw in row exclusive mode")
                removing = asyncio.create_task(remove_before(store, day(1)))
                while not await _somebody_waits(writing):
                    await asyncio.sleep(0)
                await writing.execute("update floor.log set facts_upto = 20")
        assert removing is not None
        assert await removing == [day(0)]


async def _somebody_waits(connection: AsyncConnection) -> bool:
    waiting = await connection.execute("select from pg_locks where not granted")
    return await waiting.fetchone() is not None
