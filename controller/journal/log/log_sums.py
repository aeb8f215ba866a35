"""SQLite's two running sums over the frames of a write-ahead log, for many frames at a time.

Word by word it is ``a += word + b; b += next + a``, modulo 2 ** 32: in Python many seconds for
a log of 200 MB. The rules by which it is less than one:

- The sums are linear: what a block makes of ``(a, b)`` is what it makes of ``(0, 0)`` plus a matrix
  of Fibonacci's numbers times ``(a, b)``, the same matrix for every block of that length.
- So blocks need not wait for each other. The first words of all of them stand side by side in one
  long integer, 64 bits each, and are added at once; then the second words, and so on. A lane grows
  by less than 23 bits in 16 steps and is then cut to its 32.

The format is SQLite's own, https://www.sqlite.org/fileformat2.html#walformat.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Final

_WORD: Final = 0xFFFFFFFF
_CUT_AFTER: Final = 16


class Sums:
    """Sums over blocks of ``length`` bytes, lying one after the other, of which the words at
    ``summed`` count (an even number of them); ``big_endian`` is how the log spells a word."""

    def __init__(self, length: int, summed: Sequence[int], *, big_endian: bool) -> None:
        self._words = length // 4
        self._pairs = list(zip(summed[::2], summed[1::2], strict=True))
        self._swap = big_endian
        low, middle = 1, 0
        for _ in summed:
            low, middle = middle, (low + middle) & _WORD
        self._turn = low, middle, (low + middle) & _WORD

    def by_block(self, blocks: bytes) -> list[tuple[int, int]]:
        """The sums of each block by itself, begun from nothing."""
        words = array("I", blocks)
        if self._swap:
            words.byteswap()
        count = len(words) // self._words
        # From here on bytes are only moved, four at a time, whatever this machine makes of them.
        there, lanes = memoryview(words), bytearray(8 * count)
        low_halves = memoryview(lanes).cast("I")[::2]
        mask = int.from_bytes(b"\xff\xff\xff\xff\0\0\0\0" * count, "little")
        a = b = 0
        for number, (first, second) in enumerate(self._pairs, start=1):
            low_halves[:] = there[first :: self._words]
            a += int.from_bytes(lanes, "little") + b
            low_halves[:] = there[second :: self._words]
            b += int.from_bytes(lanes, "little") + a
            if number % _CUT_AFTER == 0:
                a, b = a & mask, b & mask
        return list(zip(_apart(a & mask, count), _apart(b & mask, count), strict=True))

    def after(self, own: tuple[int, int], a: int, b: int) -> tuple[int, int]:
        """The sums after a block with those of its ``own``, which were ``a`` and ``b`` before."""
        low, middle, high = self._turn
        return (own[0] + low * a + middle * b) & _WORD, (own[1] + middle * a + high * b) & _WORD


def _apart(lanes: int, count: int) -> list[int]:
    data = lanes.to_bytes(8 * count, "little")
    return [int.from_bytes(data[at : at + 4], "little") for at in range(0, 8 * count, 8)]
