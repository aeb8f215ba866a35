"""``add-checkpoint``, of a witness and of a mirror (C2SP tlog-witness, tlog-mirror).

The rules:

- The log's row is locked only for a checkpoint that the log has signed and that goes on from where
  it stands, or contradicts it, and until it is stored. What comes again is answered without.
- A witness cosigns, and its answer waits for the commit. A mirror only remembers the checkpoint as
  one that entries may be uploaded to, and answers nothing.
- What contradicts what is held is kept as evidence, with the answer.
- An old checkpoint is no contradiction where its root is that of the stored entries up to its size:
  whoever has once read one can send it again, and that says nothing of its table. Where nobody can
  say so (not all stored, removed by age, altered) it is kept, and people decide.
- One old checkpoint is compared at a time, and the last :data:`KEPT` are remembered: of a large log
  it takes a part of a second. While :data:`WAITING` wait, who comes is told to come again."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from floor.collector.keys import Cosigner
from floor.collector.known import KnownLogs, key_of
from floor.protocol.answers import BUSY, Refusal
from floor.protocol.checkpoints import (
    AddCheckpoint,
    HeldCheckpoint,
    SignedCheckpoint,
    extends,
    read_submission,
    signed,
)
from floor.store.locked_log import Role
from floor.store.standing import RoleStanding
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


class CheckpointTaker:
    """Takes checkpoints in one role; ``cosigner`` is None for the mirror, which cosigns no pending
    one."""

    def __init__(
        self,
        store: FloorStore,
        logs: KnownLogs,
        role: Role,
        cosigner: Cosigner | None,
    ) -> None:
        self._store = store
        self._logs = logs
        self.role: Final[Role] = role
        self._cosigner = cosigner
        self._old = OldCheckpoints(store)

    async def take_checkpoint(self, body: bytes) -> str:
        """The answer's body.

        Raises:
            Refusal: it is not taken. StoreFails.
        """
        asked = read_submission(body)
        log = self._logs.get(asked.origin)
        new = signed(asked, None if log is None else key_of(log))
        assert log is not None
        while True:
            seen = await self._store.standing(new.origin, self.role, new.size, new.root)
            held = HeldCheckpoint(seen.size, seen.root)
            refusal = _refusal(new, asked, held)
            if refusal is not None and not await self._is_evidence(refusal, new, seen):
                raise refusal
            if refusal is None and (new.size, new.root) == (held.size, held.root):
                lines = await self._repeated_answer(new, seen)
                if lines is not None:
                    return lines
            async with self._store.log(new.origin, log.table) as row:
                if HeldCheckpoint(*row.standing(self.role)) != held:
                    continue  # somebody was quicker: it is another question now
                if refusal is None:
                    lines = self._cosigned(new)
                    await row.stand(self.role, new.size, new.root, new.text + lines)
                    return lines
                await row.refused(self.role, refusal.status, str(refusal), new.text)
            raise refusal

    async def _is_evidence(
        self, refusal: Refusal, new: SignedCheckpoint, seen: RoleStanding
    ) -> bool:
        """Whether what is refused contradicts what is held."""
        if not refusal.evidence or seen.taken_as:
            return False
        return new.size >= seen.size or not await self._old.same(new.origin, new.size, new.root)

    async def _repeated_answer(self, new: SignedCheckpoint, seen: RoleStanding) -> str | None:
        """The answer where it is held already; None: that of no entries was never taken."""
        if self._cosigner is None:
            return "" if "pending" in seen.taken_as else None
        lines = self._cosigned(new)
        known = await self._store.cosigned_again(new.origin, new.size, new.root, new.text + lines)
        return lines if known else None

    def _cosigned(self, new: SignedCheckpoint) -> str:
        return "" if self._cosigner is None else self._cosigner.cosigns(new.note, int(time.time()))


def _refusal(new: SignedCheckpoint, asked: AddCheckpoint, held: HeldCheckpoint) -> Refusal | None:
    """Why it is not taken; what was found of it is stored first."""
    try:
        extends(new, asked, held)
    except Refusal as refusal:
        return refusal
    return None
