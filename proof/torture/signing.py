"""Signed heads of a journal that is filled without its daemon, as that would have written them."""

from __future__ import annotations

import time
from pathlib import Path

from controller.evidence.heads import SignedHead, append_head, last_head
from controller.evidence.tree.checkpoint import checkpoint_of, read_checkpoint
from controller.evidence.tree.growing import GrowingTree
from controller.forms.json_values import JsonObject
from controller.journal.keys import ControllerKey
from controller.journal.store import Journal


class Signing:
    """Signs heads of the journal in ``state``, with the key that lies there."""

    def __init__(self, state: Path, table: str) -> None:
        self._table = table
        self._key = ControllerKey(state / "key")
        self._path = state / "heads.jsonl"
        keys = [self._key.public]
        head = last_head(self._path, keys) if self._path.exists() else None
        trusted = read_checkpoint(head.checkpoint, keys) if head and head.checkpoint else None
        self._tree = GrowingTree(state, trusted)

    @property
    def record(self) -> JsonObject:
        """What a start record says of it."""
        return {"key": self._key.public.text, "kept": "file"}

    def sign(self, journal: Journal, wall: str = "") -> SignedHead:
        """Sign what the journal has, and write it; ``wall`` is the time of then, else of now."""
        last = journal.head
        wall = wall or time.strftime("%Y-%m-%dT%H:%M:%S.000+00:00", time.gmtime())
        root = self._tree.root_at(last.seq)
        assert root is not None, "it is signed before the tree is far behind"
        head = SignedHead(
            journal.identity.hex(),
            self._table,
            last.seq,
            last.digest.hex(),
            journal.boot,
            wall,
            checkpoint=checkpoint_of(self._key.public, last.seq, root).signed(self._key),
        ).signed(self._key)
        append_head(self._path, head)
        return head
