"""A journal against its signed heads, entry by entry: what is beside the digests that were signed.

- Every head that an entry names is among the heads.
- No entries went on for longer than the controller takes without one
  (:mod:`controller.journal.sealing.unsigned`).
- The tree over the lines has the root that each checkpoint was signed for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from controller.journal.export import Lines
from controller.journal.model import Entry
from controller.journal.reader import JournalReader
from controller.journal.sealing.unsigned import NamedHead, Unsigned, named_in
from controller.journal.tree.entries import NoNode, frontier_before
from controller.journal.tree.merkle import joined, leaf_hash, push


class AgainstHeads:
    """``roots`` are those of the checkpoints, by the number of their entry; ``heads`` are all that
    there are, None where nobody looked for them. ``explained`` are the stretches of which the
    journal says why no head was signed, in words."""

    def __init__(
        self,
        reader: JournalReader,
        roots: Mapping[int, bytes],
        heads: Collection[NamedHead] | None,
    ) -> None:
        self._lines = Lines(reader)
        self._roots = roots
        self._last = max(roots, default=0)
        self._heads = heads
        self._unsigned = Unsigned()
        self._next = reader.begins + 1
        self._unseen = False
        self.explained: list[str] = []
        try:
            before = frontier_before(reader)
            self._stack = [(level, value) for (level, _), value in before.items()]
        except (NoNode, ValueError):
            self._last = 0  # without a beginning there is no tree to compare

    def take(self, entry: Entry) -> Iterator[str]:
        """What is wrong with an entry, in plain words."""
        named = named_in(entry)
        if named is not None and self._heads is None and not self._unseen:
            self._unseen = True
            self.explained.append(
                "entries name signed heads, and none were looked at: where are they? (--heads FILE)"
            )
        if named is not None and self._heads is not None and named not in self._heads:
            yield (
                f"names a head for entry {named.seq} that is not among the heads: it was taken "
                "away, or is kept elsewhere (--heads FILE)"
            )
        stretch = self._unsigned.take(entry)
        if stretch is not None and stretch.said:
            self.explained.append(f"no head was signed, {stretch}; the journal says why")
        elif stretch is not None:
            yield f"no head was signed, {stretch}, and nothing says why"
        yield from self._root(entry)

    def _root(self, entry: Entry) -> Iterator[str]:
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
