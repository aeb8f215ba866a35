"""The tree over a journal's entries: its nodes, as they are kept or out of the entries.

The rules:

- A leaf is an entry's line as :mod:`controller.journal.export` writes it, without its end; its
  index is the entry's number less one, and runs on across archives.
- A journal that goes on from an archived one has in its first entry, under :data:`TREE`, the
  frontier at its beginning: ``size``, and the ``hashes`` (hexadecimal) of
  :func:`~controller.evidence.tree.merkle.frontier`. With that every node which ends in the journal
  can be had without the archive.
- Nodes that should be kept are read and not computed, unless that is asked for: one that is missing
  is told at once, where computing it may take minutes.
- A checkpoint held against a whole journal is of exactly these entries, or of others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from controller.evidence.tree.checkpoint import BadCheckpoint, Checkpoint, read_checkpoint
from controller.evidence.tree.merkle import frontier, joined, leaf_hash, node_hash, push
from controller.evidence.tree.nodes import LOWEST, NodeFile
from controller.forms.json_values import JsonObject, WrongForm, checked
from controller.journal.export import Lines, lines
from controller.journal.keys import PublicKey
from controller.journal.line import parts_of
from controller.journal.model import TREE, Entry
from controller.journal.reader import JournalReader
from controller.replay.finding import SearchPace, at_once

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
        self._before = frontier_before(journals[0])
        self._blocks: dict[int, list[bytes]] = {}

    def node(self, level: int, index: int) -> bytes:
        """That complete node.

        Raises:
            NoNode: it is not to be had. JournalError: an entry cannot be read.
        """
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
        """A node of one block of entries."""
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
        """The hashes of the leaves from ``low`` up to, and without, ``high``, as far as there are
        any."""
        return [
            leaf_hash(line.encode("ascii"))
            for part in parts_of(self._journals, low, high)
            for line in self._pace(lines(*part))
        ]


class NotKept(NoNode):
    """A node should be in the file and is not; the entries would lead to it."""


def frontier_before(reader: JournalReader) -> Mapping[tuple[int, int], bytes]:
    """The frontier at a journal's beginning, by level and index; empty for a table's first.

    Raises:
        NoNode: it goes on from an archived one and does not say.
    """
    begins = reader.begins
    if not begins:
        return {}
    first = next(iter(reader.iterate(begins, begins + 1)), None)
    told = None if first is None else first.body.get(TREE)
    if not isinstance(told, Mapping) or told.get("size") != begins:
        raise NoNode(
            f"{reader.path} goes on from entry {begins} of an archived journal, and its first "
            "entry does not have the tree over that"
        )
    return dict(zip(frontier(begins), _hashes_in(told), strict=True))


def told_frontier(size: int, body: JsonObject) -> list[tuple[int, bytes]]:
    """The frontier, level and hash of each part, as the first entry of a journal has it that goes
    on from so many entries.

    Raises ValueError where it has none.
    """
    told = body.get(TREE)
    if not isinstance(told, Mapping) or told.get("size") != size:
        raise WrongForm(f"the first entry does not have the tree over the {size} before it")
    parts = zip(frontier(size), _hashes_in(told), strict=True)
    return [(level, value) for (level, _), value in parts]


def _hashes_in(told: JsonObject) -> list[bytes]:
    return [bytes.fromhex(text) for text in checked(list[str], told.get("hashes"), TREE)]


def frontier_told(size: int, hashes: Sequence[bytes]) -> JsonObject:
    """A frontier as a new journal's first entry has it."""
    return {"size": size, "hashes": [one.hex() for one in hashes]}


def checkpoint_over(
    reader: JournalReader, text: str, keys: Collection[PublicKey], entries: Iterable[Entry]
) -> Checkpoint:
    """The checkpoint in the text, which one of the keys has signed over all of the journal, and
    nothing more; ``entries`` are the journal's, all of them.

    Raises:
        BadCheckpoint: it is of something else, or nobody signed it. JournalError: the journal
            cannot be read.
    """
    checkpoint = read_checkpoint(text, keys)
    if (last := reader.head.seq) != checkpoint.size:
        raise BadCheckpoint(f"is of {checkpoint.size} entries, and the journal ends with {last}")
    spelled = Lines(reader)
    try:
        tree = [(level, value) for (level, _), value in frontier_before(reader).items()]
    except (NoNode, ValueError) as error:
        raise BadCheckpoint(f"cannot be held against the journal: {error}") from error
    for entry in entries:
        push(tree, leaf_hash(spelled.line_of(entry).encode("ascii")))
    if joined(value for _, value in tree) != checkpoint.root:
        raise BadCheckpoint("is of other entries: its root is another one")
    return checkpoint
