"""Each entry is stored once, whoever sends it and however often; nothing of what failed is; and who
is stopped, and not killed, holds up nobody for long."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from floor.store.checking import altered
from floor.store.compaction import compact
from floor.store.failing import StoreFails
from floor.store.repair import send_again
from floor.store.store import LOCK_S, FloorStore
from tests.floor.store.logs import (
    DAY,
    ORIGIN,
    TABLE,
    execute,
    frontier_behind,
    leaves,
    pending,
    root_of,
    send,
    sent,
    stored,
)
from tests.journal.helpers import KEY
from tests.witness.stock import until

pytestmark = pytest.mark.needs("postgresql")


@contextmanager
def stopped(database: str, how: str) -> Iterator[None]:
    """A process that is stopped while it has the log's row."""
    process = subprocess.Popen([sys.executable, "-m", "tests.floor.store.holder", database, how])
    try:
        _, status = os.waitpid(process.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status)
        with psycopg.connect(database, autocommit=True) as connection:
            lock = "select from floor.log for update skip locked"
            until(lambda: connection.execute(lock).rowcount == 0, "it has the row")
        yield
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()


@pytest.mark.parametrize("how", ["between", "within"])
async def test_a_log_is_taken_from_who_is_stopped(
    store: FloorStore, database: str, how: str
) -> None:
    await sent(store, 10)
    with stopped(database, how):
        begun = time.monotonic()
        if how == "within":
            with pytest.raises(StoreFails, match="tried again"):
                await sent(store, 20)
        await sent(store, 20)
        assert time.monotonic() - begun < 2 * LOCK_S
    assert await stored(store, 20) == leaves(0, 20)


async def test_the_mirrors_checkpoint_is_taken_from_who_is_stopped(
    store: FloorStore, database: str
) -> None:
    await sent(store, 10)
    with stopped(database, "within"):
        with pytest.raises(StoreFails, match="tried again"):
            await store.mirror(ORIGIN, 10, root_of(10), "again")
        assert await store.mirror(ORIGIN, 10, root_of(10), "again")


async def test_who_waits_for_the_same_row_is_not_ended(store: FloorStore, database: str) -> None:
    """Whoever has it is at work, for longer than others wait."""
    await sent(store, 10)
    with psycopg.connect(database) as connection:
        connection.execute("select from floor.log for update")
        with pytest.raises(StoreFails, match="tried again"):
            await sent(store, 20)
        connection.execute("select 1")


def stored_twice(database: str) -> list[tuple[int, int]]:
    """Bundles that begin before another one ends."""
    return execute(
        database,
        "select one.first, two.first from floor.bundle one join floor.bundle two"
        " on one.log = two.log and one.first <= two.first and one.ctid::text <> two.ctid::text"
        " and two.first < one.first + one.entries and one.tableoid = two.tableoid",
    )


async def test_many_who_send_the_same_store_it_once(store: FloorStore, database: str) -> None:
    """The same package by all of them, and overlapping ones: two boxes with one identity, or a
    proxy that doubles requests."""
    for end in (40, 280, 300):
        await asyncio.gather(
            *(sent(store, end - ahead, DAY + timedelta(ahead % 2)) for ahead in range(20))
        )
    async with store.log(ORIGIN, TABLE) as log:
        assert (log.next_entry, log.frontier) == (300, frontier_behind(300))
    assert await stored(store, 400) == leaves(0, 300)
    assert stored_twice(database) == []


async def test_days_that_begin_at_all_tables_at_once_are_made_once(store: FloorStore) -> None:
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


@settings(suppress_health_check=[*HealthCheck], max_examples=settings().max_examples // 2)
@given(st.data())
def test_whatever_happens_the_log_is_its_tables(cluster_database: str, data: st.DataObject) -> None:
    """Over any course: uploads, uploads that fail half-way, sessions that are ended, compaction,
    and bundles that somebody alters and that are sent again."""
    asyncio.run(_course(cluster_database, data.draw(STEPS)))


async def _course(database: str, steps: list[tuple[str, int]]) -> None:
    execute(
        database,
        "truncate floor.log, floor.checkpoint, floor.bundle, floor.span, floor.block,"
        " floor.altered, floor.refusal cascade",
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
    execute(
        database,
        "update floor.bundle set lines = 'x' where first = (select first from floor.bundle"
        " order by first offset %s limit 1)",
        [number],
    )
    async for place in altered(store, ORIGIN, [KEY.public]):
        assert await send_again(store, TABLE, place)
    await sent(store, end)
