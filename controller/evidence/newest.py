"""The newest signed checkpoint of a journal: that of its last signed head, with the cosignatures of
witnesses behind the signature.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from controller.causes.finding import cause_of
from controller.causes.who_may import READ
from controller.evidence.heads import last_head
from controller.evidence.tree.checkpoint import BadCheckpoint, Checkpoint, name_of, read_checkpoint
from controller.evidence.tree.cosignature import (
    GoodCosignature,
    beside_heads,
    cosigned,
    read_kept,
)
from controller.journal.keys import PublicKey
from controller.not_done import NOT_PERMITTED, NOT_WELL, WRONG_USE, NotDone


@dataclass(frozen=True, slots=True)
class Newest:
    """The newest checkpoint: its ``text``, what that says, and the key that signed it; ``kept`` are
    all cosignatures that there are."""

    text: str
    said: Checkpoint
    key: PublicKey
    keys: Sequence[PublicKey]
    kept: Sequence[GoodCosignature] = ()

    def best_for(self, need: int) -> Newest:
        """The one for ``need`` entries or more that most witnesses have cosigned, the newest of
        those: where one is silent, a proof by an earlier checkpoint is worth more."""
        best = self
        for one in self.kept:
            text = cosigned(one.checkpoint, self.kept)
            try:
                said = read_checkpoint(text, [self.key])
            except BadCheckpoint:  # of a key before this one
                continue
            better = (text.count("\n"), said.size) > (best.text.count("\n"), best.said.size)
            if better and need <= said.size <= self.said.size:
                best = replace(self, text=text, said=said)
        return best


def newest_checkpoint(path: Path, keys: Sequence[PublicKey]) -> Newest:
    """The checkpoint of the last head in the file at ``path`` that one of the keys has signed, with
    the cosignatures of it that there are.

    Raises:
        NotDone: 3 where it has none yet, 1 where there is no good head.
    """
    try:
        newest = last_head(path, keys)
        head = last_head(path, keys, with_checkpoint=True)
        kept = read_kept(beside_heads(path))
    except OSError as error:
        where = Path(error.filename or path)
        raise NotDone(
            WRONG_USE, f"{where} cannot be read: {cause_of(error, where, wants=READ)}"
        ) from error
    if newest is None:
        raise NotDone(NOT_WELL, f"there is no good head of this journal at {path}")
    if head is None:
        raise NotDone(
            NOT_PERMITTED,
            f"no head up to entry {newest.seq} has a checkpoint: the tree over the journal is "
            "still being made, beside play; 'tablectl status --json' says how far it is (upkeep)",
        )
    try:
        said = read_checkpoint(head.checkpoint, keys)
    except BadCheckpoint as bad:
        raise NotDone(NOT_WELL, f"the checkpoint of the last head {bad}") from bad
    key = next(key for key in keys if name_of(key) == said.origin)
    return Newest(cosigned(head.checkpoint, kept), said, key, keys, kept)
