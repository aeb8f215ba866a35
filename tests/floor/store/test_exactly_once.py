"""Each entry is stored once, whoever sends it and however often; nothing of what failed is."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from floor.store.checking import altered
from floor.store.compaction import compact
from floor.store.repair import send_again
from floor.store.store import FloorStore
from tests.floor.store.logs import (
    DAY,
    ORIGIN,
    TABLE,
    frontier_behind,
    leaves,
    pending,
    send,
    sent,
    stored,
)
from tests.journal.helpers import KEY

pytestmark = pytest.mark.needs("postgresql")


def stored_twice(database: str) -> list[tuple[int, int]]:
    """Bundles that begin before another one ends."""
    with psycopg.connect(database) as connection:
        return connection.execute(
            "select one.first, two.first from floor.bundle one join floor.bundle two"
            " on one.log = two.log and one.first <= two.first and one.ctid::text <> two.ctid::text"
            " and two.first < one.first + one.entries and one.tableoid = two.tableoid"
        ).fetchall()


async def test_many_who_send_the_same_store_it_once(database: str) -> None:
    """The same package by all of them, and overlapping ones: two boxes with one identity, or a
    proxy that doubles requests."""
    async with FloorStore.open(database, most=8) as store:
        for end in (40, 280, 300):
            await asyncio.gather(
                *(sent(store, end - ahead, DAY + timedelta(ahead % 2)) for ahead in range(20))
            )
        async with store.log(ORIGIN, TABLE) as log:
            assert (log.next_entry, log.frontier) == (300, frontier_behind(300))
        assert await stored(store, 400) == leaves(0, 300)
    assert stored_twice(database) == []


async def test_days_that_begin_at_all_tables_at_once_are_made_once(database: str) -> None:
    async with FloorStore.open(database, most=8) as store:
        for day in range(4):
            await asyncio.gather(
                *(
                    sent(store, (day + 1) * 7, DAY + timedelta(day), f"table-controller/{log:016x}")
                    for log in range(12)
                )
            )
        assert [mark.next_entry for mark in await store.watermarks()] == [28] * 12


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("sent"), st.integers(0, 400)),
        st.tuples(st.just("failed"), st.integers(0, 400)),
        st.tuples(st.just("killed"), st.integers(0, 400)),
        st.tuples(st.just("compacted"), st.just(0)),
        st.tuples(st.just("altered"), st.integers(0, 10)),
    ),
    max_size=12,
)


@settings(suppress_health_check=[*HealthCheck], max_examples=8)
@given(st.data())
def test_whatever_happens_the_log_is_its_tables(cluster_database: str, data: st.DataObject) -> None:
    """Over any course: uploads, uploads that fail half-way, sessions that are ended, compaction,
    and bundles that somebody alters and that are sent again."""
    asyncio.run(_course(cluster_database, data.draw(STEPS)))


async def _course(database: str, steps: list[tuple[str, int]]) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(
            "truncate floor.log, floor.checkpoint, floor.bundle, floor.span, floor.block,"
            " floor.altered, floor.refusal cascade"
        )
    end = 0
    async with FloorStore.open(database, most=3) as store:
        for step, number in steps:
            if step == "sent":
                end += number
                await sent(store, end)
            elif step in ("failed", "killed"):
                await _broken(store, end + number, killed=step == "killed")
            elif step == "compacted":
                await compact(store)
            else:
                await _altered(store, database, number, end)
        assert await stored(store, end + 1) == leaves(0, end)
        assert [one async for one in altered(store, ORIGIN, [KEY.public])] == []
    assert stored_twice(database) == []


async def _broken(store: FloorStore, end: int, *, killed: bool) -> None:
    """An upload that nobody hears the end of."""
    with pytest.raises(Exception, match=r"half-way|does not answer"):
        await _upload(store, end, killed=killed)


async def _upload(store: FloorStore, end: int, *, killed: bool) -> None:
    async with store.log(ORIGIN, TABLE) as log:
        await send(log, end)
        await pending(log)
        if killed:
            await log.connection.execute("select pg_terminate_backend(pg_backend_pid())")
        raise RuntimeError("half-way")


async def _altered(store: FloorStore, database: str, number: int, end: int) -> None:
    """One of the bundles is, and the table sends again what is named."""
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(
            "update floor.bundle set lines = 'x' where first = (select first from floor.bundle"
            " order by first offset %s limit 1)",
            [number],
        )
    async for place in altered(store, ORIGIN, [KEY.public]):
        assert await send_again(store, TABLE, place)
    await sent(store, end)
