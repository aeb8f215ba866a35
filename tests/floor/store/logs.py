"""A log as a table has it, for the store: its leaves, and what is proven of them elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

import psycopg

from controller.evidence.tree import merkle
from controller.evidence.tree.checkpoint import checkpoint_of, name_of
from floor.protocol.packages import BLOCK, Frontier
from floor.store.blocks import stack_behind
from floor.store.locked_log import LockedLog
from floor.store.store import FloorStore
from tests.journal.helpers import KEY

ORIGIN = name_of(KEY.public)
TABLE = "table-7"
DAY = date(2026, 11, 20)


def execute(database: str, statement: str, values: Sequence[object] = ()) -> list[Any]:
    """Execute a statement in a session of its own; the rows that it gives."""
    with psycopg.connect(database, autocommit=True) as connection:
        told = connection.execute(statement.encode(), values or None)
        return told.fetchall() if told.description else []


def leaf(number: int) -> bytes:
    """The line of an entry, some as long as real ones."""
    return b'{"seq":%d,"type":"%s"}' % (number + 1, b"card" * (number % 30))


def leaves(first: int, end: int) -> list[bytes]:
    return [leaf(number) for number in range(first, end)]


def frontier_behind(size: int) -> Frontier:
    """The frontier of the first leaves."""
    stack: list[tuple[int, bytes]] = []
    for number in range(size):
        merkle.push(stack, merkle.leaf_hash(leaf(number)))
    return stack


def root_of(size: int) -> bytes:
    return merkle.joined(value for _, value in frontier_behind(size))


async def pending(log: LockedLog) -> tuple[int, bytes, str]:
    """The mirror takes the checkpoint of all that is stored; its size, root and text."""
    size, root = log.next_entry, merkle.joined(value for _, value in log.frontier)
    text = checkpoint_of(KEY.public, size, root).signed(KEY)
    await log.stand("mirror", size, root, text)
    return size, root, text


async def send(log: LockedLog, end: int, day: date = DAY) -> None:
    """Append what is missing up to ``end``, package by package, as whoever proves it does."""
    while log.next_entry < end:
        first = log.next_entry
        lines = leaves(first, min(end, first - first % BLOCK + BLOCK))
        await log.append(lines, stack_behind(log.frontier, lines), day)


async def sent(store: FloorStore, end: int, day: date = DAY, origin: str = ORIGIN) -> None:
    """The same, in a transaction; then the mirror cosigns it."""
    async with store.log(origin, TABLE) as log:
        await send(log, end, day)
        checkpoint = await pending(log)
    await store.mirror(origin, *checkpoint)


async def stored(store: FloorStore, end: int, first: int = 0) -> Sequence[bytes]:
    return [line async for line in store.leaves(ORIGIN, first, end)]
