"""What is read of a log by whoever mirrors, checks or recovers it: entries of a block, and hashes.

The rules:

- Entries are handed out when they lead to what was proven when they came: the node above their
  block, or, behind the last whole block, the log's frontier. Others are
  :class:`~floor.store.reading.AlteredBundle`.
- Hashes above blocks are those that are kept. Who altered them comes to no root that was signed,
  which whoever reads them finds.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final

from psycopg import AsyncConnection

from controller.evidence.tree import merkle
from floor.protocol.packages import BLOCK, LEVEL
from floor.store.blocks import block_hash, block_hashes, stack_behind, stack_of
from floor.store.checking import OTHERS
from floor.store.log_row import frontier_of
from floor.store.reading import AlteredBundle, leaves_of

_LOG: Final = """
    select id, begins, next_entry, frontier, mirror_size from floor.log where origin = %s"""

_HASHES: Final = """
    select hash from floor.block where log = %s and number >= %s and number < %s order by number"""


@dataclass(frozen=True, slots=True)
class MirroredLog:
    """A log as it is read: entries ``[begins, mirrored)`` may be, those up to ``next_entry`` are
    stored."""

    connection: AsyncConnection
    id: int
    origin: str
    begins: int
    next_entry: int
    frontier: bytes
    mirrored: int

    async def entries(self, number: int, width: int) -> list[bytes]:
        """The first so many entries of a block, all of which is checked.

        Raises:
            AlteredBundle: they are not what they were, or not all there.
        """
        first, end = number * BLOCK, (number + 1) * BLOCK
        above = await self._above(number, number + 1)
        if not above:
            end = self.next_entry
        leaves = await leaves_of(self.connection, self.origin, first, end)
        if len(leaves) != end - first or len(leaves) < width:
            raise AlteredBundle(self.origin, first, end, "is not all there")
        good = block_hash(leaves) == above[0] if above else self._ends(leaves)
        if not good:
            raise AlteredBundle(self.origin, first, end, f"is altered: {OTHERS}")
        return leaves[:width]

    async def hashes(self, level: int, first: int, end: int) -> list[bytes]:
        """Those of the nodes ``[first, end)`` of a level above blocks, which counts in tiles: each
        is that of 256 of the level before it.

        Raises:
            AlteredBundle: one is missing.
        """
        step = 1 << LEVEL * (level - 1)
        kept = await self._above(first * step, end * step)
        if len(kept) != (end - first) * step:
            at = first * step * BLOCK
            raise AlteredBundle(self.origin, at, end * step * BLOCK, "lacks the hashes above it")
        stack: list[tuple[int, bytes]] = []
        found = []
        for value in kept:
            merkle.push(stack, value)
            if stack[0][0] == LEVEL * (level - 1):
                found.append(stack.pop()[1])
        return found

    async def root(self, size: int) -> bytes | None:
        """The root of the first ``size`` entries, as they are stored; None: nobody can say, for
        they are not all stored, were removed by age, or altered."""
        whole, rest = divmod(size, BLOCK)
        hashes = await block_hashes(self.connection, self.id, size)
        if size > self.next_entry or len(hashes) != whole:
            return None
        try:
            leaves = await self.entries(whole, rest) if rest else []
        except AlteredBundle:
            return None
        stack = await asyncio.to_thread(stack_of, hashes)  # a year of a table: 25,000 of them
        return merkle.joined(value for _, value in stack_behind(stack, leaves))

    async def _above(self, first: int, end: int) -> list[bytes]:
        rows = await self.connection.execute(_HASHES, [self.id, first, end], binary=True)
        return [value for (value,) in await rows.fetchall()]

    def _ends(self, leaves: list[bytes]) -> bool:
        """Whether these are what is stored behind the last whole block."""
        frontier = frontier_of(self.next_entry, self.frontier)
        return stack_behind([], leaves) == [part for part in frontier if part[0] < LEVEL]


async def mirrored_log(connection: AsyncConnection, origin: str) -> MirroredLog | None:
    """The log of that origin; None where nothing of it was ever taken."""
    row = await (await connection.execute(_LOG, [origin], binary=True)).fetchone()
    if row is None:
        return None
    number, begins, next_entry, frontier, mirrored = row
    return MirroredLog(connection, number, origin, begins, next_entry, frontier, mirrored)
