"""A log as a table has it, for the store: its leaves, and what is proven of them elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from controller.evidence.tree import merkle
from floor.store.locked_log import Frontier, LockedLog
from floor.store.store import FloorStore

ORIGIN = "table-controller/0123456789abcdef"
TABLE = "table-7"
DAY = date(2026, 11, 20)


def leaf(number: int) -> bytes:
    """The line of an entry, some as long as real ones."""
    return b'{"seq":%d,"type":"%s"}' % (number + 1, b"card" * (number % 30))


def leaves(first: int, end: int) -> list[bytes]:
    return [leaf(number) for number in range(first, end)]


def frontier_behind(size: int) -> Frontier:
    """The frontier of the first leaves."""
    stack: Frontier = []
    for number in range(size):
        merkle.push(stack, merkle.leaf_hash(leaf(number)))
    return stack


def root_of(size: int) -> bytes:
    return merkle.joined(value for _, value in frontier_behind(size))


async def send(log: LockedLog, end: int, day: date = DAY) -> None:
    """Append what is missing up to ``end``, as whoever proves it does."""
    lines = leaves(log.next_entry, end)
    stack = [*log.frontier]
    for line in lines:
        merkle.push(stack, merkle.leaf_hash(line))
    await log.append(lines, stack, day)


async def sent(store: FloorStore, end: int, day: date = DAY, origin: str = ORIGIN) -> None:
    """The same, in a transaction."""
    async with store.log(origin, TABLE) as log:
        await send(log, end, day)


async def stored(store: FloorStore, end: int, first: int = 0) -> Sequence[bytes]:
    return [line async for line in store.leaves(ORIGIN, first, end)]
