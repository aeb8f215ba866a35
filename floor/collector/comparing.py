"""Whether an old checkpoint is of the history that is stored: whoever has once read one can send it
again, and that says nothing of its table.

The rules:

- It is where its root is that of the stored entries up to its size. Where nobody can say that (not
  all stored, removed by age, altered) it is taken for another one: it is kept, and people decide.
- One is compared at a time, and the last :data:`KEPT` are remembered: of a large log it takes a
  part of a second. While :data:`WAITING` wait, who comes is told to come again.
"""

from __future__ import annotations

import asyncio
from typing import Final

from floor.collector.answers import BUSY
from floor.protocol.refusals import Refusal
from floor.store.store import FloorStore
from floor.store.tiles import mirrored_log

KEPT: Final = 1024
WAITING: Final = 4

_Old = tuple[str, int, bytes]


class OldCheckpoints:
    """Compares by what is in ``store``."""

    def __init__(self, store: FloorStore) -> None:
        self._store = store
        self._one = asyncio.Semaphore()
        self._waiting = 0
        self._same: dict[_Old, None] = {}

    async def same(self, origin: str, size: int, root: bytes) -> bool:
        """Whether the first ``size`` entries of the log have that root.

        Raises:
            Refusal: 503, too many are being compared. StoreFails.
        """
        old = origin, size, root
        if old in self._same:
            return True
        if self._waiting >= WAITING:
            raise Refusal(BUSY, f"too many old checkpoints at a time: send {origin}'s again")
        self._waiting += 1
        try:
            async with self._one:
                found = await self._root(origin, size) == root
        finally:
            self._waiting -= 1
        if found:
            self._same[old] = None
            if len(self._same) > KEPT:
                del self._same[next(iter(self._same))]
        return found

    async def _root(self, origin: str, size: int) -> bytes | None:
        async with self._store.connection() as connection:
            log = await mirrored_log(connection, origin)
            return None if log is None else await log.root(size)
