"""Whether what is stored of a log is what its table signed; where it is not, which entries.

The rules:

- The node above each whole block is kept (``floor.block``). A block whose entries lead to another
  one was altered, and all others are known to be good.
- These nodes are a part of the log's frontier, and what comes behind the last whole block leads to
  the rest of it.
- The frontier leads to the root of a checkpoint that the table signed. Who altered all of them
  comes to another root: then nothing that is stored counts. A checkpoint that is larger covers what
  is still being uploaded; entries behind all of them are nobody's.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from psycopg import AsyncConnection

from controller.evidence.tree import merkle
from controller.evidence.tree.checkpoint import BadCheckpoint, Checkpoint, read_checkpoint
from controller.journal.keys import PublicKey
from floor.protocol.packages import BLOCK, LEVEL
from floor.store.blocks import block_hash, block_hashes, stack_behind, stack_of
from floor.store.log_row import frontier_of
from floor.store.reading import AlteredBundle
from floor.store.store import FloorStore

_LOG: Final = "select id, begins, next_entry, frontier from floor.log where origin = %s"

_SIGNED: Final = """
    select text from floor.checkpoint where log = %s order by size desc"""

NOT_SIGNED: Final = "are in no checkpoint that the table signed"
OTHERS: Final = "are others than those that were proven"


@dataclass(frozen=True, slots=True)
class AlteredEntries:
    """Entries ``[first, end)`` of the log ``origin`` are not as they were; ``words`` say how."""

    origin: str
    first: int
    end: int
    words: str

    def __str__(self) -> str:
        return f"{self.origin}: entries {self.first} to {self.end - 1} {self.words}"


async def altered(
    store: FloorStore, origin: str, keys: Iterable[PublicKey], parts: int = 1, part: int = 0
) -> AsyncIterator[AlteredEntries]:
    """What is wrong with a log whose checkpoints one of the ``keys`` signs, in order; all of it in
    one, from its first entry ever, where nothing can be trusted. Nothing is locked: it goes on
    beside play. Of its blocks each ``parts``-th is read, from number ``part`` on."""
    async with store.connection() as connection:
        log = await _read_log(connection, store, origin, [*keys])
    if log is None:
        return
    if words := await log.nothing_counts():
        yield AlteredEntries(origin, 0, log.next_entry, words)
        return
    covered = log.covered
    for number in range(-(-log.begins // BLOCK), covered // BLOCK):
        if number % parts != part:
            continue
        if words := await log.wrong_block(number):
            yield AlteredEntries(origin, number * BLOCK, (number + 1) * BLOCK, words)
    if covered < log.next_entry:
        yield AlteredEntries(origin, covered - covered % BLOCK, log.next_entry, NOT_SIGNED)
    elif words := await log.wrong_tail():
        yield AlteredEntries(origin, log.tail, log.next_entry, words)


async def _read_log(
    connection: AsyncConnection, store: FloorStore, origin: str, keys: list[PublicKey]
) -> _Log | None:
    found = await (await connection.execute(_LOG, [origin], binary=True)).fetchone()
    if found is None:
        return None
    number, begins, next_entry, frontier = found
    hashes = await block_hashes(connection, number, next_entry)
    texts = await (await connection.execute(_SIGNED, [number])).fetchall()
    return _Log(
        store,
        origin,
        begins,
        next_entry,
        frontier_of(next_entry, frontier),
        hashes,
        [*_signed([text for (text,) in texts], keys)],
    )


def _signed(texts: Iterable[str], keys: list[PublicKey]) -> Iterator[Checkpoint]:
    """Those of the checkpoints that are signed."""
    for text in texts:
        with suppress(BadCheckpoint):
            yield read_checkpoint(text, keys)


@dataclass(frozen=True, slots=True)
class _Log:
    """A log as it was at one moment: its row, the nodes above its blocks, and its checkpoints that
    are signed, the newest first."""

    store: FloorStore
    origin: str
    begins: int
    next_entry: int
    frontier: list[tuple[int, bytes]]
    hashes: list[bytes]
    checkpoints: list[Checkpoint]

    @property
    def covered(self) -> int:
        """The entries before are in the tree of a signed checkpoint."""
        return min(self.next_entry, max((one.size for one in self.checkpoints), default=0))

    @property
    def tail(self) -> int:
        """The first entry behind the last whole block."""
        return self.next_entry - self.next_entry % BLOCK

    async def nothing_counts(self) -> str:
        """Why none of it can be trusted; empty where some of it can."""
        if stack_of(self.hashes) != [part for part in self.frontier if part[0] >= LEVEL]:
            return "have other nodes above them than the log's frontier"
        newest = next((one for one in self.checkpoints if one.size <= self.next_entry), None)
        root = await self._root_at(newest.size) if newest else None
        if newest is None or root is None or root == newest.root:
            return ""
        return f"do not lead to the checkpoint of {newest.size} that was signed"

    async def wrong_block(self, number: int) -> str:
        """What is wrong with a whole block."""
        leaves = await self._leaves(number * BLOCK, (number + 1) * BLOCK)
        if isinstance(leaves, str):
            return leaves
        return "" if block_hash(leaves) == self.hashes[number] else OTHERS

    async def wrong_tail(self) -> str:
        """What is wrong behind the last whole block."""
        leaves = await self._leaves(max(self.tail, self.begins), self.next_entry)
        if isinstance(leaves, str) or self.begins > self.tail:
            return leaves if isinstance(leaves, str) else ""
        good = stack_behind(stack_of(self.hashes), leaves) == self.frontier
        return "" if good else OTHERS

    async def _root_at(self, size: int) -> bytes | None:
        """The root of the first so many entries; None where those of its last block are altered,
        which is told by itself, or were removed by age."""
        if size == self.next_entry:
            return merkle.joined(value for _, value in self.frontier)
        number, begin = size // BLOCK, size - size % BLOCK
        whole = number < len(self.hashes)
        wrong = await (self.wrong_block(number) if whole else self.wrong_tail())
        leaves = await self._leaves(begin, size)
        if wrong or isinstance(leaves, str) or begin < self.begins:
            return None
        stack = stack_behind(stack_of(self.hashes[:number]), leaves)
        return merkle.joined(value for _, value in stack)

    async def _leaves(self, first: int, end: int) -> list[bytes] | str:
        """Those entries; where they cannot be read, why."""
        try:
            leaves = [leaf async for leaf in self.store.leaves(self.origin, first, end)]
        except AlteredBundle as error:
            return error.words
        return leaves if len(leaves) == end - first else "are not all there"
