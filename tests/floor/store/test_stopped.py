"""A collector that is stopped, and not killed, holds up nobody for long."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest

from floor.store.failing import StoreFails
from floor.store.store import LOCK_S, FloorStore
from tests.floor.store.logs import ORIGIN, leaves, root_of, sent, stored
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
async def test_a_log_is_taken_from_who_is_stopped(database: str, how: str) -> None:
    async with FloorStore.open(database, most=2) as store:
        await sent(store, 10)
        with stopped(database, how):
            begun = time.monotonic()
            if how == "within":
                with pytest.raises(StoreFails, match="tried again"):
                    await sent(store, 20)
            await sent(store, 20)
            assert time.monotonic() - begun < 2 * LOCK_S
        assert await stored(store, 20) == leaves(0, 20)


async def test_the_mirrors_checkpoint_is_taken_from_who_is_stopped(database: str) -> None:
    async with FloorStore.open(database, most=2) as store:
        await sent(store, 10)
        with stopped(database, "within"):
            with pytest.raises(StoreFails, match="tried again"):
                await store.mirror(ORIGIN, 10, root_of(10), "again")
            assert await store.mirror(ORIGIN, 10, root_of(10), "again")


async def test_who_waits_for_the_same_row_is_not_ended(database: str) -> None:
    """Whoever has it is at work, for longer than others wait."""
    async with FloorStore.open(database, most=2) as store:
        await sent(store, 10)
        with psycopg.connect(database) as connection:
            connection.execute("select from floor.log for update")
            with pytest.raises(StoreFails, match="tried again"):
                await sent(store, 20)
            connection.execute("select 1")
