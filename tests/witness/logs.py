"""Logs without a journal: leaves in memory, checkpoints signed with a key of their own."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

from controller.evidence.tree.checkpoint import checkpoint_of, name_of, vkey_of
from controller.evidence.tree.merkle import leaf_hash, node_hash, root_of, subtree_proof
from controller.journal.keys import ControllerKey


class Log:
    """A log of that key whose leaves are made of ``history``."""

    def __init__(self, key: Path, history: str = "the only one", leaves: int = 300) -> None:
        self.key = ControllerKey(key)
        self.origin = name_of(self.key.public)
        self.vkey = vkey_of(self.key.public)
        self.entries = [f"{history} {number}".encode() for number in range(leaves)]
        self._leaves = [leaf_hash(entry) for entry in self.entries]
        self._nodes: dict[tuple[int, int], bytes] = {}

    def node(self, level: int, index: int) -> bytes:
        if level == 0:
            return self._leaves[index]
        if (level, index) not in self._nodes:
            halves = (self.node(level - 1, 2 * index + side) for side in (0, 1))
            self._nodes[level, index] = node_hash(*halves)
        return self._nodes[level, index]

    def checkpoint(self, size: int, doubted: int = 0) -> str:
        root = root_of(size, self.node)
        return checkpoint_of(self.key.public, size, root, doubted).signed(self.key)

    def proof(self, old: int, new: int) -> list[str]:
        path = subtree_proof(0, old, new, self.node) if 0 < old < new else []
        return [b64encode(one).decode("ascii") for one in path]
