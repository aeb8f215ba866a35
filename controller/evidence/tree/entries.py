"""The tree over a journal's entries: its nodes, as they are kept or out of the entries. The rules:

- A leaf is an entry's line as :mod:`controller.journal.export` writes it, without its end; its
  index is the entry's number less one, and runs on across archives.
- A journal that goes on from an archived one has in its first entry, under :data:`TREE`, the
  frontier at its beginning: ``size``, and the ``hashes`` (hexadecimal) of
  :func:`~controller.evidence.tree.merkle.frontier`. With that every node which ends in the journal
  can be had without the archive.
- Nodes that should be kept are read and not computed, unless that is asked for: one that is missing
  is told at once, where computing it may take minutes.
- A checkpoint held against a whole journal is of exactly these entries, or of others.
- Kept, in a file beside the journal, are complete nodes of level :data:`LOWEST` and above: 2 hashes
  for 256 entries, 2.5 MB for ten million. What is below is computed from the entries. They stand in
  the order in which they become complete, a node behind its children, 32 bytes each: the file only
  grows, and where a node stands follows from its level and index.
- It goes on across archives. A place with 32 zero bytes, or behind the end, holds no node: where
  the file had to be made anew, those that lie wholly in an archived journal.
- The file can be made anew out of the journal at any time. What it says counts for nothing by
  itself: whoever signs or proves by it compares it with what was signed before.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from controller.evidence.tree.checkpoint import BadCheckpoint, Checkpoint, read_checkpoint
from controller.evidence.tree.merkle import HASH_BYTES, frontier, joined, leaf_hash, node_hash, push
from controller.forms.json_values import JsonObject, WrongForm, checked
from controller.journal.export import Lines, lines
from controller.journal.keys import PublicKey
from controller.journal.model import TREE, Entry
from controller.journal.reader import JournalReader, parts_of
from controller.regular_files import check_own, open_regular
from controller.replay.finding import SearchPace, at_once

TREE_FILE: Final = "journal.tree"
LOWEST: Final = 8  # level of the lowest nodes that are kept: of 256 entries
_NONE: Final = bytes(HASH_BYTES)


def place_of(level: int, index: int) -> int:
    """At which place of the file that node stands, from 0.

    Before it stand, complete, all nodes of all trees that were complete before its last leaf, and
    its own children: with ``leaves`` of the lowest level before that last one, these are
    ``2 * leaves - (ones of leaves)`` nodes, and one for each level that it is above its leaf.
    """
    above = level - LOWEST
    leaves = ((index + 1) << above) - 1
    return 2 * leaves - leaves.bit_count() + above


class NodeFile:
    """The file at ``path``; a context manager. For writing it is made where there is none. Raises
    OSError: it cannot be opened, is no regular file, or has another name."""

    def __init__(self, path: Path, *, writing: bool = False) -> None:
        self.path = path
        check_own(path)
        flags = os.O_RDWR | os.O_CREAT if writing else os.O_RDONLY
        self._fd = open_regular(path, flags)
        if os.fstat(self._fd).st_nlink > 1:  # under another name it may be anything
            os.close(self._fd)
            raise OSError(errno.EMLINK, "it has another name besides", str(path))

    def get(self, level: int, index: int) -> bytes | None:
        """That node; None where it is not kept."""
        if level < LOWEST:
            return None
        found = os.pread(self._fd, HASH_BYTES, place_of(level, index) * HASH_BYTES)
        return None if len(found) < HASH_BYTES or found == _NONE else found

    def store_node(self, level: int, index: int, value: bytes) -> None:
        """Keep that node, which is of level :data:`LOWEST` or above."""
        at = place_of(level, index) * HASH_BYTES
        if os.pwrite(self._fd, value, at) != HASH_BYTES:
            raise OSError(f"{self.path} took only a part of a node: is its disk full?")

    def clear(self) -> None:
        """Forget all of them."""
        os.ftruncate(self._fd, 0)

    def sync(self) -> None:
        """Have what was kept on the disk."""
        os.fsync(self._fd)

    def close(self) -> None:
        """Close the file."""
        os.close(self._fd)

    def __enter__(self) -> NodeFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


BLOCKS: Final = 4
"""Blocks of entries whose leaves are remembered: a proof needs its own, and the tree's last one."""


class NoNode(Exception):
    """A node is neither kept nor to be had from the entries; the message says which."""


