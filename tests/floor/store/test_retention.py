"""Gaming days: how many a log opens, whatever its clock says, since a table's key can sign any; old
ones are removed, and nothing else is."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import date, timedelta

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from psycopg import AsyncConnection

from floor.facts.rows import may_open
from floor.store import partitions, retention
from floor.store.bundles import UNDATED
from floor.store.checking import altered
from floor.store.failing import StoreFails
from floor.store.partitions import make_partition
from floor.store.repair import send_again
from floor.store.retention import removable, remove_before
from floor.store.store import FloorStore
from tests.floor.store.logs import DAY, ORIGIN, TABLE, execute, leaves, sent, stored
from tests.journal.helpers import KEY

LONG_PAST = date(2021, 3, 4)
FREE = 5


def past(number: int) -> date:
    return LONG_PAST + timedelta(days=number)


def days_of(database: str) -> list[date]:
    """Those of the first log's bundles, in their order; as often as there are bundles."""
    with psycopg.connect(database) as connection:
        rows = connection.execute("select day from floor.bundle where log = 1 order by first")
        return [one for (one,) in rows.fetchall()]


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A log opens few days."""
    monkeypatch.setattr(partitions, "FREE_DAYS", FREE)


@pytest.mark.needs("postgresql")
@pytest.mark.usefixtures("few")
async def test_a_log_opens_no_more_days_than_it_has_blocks_and_some(
    store: FloorStore, database: str
) -> None:
    for number in range(FREE + 4):
        await sent(store, number + 1, past(number))
    opened = [past(number) for number in range(FREE)]
    assert days_of(database) == [*opened, *[UNDATED] * 4]
    await sent(store, 3 * 256, past(0))
    for number in range(3):
        await sent(store, 3 * 256 + number + 1, past(100 + number))
    assert days_of(database)[-3:] == [past(100), past(101), UNDATED], "that one counts as one"
    assert await stored(store, 1 << 20) == leaves(0, 3 * 256 + 3)


@pytest.mark.needs("postgresql")
@pytest.mark.usefixtures("few")
async def test_days_that_are_near_or_there_count_however_many_a_log_has(
    store: FloorStore, database: str
) -> None:
    with psycopg.connect(database) as connection:
        row = connection.execute("select current_date").fetchone()
        assert row is not None
        today: date = row[0]
    for number in range(FREE):
        await sent(store, number + 1, past(number))
    await sent(store, FREE + 1, today)
    await sent(store, FREE + 2, today - timedelta(days=2))
    await sent(store, FREE + 3, today - timedelta(days=3))
    await sent(store, 1, past(50), "another")
    await sent(store, FREE + 4, past(50))
    assert days_of(database)[FREE:] == [today, today - timedelta(days=2), UNDATED, past(50)]


@pytest.mark.needs("postgresql")
@pytest.mark.usefixtures("few")
async def test_facts_open_the_days_that_entries_have_and_those_beside(store: FloorStore) -> None:
    today = past(100)
    await sent(store, 10, past(50))
    async with store.connection() as connection:
        opened = [n for n in range(-500, 200) if await may_open(connection, past(n), today)]
    assert opened == [49, 50, 51, *range(98, 103)]


OTHER = "table-controller/fedcba9876543210"


def day(number: int) -> date:
    return DAY + timedelta(days=number)


def opened_in(database: str) -> list[str]:
    with psycopg.connect(database) as connection:
        found = connection.execute(
            "select tablename from pg_tables where tablename like 'bundle!_%' escape '!' order by 1"
        )
        return [name for (name,) in found.fetchall()]


@pytest.mark.needs("postgresql")
async def test_old_days_go_and_the_rest_is_proven_as_before(
    store: FloorStore, database: str
) -> None:
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
    assert opened_in(database) == ["bundle_2026_11_22", "bundle_2026_11_23", "bundle_undated"]


@pytest.mark.needs("postgresql")
async def test_facts_of_the_day_go_with_it(store: FloorStore) -> None:
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
async def test_what_cannot_be_trusted_comes_again_from_the_first_entry(
    store: FloorStore, database: str
) -> None:
    """The nodes that were left of what was removed are altered: nothing can be proven by them."""
    for number, end in enumerate((300, 900)):
        await sent(store, end, day(number))
    assert await remove_before(store, day(1)) == [day(0)]
    execute(database, "update floor.block set hash = sha256('x') where number = 0")
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
async def test_a_clock_that_was_off_removes_nothing(store: FloorStore) -> None:
    """In the middle of a log stands an old day: removing it would leave a hole."""
    for end, when in ((100, day(2)), (200, day(-900)), (300, day(2))):
        await sent(store, end, when)
    assert await remove_before(store, day(1)) == []
    assert await remove_before(store, day(3)) == [day(-900), day(2)]


@pytest.mark.needs("postgresql")
@pytest.mark.parametrize("when", [date(1970, 1, 1), date(2999, 1, 1), date.max])
async def test_what_has_no_day_goes_with_what_is_around_it(
    store: FloorStore, database: str, when: date
) -> None:
    for end, at in ((100, when), (200, day(0)), (300, when), (400, day(1)), (500, when)):
        await sent(store, end, at)
    assert len(opened_in(database)) == 3
    assert await remove_before(store, day(1)) == [day(0)]
    assert await stored(store, 500, 200) == leaves(200, 500)
    with psycopg.connect(database) as connection:
        left = connection.execute("select first from floor.bundle where day = %s", [UNDATED])
        assert sorted(left.fetchall()) == [(200,), (256,), (400,)]


@pytest.mark.needs("postgresql")
async def test_whoever_writes_does_not_wait_for_a_removal(
    store: FloorStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "LOCK_WAIT", "50ms")
    monkeypatch.setattr(retention, "PAUSE_S", 0)
    monkeypatch.setattr(retention, "TRIES", 2)
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
    store: FloorStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Facts are written before the log's row is locked, and a removal locks the row first."""
    monkeypatch.setattr(retention, "LOCK_WAIT", "5s")
    monkeypatch.setattr(retention, "PAUSE_S", 0)
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
