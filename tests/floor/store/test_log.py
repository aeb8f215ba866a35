"""One log in the store: what is said of it is there again, and nothing else."""

from __future__ import annotations

import asyncio
from random import Random

import psycopg
import pytest

from controller.evidence.tree.merkle import EMPTY, leaf_hash, push
from floor.protocol.packages import BLOCK
from floor.protocol.uploads import MOST_ENTRY
from floor.store.locked_log import KEPT_TAKEN
from floor.store.standing import RoleStanding
from floor.store.store import FloorStore
from tests.floor.store.logs import (
    DAY,
    ORIGIN,
    TABLE,
    execute,
    frontier_behind,
    leaves,
    root_of,
    send,
    sent,
    stored,
)
from tests.witness.stock import PATIENCE_S

pytestmark = pytest.mark.needs("postgresql")


async def test_what_was_appended_is_read_in_order(store: FloorStore) -> None:
    for end in (21, 42, 250, 300, 1100):
        await sent(store, end)
    async with store.log(ORIGIN, TABLE) as log:
        assert log.next_entry == 1100
        assert log.frontier == frontier_behind(1100)
    assert await stored(store, 1100) == leaves(0, 1100)
    assert await stored(store, 301, 255) == leaves(255, 301)
    assert await stored(store, 2000, 1099) == leaves(1099, 1100)
    assert await stored(store, 5, 5) == []


async def test_a_bundle_of_the_longest_lines_is_written_at_once(store: FloorStore) -> None:
    """More than the socket to the database takes at a time."""
    random = Random(5)
    long = [b"%x" % random.getrandbits(4 * MOST_ENTRY) for _ in range(BLOCK)]
    nodes: list[tuple[int, bytes]] = []
    for leaf in long:
        push(nodes, leaf_hash(leaf))
    async with asyncio.timeout(20), store.log(ORIGIN, TABLE) as log:
        await log.append(long, nodes, DAY)
    assert await stored(store, BLOCK) == long


async def test_other_leaves_than_those_proven_are_not_stored(store: FloorStore) -> None:
    with pytest.raises(ValueError, match="not those that were proven"):
        async with store.log(ORIGIN, TABLE) as log:
            await log.append(leaves(0, 5), frontier_behind(6), DAY)
    assert await stored(store, 5) == []


async def test_a_leaf_of_two_lines_is_not_stored(store: FloorStore) -> None:
    async with store.log(ORIGIN, TABLE) as log:
        with pytest.raises(ValueError, match="newline"):
            await log.append([b"a\nb"], [(0, leaf_hash(b"a\nb"))], DAY)


async def test_the_last_pending_checkpoints_are_known(store: FloorStore) -> None:
    sizes = range(1, KEPT_TAKEN + 5)
    async with store.log(ORIGIN, TABLE) as log:
        await send(log, 30)
        for size in sizes:
            await log.stand("mirror", size, root_of(size), f"text {size}")
        assert log.standing("mirror") == (sizes[-1], root_of(sizes[-1]))
        assert await log.pending(4) is None
        assert await log.pending(5) == (root_of(5), "text 5")


async def test_the_mirrors_own_checkpoint_stays_known(store: FloorStore) -> None:
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


async def test_what_is_not_stored_is_not_cosigned(store: FloorStore) -> None:
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


@pytest.mark.parametrize("sizes", [(5, 10), (10, 5)], ids=["forth", "back"])
async def test_who_waits_for_the_row_sees_what_was_cosigned_meanwhile(
    store: FloorStore, database: str, sizes: tuple[int, int]
) -> None:
    async with store.log(ORIGIN, TABLE) as log:
        await send(log, 30)
        for size in (5, 10):
            await log.stand("mirror", size, root_of(size), f"text {size}")
    with psycopg.connect(database) as connection:
        connection.execute("select from floor.log for update")
        both = []
        for waits, size in enumerate(sizes, 1):
            both.append(asyncio.create_task(store.mirror(ORIGIN, size, root_of(size), "one")))
            await waiting(database, waits)
    assert await asyncio.gather(*both) == [True, sizes[1] == 10], "it would go back"
    asked = "select size from floor.checkpoint where role = 'mirror'"
    assert execute(database, asked) == [(10,)]
    async with store.log(ORIGIN, TABLE) as log:
        assert log.mirrored == 10


async def waiting(database: str, sessions: int) -> None:
    """Until so many wait for a lock."""
    asked = "select from pg_stat_activity where wait_event_type = 'Lock'"
    with psycopg.connect(database, autocommit=True) as connection:
        async with asyncio.timeout(PATIENCE_S):
            while connection.execute(asked).rowcount < sessions:
                await asyncio.sleep(0.01)


async def test_a_witness_shows_its_newest_checkpoint(store: FloorStore) -> None:
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


async def test_evidence_is_kept_once_and_counted(store: FloorStore, database: str) -> None:
    for _ in range(3):
        async with store.log(ORIGIN, TABLE) as log:
            await log.refused("mirror", 422, "another history", "the fork")
    async with store.log(ORIGIN, TABLE) as log:
        await log.refused("mirror", 409, "went back", "the fork")
    told = execute(database, "select status, times from floor.refusals order by 1")
    assert told == [(409, 1), (422, 3)]


async def test_evidence_does_not_fill_the_disk(
    store: FloorStore, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Old checkpoints, which come again without the log's key, leave forks their room."""
    monkeypatch.setattr("floor.store.locked_log.MOST_REFUSALS", 3)
    async with store.log(ORIGIN, TABLE) as log:
        for number in range(5):
            await log.refused("mirror", 409, "went back", f"old {number}")
        for number in (1, 2, 3, 4, 5, 1):
            await log.refused("mirror", 422, "another history", f"fork {number}")
    asked = "select text, times from floor.refusals where status = 422 order by 1"
    told = execute(database, asked)
    assert told == [("fork 1", 2), ("fork 2", 1), ("fork 3", 1)]


async def test_a_renamed_table_goes_on_with_its_log(store: FloorStore) -> None:
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