class EntryTree:
    """The nodes over a line of journals, the oldest first, and the file of nodes (None: there is
    none). ``computes``: what it lacks is computed from the entries, however long that takes.
    ``pace``: how entries are gone through."""

    def __init__(
        self,
        journals: Sequence[JournalReader],
        nodes: NodeFile | None,
        *,
        computes: bool = False,
        pace: SearchPace = at_once,
    ) -> None:
        self._journals = journals
        self._nodes = nodes
        self._computes = computes
        self._pace = pace
        self.begins = journals[0].begins
        hashes = (value for _, value in frontier_before(journals[0]))
        self._before = dict(zip(frontier(self.begins), hashes, strict=True))
        self._blocks: dict[int, list[bytes]] = {}

    def node(self, level: int, index: int) -> bytes:
        """That complete node. Raises NoNode: it is not to be had. JournalError: an entry cannot be
        read."""
        low, high = index << level, (index + 1) << level
        if (found := self._before.get((level, index))) is not None:
            return found
        if level >= LOWEST and self._nodes and (kept := self._nodes.get(level, index)) is not None:
            return kept
        if high <= self.begins:
            raise NoNode(f"entries {low + 1} to {high} are in an archived journal")
        if level <= LOWEST and low >= self.begins:
            return self._computed(level, low)
        if level > LOWEST and low >= self.begins and not self._computes:
            raise NotKept(f"the node over entries {low + 1} to {high} is not kept")
        return node_hash(self.node(level - 1, 2 * index), self.node(level - 1, 2 * index + 1))

    def _computed(self, level: int, low: int) -> bytes:
        block = low >> LOWEST
        if block not in self._blocks:
            if len(self._blocks) >= BLOCKS:
                self._blocks.pop(next(iter(self._blocks)))
            self._blocks[block] = self._leaves(block << LOWEST, (block + 1) << LOWEST)
        at = low - max(block << LOWEST, self.begins)
        hashes = self._blocks[block][at : at + (1 << level)]
        if len(hashes) != 1 << level:
            raise NoNode(f"entries {low + 1} to {low + (1 << level)} are not all there")
        while len(hashes) > 1:
            pairs = zip(hashes[::2], hashes[1::2], strict=True)
            hashes = [node_hash(left, right) for left, right in pairs]
        return hashes[0]

    def _leaves(self, low: int, high: int) -> list[bytes]:
        return [
            leaf_hash(line.encode("ascii"))
            for part in parts_of(self._journals, low, high)
            for line in self._pace(lines(*part))
        ]


class NotKept(NoNode):
    """A node should be in the file and is not; the entries would lead to it."""


def frontier_before(reader: JournalReader) -> list[tuple[int, bytes]]:
    """The frontier at a journal's beginning, level and hash of each part; empty for a table's
    first. Raises NoNode: it goes on from an archived one and does not say. ValueError: it says
    none."""
    if not (begins := reader.begins):
        return []
    first = next(iter(reader.iterate(begins, begins + 1)), None)
    try:
        return told_frontier(begins, first.body if first else {})
    except WrongForm as error:
        raise NoNode(
            f"{reader.path} goes on from entry {begins} of an archived journal, and its first "
            "entry does not have the tree over that"
        ) from error


def told_frontier(size: int, body: JsonObject) -> list[tuple[int, bytes]]:
    """The same, as the first entry of a journal has it that goes on from so many entries. Raises
    WrongForm: it has none. ValueError: it is none."""
    told = body.get(TREE)
    if not isinstance(told, Mapping) or told.get("size") != size:
        raise WrongForm(f"the first entry does not have the tree over the {size} before it")
    hashes = checked(list[str], told.get("hashes"), TREE)
    parts = zip(frontier(size), map(bytes.fromhex, hashes), strict=True)
    return [(level, value) for (level, _), value in parts]


def checkpoint_over(
    reader: JournalReader, text: str, keys: Collection[PublicKey], entries: Iterable[Entry]
) -> Checkpoint:
    """The checkpoint in the text, which one of the keys has signed over all of the journal, and
    nothing more; ``entries`` are the journal's, all of them. Raises BadCheckpoint: it is of
    something else, or nobody signed it. JournalError: the journal cannot be read."""
    checkpoint = read_checkpoint(text, keys)
    if (last := reader.head.seq) != checkpoint.size:
        raise BadCheckpoint(f"is of {checkpoint.size} entries, and the journal ends with {last}")
    spelled = Lines(reader)
    try:
        tree = frontier_before(reader)
    except (NoNode, ValueError) as error:
        raise BadCheckpoint(f"cannot be held against the journal: {error}") from error
    for entry in entries:
        push(tree, leaf_hash(spelled.line_of(entry).encode("ascii")))
    if joined(value for _, value in tree) != checkpoint.root:
        raise BadCheckpoint("is of other entries: its root is another one")
    return checkpoint
