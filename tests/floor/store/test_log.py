"""One log in the store: what is said of it is there again, and nothing else."""

from __future__ import annotations

import asyncio
from random import Random

import psycopg
import pytest

from controller.evidence.tree.merkle import EMPTY, leaf_hash, push
from floor.protocol.packages import BLOCK
from floor.protocol.uploads import MOST_ENTRY
from floor.store.failing import StoreFails
from floor.store.locked_log import KEPT_TAKEN, MOST_REFUSALS
from floor.store.standing import RoleStanding
from floor.store.store import FloorStore
from tests.floor.store.logs import (
    DAY,
    ORIGIN,
    TABLE,
    frontier_behind,
    leaves,
    root_of,
    send,
    sent,
    stored,
)
from tests.witness.stock import PATIENCE_S

pytestmark = pytest.mark.needs("postgresql")


async def test_a_log_that_nobody_knew_stands_at_nothing(database: str) -> None:
    async with FloorStore.open(database, most=2) as store:
        assert await store.watermark(ORIGIN) is None
        async with store.log(ORIGIN, TABLE) as log:
            assert log.standing("witness") == log.standing("mirror") == (0, EMPTY)
            assert (log.next_entry, log.frontier, log.mirrored) == (0, [], 0)
            assert await log.pending(0) is None
        assert [mark.table_name for mark in await store.watermarks()] == [TABLE]


async def test_what_was_appended_is_read_in_order(database: str) -> None:
    async with FloorStore.open(database, most=2) as store:
        for end in (21, 42, 250, 300, 1100):
            await sent(store, end)
        async with store.log(ORIGIN, TABLE) as log:
            assert log.next_entry == 1100
            assert log.frontier == frontier_behind(1100)
        assert await stored(store, 1100) == leaves(0, 1100)
        assert await stored(store, 301, 255) == leaves(255, 301)
        assert await stored(store, 2000, 1099) == leaves(1099, 1100)
        assert await stored(store, 5, 5) == []


async def test_a_bundle_of_the_longest_lines_is_written_at_once(database: str) -> None:
    """More than the socket to the database takes at a time."""
    random = Random(5)
    long = [b"%x" % random.getrandbits(4 * MOST_ENTRY) for _ in range(BLOCK)]
    nodes: list[tuple[int, bytes]] = []
    for leaf in long:
        push(nodes, leaf_hash(leaf))
    async with FloorStore.open(database, most=2) as store:
        async with asyncio.timeout(20), store.log(ORIGIN, TABLE) as log:
            await log.append(long, nodes, DAY)
        assert await stored(store, BLOCK) == long


async def test_what_fails_leaves_nothing(database: str) -> None:
    async with FloorStore.open(database, most=2) as store:
        await sent(store, 10)
        with pytest.raises(ZeroDivisionError):
            await _fail_within(store)
        async with store.log(ORIGIN, TABLE) as log:
            assert log.next_entry == 10
            assert log.standing("mirror") == (10, root_of(10))
        assert await stored(store, 600) == leaves(0, 10)


async def _fail_within(store: FloorStore) -> None:
    async with store.log(ORIGIN, TABLE) as log:
        await send(log, 600)
        await log.stand("mirror", 600, root_of(600), "text")
        raise ZeroDivisionError


async def test_other_leaves_than_those_proven_are_not_stored(database: str) -> None:
    async with FloorStore.open(database, most=2) as store:
        with pytest.raises(ValueError, match="not those that were proven"):
            async with store.log(ORIGIN, TABLE) as log:
                await log.append(leaves(0, 5), frontier_behind(6), DAY)
        assert await stored(store, 5) == []


async def test_a_leaf_of_two_lines_is_not_stored(database: str) -> None:
    async with FloorStore.open(database, most=2) as store, store.log(ORIGIN, TABLE) as log:
        with pytest.raises(ValueError, match="newline"):
            await log.append([b"a\nb"], [(0, leaf_hash(b"a\nb"))], DAY)


