"""Whoever alters what is stored is found, the entries are named, and the table sends them again."""

from __future__ import annotations

import gzip
from collections.abc import Sequence

import psycopg
import pytest

from controller.evidence.tree.checkpoint import checkpoint_of
from controller.evidence.tree.merkle import joined
from floor.store.blocks import stack_behind
from floor.store.bundles import packed
from floor.store.checking import AlteredEntries, altered
from floor.store.compaction import compact
from floor.store.repair import send_again
from floor.store.store import FloorStore
from tests.floor.store.logs import (
    DAY,
    ORIGIN,
    TABLE,
    execute,
    frontier_behind,
    leaves,
    sent,
    stored,
)
from tests.journal.helpers import KEY, OTHER_KEY

pytestmark = pytest.mark.needs("postgresql")
ENTRIES = 1100


async def filled(store: FloorStore) -> None:
    for end in (100, 256, 600, ENTRIES):
        await sent(store, end)


async def found(store: FloorStore) -> list[AlteredEntries]:
    return [one async for one in altered(store, ORIGIN, [OTHER_KEY.public, KEY.public])]


def alter(database: str, statement: str, values: Sequence[object] = ()) -> None:
    with psycopg.connect(database) as connection:
        assert connection.execute(statement.encode(), values).rowcount > 0


def named(places: list[AlteredEntries]) -> list[tuple[int, int]]:
    return [(one.first, one.end) for one in places]


FORGED = packed([b'{"seq":1,"type":"forged"}', *leaves(257, 512)])


@pytest.mark.parametrize(
    ("statement", "place"),
    [
        pytest.param(
            f"update floor.bundle set lines = '\\x{FORGED.hex()}' where first = 256",
            (256, 512),
            id="one line",
        ),
        ("update floor.bundle set lines = 'x' where first = 256", (256, 512)),
        ("update floor.bundle set lines = substr(lines, 1, 90) where first = 256", (256, 512)),
        ("update floor.bundle set entries = 255 where first = 256", (256, 512)),
        ("delete from floor.bundle where first = 100", (0, 256)),
        ("delete from floor.bundle where first = 0", (0, 256)),
        ("update floor.bundle set lines = 'x' where first = 1024", (1024, ENTRIES)),
        ("delete from floor.bundle where first = 1024", (1024, ENTRIES)),
        ("update floor.bundle set first = first + 1 where first = 1024", (1024, ENTRIES)),
        ("update floor.block set hash = sha256('x') where number = 2", (0, ENTRIES)),
        ("delete from floor.block where number = 2", (0, ENTRIES)),
        ("update floor.log set frontier = substr(frontier, 1, 64)", (0, ENTRIES)),
        ("update floor.checkpoint set text = replace(text, '1100', '1099')", (512, ENTRIES)),
        ("update floor.checkpoint set text = replace(text, '00', '01')", (256, ENTRIES)),
        ("delete from floor.checkpoint", (0, ENTRIES)),
        ("update floor.bundle set day = '9999-12-31' where first = 256", (256, 512)),
        ("delete from floor.span", (0, 256)),
    ],
)
async def test_what_was_altered_is_named(
    store: FloorStore, database: str, statement: str, place: tuple[int, int]
) -> None:
    await filled(store)
    assert await found(store) == []
    alter(database, statement)
    assert place in named(await found(store))[:1]


async def test_a_part_of_the_blocks_is_read_at_a_time(store: FloorStore, database: str) -> None:
    await filled(store)
    alter(database, "update floor.bundle set lines = 'x' where first in (256, 512)")
    for part, place in enumerate([(512, 768), (256, 512)]):
        places = [one async for one in altered(store, ORIGIN, [KEY.public], 2, part)]
        assert named(places) == [place]


async def test_who_alters_the_nodes_too_does_not_have_the_tables_key(store: FloorStore) -> None:
    """All that is in the database is made anew for other entries, but for the signature."""
    async with store.log(ORIGIN, TABLE) as log:
        lines = [b"forged", *leaves(1, 100)]
        await log.append(lines, stack_behind([], lines), DAY)
        root = joined(value for _, value in frontier_behind(100))
        await log.stand("mirror", 100, root, checkpoint_of(KEY.public, 100, root).signed(KEY))
    (one,) = await found(store)
    assert (one.first, one.end) == (0, 100)
    assert "do not lead to the checkpoint of 100" in str(one)


async def test_a_checkpoint_of_another_key_counts_for_nothing(store: FloorStore) -> None:
    await filled(store)
    places = [one async for one in altered(store, ORIGIN, [OTHER_KEY.public])]
    assert named(places) == [(0, ENTRIES)]


async def test_an_altered_block_is_sent_again_and_the_log_goes_on(
    store: FloorStore, database: str
) -> None:
    await filled(store)
    await compact(store)
    alter(database, "update floor.bundle set lines = %s where first = 256", [FORGED])
    (place,) = await found(store)
    assert await send_again(store, TABLE, place)
    async with store.log(ORIGIN, TABLE) as log:
        assert (log.next_entry, log.frontier) == (256, frontier_behind(256))
        assert log.is_filling
    assert await stored(store, 300) == leaves(0, 256)
    await sent(store, 300)
    await sent(store, ENTRIES + 30)
    async with store.log(ORIGIN, TABLE) as log:
        assert not log.is_filling
        assert log.next_entry == ENTRIES + 30
    assert await stored(store, ENTRIES + 30) == leaves(0, ENTRIES + 30)
    assert await found(store) == []
    await compact(store)
    assert await found(store) == []
    kept = execute(database, "select first, lines from floor.altered")
    assert kept == [(256, FORGED)]
    assert gzip.decompress(kept[0][1]).startswith(b'{"seq":1,"type":"forged"}')


async def test_one_place_is_sent_again_at_a_time(store: FloorStore, database: str) -> None:
    await filled(store)
    alter(database, "update floor.bundle set lines = 'x' where first in (256, 512)")
    for first in (256, 512):
        places = await found(store)
        assert places[0].first == first
        assert await send_again(store, TABLE, places[0])
        assert not await send_again(store, TABLE, places[-1])
        await sent(store, ENTRIES)
    assert await found(store) == []


@pytest.mark.parametrize(
    "statement",
    [
        "update floor.bundle set lines = 'x' where first = 1024",
        "delete from floor.block",
        "delete from floor.bundle",
    ],
)
async def test_whatever_was_altered_the_table_brings_it_back(
    store: FloorStore, database: str, statement: str
) -> None:
    await filled(store)
    alter(database, statement)
    while places := await found(store):
        assert await send_again(store, TABLE, places[0])
        await sent(store, ENTRIES)
    assert await stored(store, ENTRIES) == leaves(0, ENTRIES)
