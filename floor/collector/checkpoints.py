"""``add-checkpoint``, of a witness and of a mirror (C2SP tlog-witness, tlog-mirror).

The rules:

- The log's row is locked only for a checkpoint that the log has signed, and until it is stored.
- A witness cosigns, and its answer waits for the commit. A mirror only remembers the checkpoint as
  one that entries may be uploaded to, and answers nothing.
- What contradicts what is held is kept as evidence, with the answer. One of the checkpoints that
  were taken last, which comes again and late, contradicts nothing.
"""

from __future__ import annotations

import time
from typing import Final

from floor.collector.keys import Cosigner
from floor.collector.known import KnownLogs, key_of
from floor.protocol.checkpoints import (
    AddCheckpoint,
    HeldCheckpoint,
    SignedCheckpoint,
    extends,
    read,
    signed,
)
from floor.protocol.refusals import Refusal
from floor.store.locked_log import Role
from floor.store.store import FloorStore


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

    async def take(self, body: bytes) -> str:
        """The answer's body.

        Raises:
            Refusal: it is not taken. StoreFails.
        """
        asked = read(body)
        log = self._logs.get(asked.origin)
        new = signed(asked, None if log is None else key_of(log))
        assert log is not None
        async with self._store.log(new.origin, log.table) as row:
            refusal = _refusal(new, asked, HeldCheckpoint(*row.standing(self.role)))
            if refusal is None:
                lines = self._cosigned(new)
                await row.stand(self.role, new.size, new.root, new.text + lines)
                return lines
            if refusal.evidence and not await row.was_taken(new.size, new.root):
                await row.refused(self.role, refusal.status, str(refusal), new.text)
        raise refusal

    def _cosigned(self, new: SignedCheckpoint) -> str:
        return "" if self._cosigner is None else self._cosigner.cosigns(new.note, int(time.time()))


def _refusal(new: SignedCheckpoint, asked: AddCheckpoint, held: HeldCheckpoint) -> Refusal | None:
    """Why it is not taken; what was found of it is stored first."""
    try:
        extends(new, asked, held)
    except Refusal as refusal:
        return refusal
    return None