async def test_the_last_pending_checkpoints_are_known(database: str) -> None:
    sizes = range(1, KEPT_TAKEN + 5)
    async with FloorStore.open(database, most=2) as store, store.log(ORIGIN, TABLE) as log:
        await send(log, 30)
        for size in sizes:
            await log.stand("mirror", size, root_of(size), f"text {size}")
        assert log.standing("mirror") == (sizes[-1], root_of(sizes[-1]))
        assert await log.pending(4) is None
        assert await log.pending(5) == (root_of(5), "text 5")


async def test_the_mirrors_own_checkpoint_stays_known(database: str) -> None:
    async with FloorStore.open(database, most=2) as store:
        async with store.log(ORIGIN, TABLE) as log:
            await send(log, 30)
            await log.stand("mirror", 2, root_of(2), "two")
        assert await store.mirror(ORIGIN, 2, root_of(2), "two, cosigned")
        async with store.log(ORIGIN, TABLE) as log:
            for size in range(3, 30):
                await log.stand("mirror", size, root_of(size), "more")
            assert log.mirrored == 2
            assert await log.pending(2) == (root_of(2), "two, cosigned")
        assert await store.cosigned(ORIGIN, "mirror") == "two, cosigned"
        assert await store.cosigned(ORIGIN, "witness") is None


async def test_what_is_not_stored_is_not_cosigned(database: str) -> None:
    async with FloorStore.open(database, most=2) as store:
        async with store.log(ORIGIN, TABLE) as log:
            await send(log, 30)
            for size in (20, 25, 31):
                await log.stand("mirror", size, root_of(size), f"text {size}")
        assert not await store.mirror(ORIGIN, 30, root_of(30), "nobody took it")
        assert not await store.mirror(ORIGIN, 31, root_of(31), "an entry is missing")
        assert not await store.mirror(ORIGIN, 25, root_of(24), "another came in its place")
        assert not await store.mirror("another", 20, root_of(20), "nobody knows it")
        assert await store.mirror(ORIGIN, 25, root_of(25), "25, cosigned")
        assert not await store.mirror(ORIGIN, 20, root_of(20), "it would go back")
        assert await store.mirror(ORIGIN, 25, root_of(25), "25, cosigned again")
        assert await store.cosigned(ORIGIN, "mirror") == "25, cosigned again"
        async with store.log(ORIGIN, TABLE) as log:
            assert log.mirrored == 25


async def test_the_mirror_never_goes_back_however_many_cosign_at_once(database: str) -> None:
    sizes = [*range(1, KEPT_TAKEN + 1)]
    async with FloorStore.open(database, most=8) as store:
        async with store.log(ORIGIN, TABLE) as log:
            await send(log, 30)
            for size in sizes:
                await log.stand("mirror", size, root_of(size), f"text {size}")
        for seed in range(5):
            Random(seed).shuffle(sizes)
            await asyncio.gather(
                *(store.mirror(ORIGIN, size, root_of(size), f"{size}") for size in sizes)
            )
            async with store.log(ORIGIN, TABLE) as log:
                assert log.mirrored == KEPT_TAKEN
            assert await store.cosigned(ORIGIN, "mirror") == f"{KEPT_TAKEN}"
            with psycopg.connect(database) as connection:
                rows = connection.execute("select size from floor.checkpoint where role = 'mirror'")
                assert rows.fetchall() == [(KEPT_TAKEN,)]
                connection.execute("update floor.log set mirror_size = 0")


async def test_who_waits_for_the_row_sees_what_was_cosigned_meanwhile(database: str) -> None:
    async with FloorStore.open(database, most=2) as store:
        async with store.log(ORIGIN, TABLE) as log:
            await send(log, 30)
            for size in (5, 10):
                await log.stand("mirror", size, root_of(size), f"text {size}")
        with psycopg.connect(database) as connection:
            connection.execute("select from floor.log for update")
            first = asyncio.create_task(store.mirror(ORIGIN, 5, root_of(5), "5"))
            await waiting(database, 1)
            second = asyncio.create_task(store.mirror(ORIGIN, 10, root_of(10), "10"))
            await waiting(database, 2)
        assert all(await asyncio.gather(first, second))
    with psycopg.connect(database) as connection:
        rows = connection.execute("select size from floor.checkpoint where role = 'mirror'")
        assert rows.fetchall() == [(10,)]


