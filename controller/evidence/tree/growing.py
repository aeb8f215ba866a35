"""The tree of the journal that is written, as it grows behind the entries. The rules:

- It is grown beside play, from entries that are durable, by one thread at a time (a lock), a piece
  at a time.
- It goes on from the last signed checkpoint, whose root the kept nodes must lead to. Where they do
  not, or nothing is signed yet, it is made anew from the journal's beginning.
- How far that has come is kept as a checkpoint beside the nodes (:data:`BEGUN`), for the next start
  to go on from: signed, since the nodes count for nothing by themselves. It vouches for no entry,
  all of them are *doubted*. Its last entries are computed again, so it fits this journal alone.
- Nodes are on the disk before a checkpoint is signed over them.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from controller.evidence.tree.checkpoint import (
    MOST_BYTES,
    BadCheckpoint,
    Checkpoint,
    checkpoint_of,
    read_checkpoint,
)
from controller.evidence.tree.entries import (
    LOWEST,
    TREE_FILE,
    EntryTree,
    NodeFile,
    NoNode,
    frontier_before,
)
from controller.evidence.tree.merkle import frontier, joined, leaf_hash, push
from controller.journal.commits import Signer
from controller.journal.errors import JournalError
from controller.journal.export import lines
from controller.journal.keys import PublicKey
from controller.journal.reader import JournalReader
from controller.regular_files import read_whole, write_over

_log = logging.getLogger(__name__)
AT_ONCE: Final = 2048
"""So many entries a checkpoint waits for at most: some 30 ms. A tree that is further behind is
brought level by steps."""

BEGUN: Final = f"{TREE_FILE}.begun"


class GrowingTree:
    """The tree of the journal in ``directory``. ``trusted`` is the last checkpoint that was signed
    and fits the journal, None where there is none; ``keys`` are those that may have signed how far
    it had come. Both files are open only while they are used."""

    def __init__(
        self, directory: Path, trusted: Checkpoint | None, keys: Collection[PublicKey] = ()
    ) -> None:
        self._directory = directory
        self._trusted = trusted
        self._keys = keys
        self._kept = 0
        self._lock = threading.Lock()
        self._begun = False
        self._stack: list[tuple[int, bytes]] = []
        self.size = 0

    def root_at(self, seq: int) -> bytes | None:
        """The root over the entries up to that number, the last one asked for or a later one; None
        while the tree is too far behind. Raises OSError, JournalError or sqlite3.Error of the
        files, NoNode."""
        with self._opened() as (reader, nodes):
            if not self.size <= seq <= self.size + AT_ONCE:
                return None
            self._grow(reader, nodes, seq)
            return joined(value for _, value in self._stack)

    def frontier_at(self, seq: int) -> list[bytes]:
        """The hashes of the frontier over the entries up to that number, however long it takes;
        raises what :meth:`root_at` does."""
        with self._opened() as (reader, nodes):
            self._grow(reader, nodes, seq)
            return [value for _, value in self._stack]

    def step(self, most: int) -> int:
        """Take in up to that many entries, but leave the last ones to the next checkpoint; how many
        are still to be taken in then. Raises what :meth:`root_at` does."""
        with self._opened() as (reader, nodes):
            goal = reader.head.seq - AT_ONCE // 2
            self._grow(reader, nodes, min(goal, self.size + most))
            return max(0, goal - self.size)

    def store_begun(self, key: Signer) -> None:
        """Have a later start go on from here, while nothing is signed over the tree yet. Raises
        OSError."""
        with self._lock:
            size, root = self.size, joined(value for _, value in self._stack)
        if size > self._kept and size % (1 << LOWEST):  # without last entries it fits any journal
            begun = checkpoint_of(key.public, size, root, doubted=size)
            write_over(self._directory / BEGUN, begun.signed(key).encode(), 0o600)
            self._kept = size

    @contextmanager
    def _opened(self) -> Iterator[tuple[JournalReader, NodeFile]]:
        """Both files, and the tree as it was left; at first as it was signed."""
        with (
            self._lock,
            JournalReader(self._directory) as reader,
            NodeFile(self._directory / TREE_FILE, writing=True) as nodes,
        ):
            if not self._begun:
                self.size, self._stack = self._find_beginning(reader, nodes)
                self._begun, self._kept = True, self.size
            yield reader, nodes

    def _grow(self, reader: JournalReader, nodes: NodeFile, upto: int) -> None:
        if upto <= self.size:
            return
        size, stack, kept = self.size, list(self._stack), False
        for line in lines(reader, size, upto):
            for level, value in push(stack, leaf_hash(line.encode("ascii"))):
                if level >= LOWEST:
                    nodes.store_node(level, size >> level, value)
                    kept = True
            size += 1
        if size < upto:
            raise JournalError(f"{reader.path} ends with entry {size}, not {upto}")
        if kept:
            nodes.sync()
        self.size, self._stack = size, stack  # only now: a full disk leaves the tree as it was

    def _find_beginning(
        self, reader: JournalReader, nodes: NodeFile
    ) -> tuple[int, list[tuple[int, bytes]]]:
        begins, tree = reader.begins, EntryTree([reader], nodes)
        for known in (self._trusted, self._begun_before()):
            if known is None or not begins <= known.size <= reader.head.seq:
                continue
            try:
                stack = [(place[0], tree.node(*place)) for place in frontier(known.size)]
            except NoNode:
                stack = []
            if joined(value for _, value in stack) == known.root:
                if known is self._trusted:
                    (self._directory / BEGUN).unlink(missing_ok=True)
                return known.size, stack
            _log.warning(
                "%s does not lead to the checkpoint that was signed for entry %d: it is made anew "
                "from the journal, beside play",
                nodes.path,
                known.size,
            )
        nodes.clear()
        return begins, frontier_before(reader)

    def _begun_before(self) -> Checkpoint | None:
        try:
            text = read_whole(self._directory / BEGUN, MOST_BYTES).decode()
            return read_checkpoint(text, self._keys)
        except (OSError, UnicodeDecodeError, BadCheckpoint):
            return None
