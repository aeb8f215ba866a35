"""Decisions read from bytes: the same bytes are the same decisions, others are other ones.

When the bytes are used up every decision is the first of its kind, and :attr:`Choices.more` says
that it is time to end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")


class Choices:
    """Reads ``data`` from its beginning."""

    __slots__ = ("_at", "_data")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    @property
    def more(self) -> bool:
        """Whether bytes are left."""
        return self._at < len(self._data)

    def byte(self) -> int:
        """0 to 255."""
        if self._at >= len(self._data):
            return 0
        self._at += 1
        return self._data[self._at - 1]

    def below(self, count: int) -> int:
        """0 to ``count`` - 1, of at most 65536."""
        number = self.byte()
        if count > 256:
            number = number << 8 | self.byte()
        return number % count

    def among(self, items: Sequence[Item]) -> Item:
        """One of them."""
        return items[self.below(len(items))]

    def chance(self, one_in: int) -> bool:
        """True once in that number of calls; False when the bytes are used up."""
        return self.more and self.below(one_in) == one_in - 1

    def raw(self, count: int) -> bytes:
        """The next bytes, as many as there are."""
        found = self._data[self._at : self._at + count]
        self._at += len(found)
        return found

    def number(self, bits: int) -> int:
        """A number of that many bits; those at its bounds come often."""
        most = (1 << bits) - 1
        match self.below(8):
            case 0:
                return self.below(4)
            case 1:
                return most - self.below(3)
            case 2:
                return (1 << (bits - 1)) + self.below(3) - 1
            case 3 | 4:
                return self.byte() & most
        return int.from_bytes(self.raw((bits + 7) // 8), "little") & most
