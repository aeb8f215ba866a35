"""A journal against the checkpoints of its heads, entry by entry: the tree over the lines has the
root that each was signed for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from controller.evidence.tree.entries import NoNode, frontier_before
from controller.evidence.tree.merkle import joined, leaf_hash, push
from controller.journal.export import Lines
from controller.journal.model import Entry
from controller.journal.reader import JournalReader


class AgainstHeads:
    """``roots`` are those of the checkpoints, by the number of their entry."""

    def __init__(self, reader: JournalReader, roots: Mapping[int, bytes]) -> None:
        self._lines = Lines(reader)
        self._roots = roots
        self._last = max(roots, default=0)
        self._next = reader.begins + 1
        try:
            before = frontier_before(reader)
            self._stack = [(level, value) for (level, _), value in before.items()]
        except (NoNode, ValueError):
            self._last = 0  # without a beginning there is no tree to compare

    def take(self, entry: Entry) -> Iterator[str]:
        """What is wrong with an entry, in plain words."""
        if entry.seq > self._last:
            return
        if entry.seq != self._next:  # told as missing; behind it there is no tree to compare
            self._last = 0
            return
        self._next += 1
        push(self._stack, leaf_hash(self._lines.of(entry).encode("ascii")))
        signed = self._roots.get(entry.seq)
        if signed is not None and signed != joined(value for _, value in self._stack):
            yield "does not end the tree that was signed for it (another root)"