async def waiting(database: str, sessions: int) -> None:
    """Until so many wait for a lock."""
    asked = "select from pg_stat_activity where wait_event_type = 'Lock'"
    with psycopg.connect(database, autocommit=True) as connection:
        async with asyncio.timeout(PATIENCE_S):
            while connection.execute(asked).rowcount < sessions:
                await asyncio.sleep(0.01)


async def test_a_witness_shows_its_newest_checkpoint(database: str) -> None:
    async with FloorStore.open(database, most=2) as store:
        for size in (4, 9):
            async with store.log(ORIGIN, TABLE) as log:
                await log.stand("witness", size, root_of(size), f"of {size}")
        async with store.log(ORIGIN, TABLE) as log:
            assert log.standing("witness") == (9, root_of(9))
            assert log.standing("mirror") == (0, EMPTY)
            assert await log.pending(9) is None
        old = await store.standing(ORIGIN, "witness", 4, root_of(4))
        assert old == RoleStanding(9, root_of(9), ["witness"])
        assert await store.standing(ORIGIN, "mirror", 4, root_of(9)) == RoleStanding()
        assert await store.standing("another", "witness", 4, root_of(4)) == RoleStanding()
        assert await store.cosigned_again(ORIGIN, 9, root_of(9), "again")
        assert not await store.cosigned_again(ORIGIN, 9, root_of(4), "another one")
        assert await store.cosigned(ORIGIN, "witness") == "again"


async def test_evidence_is_kept_once_and_counted(database: str) -> None:
    async with FloorStore.open(database, most=2) as store:
        for _ in range(3):
            async with store.log(ORIGIN, TABLE) as log:
                await log.refused("mirror", 422, "another history", "the fork")
        async with store.log(ORIGIN, TABLE) as log:
            await log.refused("mirror", 409, "went back", "the fork")
    with psycopg.connect(database) as connection:
        told = connection.execute("select status, times from floor.refusals order by 1").fetchall()
    assert told == [(409, 1), (422, 3)]


async def test_evidence_does_not_fill_the_disk(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("floor.store.locked_log.MOST_REFUSALS", 3)
    assert MOST_REFUSALS > 3
    async with FloorStore.open(database, most=2) as store, store.log(ORIGIN, TABLE) as log:
        for number in (1, 2, 3, 4, 5, 1):
            await log.refused("mirror", 422, "another history", f"fork {number}")
    with psycopg.connect(database) as connection:
        told = connection.execute("select text, times from floor.refusals order by 1").fetchall()
    assert told == [("fork 1", 2), ("fork 2", 1), ("fork 3", 1)]


async def test_old_checkpoints_that_come_again_leave_a_fork_its_room(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("floor.store.locked_log.MOST_REFUSALS", 3)
    async with FloorStore.open(database, most=2) as store, store.log(ORIGIN, TABLE) as log:
        for number in range(5):
            await log.refused("mirror", 409, "went back", f"old {number}")
        await log.refused("mirror", 422, "another history", "the fork")
    with psycopg.connect(database) as connection:
        told = connection.execute("select text from floor.refusals where status = 422").fetchall()
    assert told == [("the fork",)]


async def test_a_renamed_table_goes_on_with_its_log(database: str) -> None:
    async with FloorStore.open(database, most=2) as store:
        await sent(store, 5)
        async with store.log(ORIGIN, "table-8") as log:
            await send(log, 6)
        mark = await store.watermark(ORIGIN)
        assert mark is not None
        assert (mark.table_name, mark.next_entry) == ("table-8", 6)
        assert mark.stored_at is not None


async def test_a_session_waits_for_the_disk_whatever_the_server_does(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        name = connection.info.dbname
        connection.execute(f"alter database {name} set synchronous_commit = off".encode())
    async with FloorStore.open(database, most=2) as store, store.connection() as connected:
        told = await (await connected.execute("show synchronous_commit")).fetchone()
    assert told == ("on",)


async def test_what_the_database_says_comes_with_what_to_do(empty_database: str) -> None:
    with pytest.raises(StoreFails, match="'table-floor init'"):
        async with FloorStore.open(empty_database, most=2):
            pass


async def test_a_database_that_is_away_says_so() -> None:
    with pytest.raises(StoreFails, match="see that it runs"):
        async with FloorStore.open("host=/nonexistent dbname=floor", most=2):
            pass
