"""Decisions: by a policy's tables, or as a tape says, which is how every choice is tried.

A table's entry lists what is preferred, three bits each, the first in the lowest; the first that
may be done is. :data:`HIT` is 0 and may always be done, so what a list leaves out is a hit.

On a tape each number is taken modulo the number of choices, in the order of their bits; where there
is one choice, none is taken. Both sides of a comparison read the same tape (``tests/figures``).
"""

from __future__ import annotations

from typing import Final

from figures.kernel.felt import TAPE_USED, Cells
from figures.kernel.marks import kernel
from figures.kernel.tables import TAPE, TAPED, Table

HIT: Final = 0
STAND: Final = 1
DOUBLE: Final = 2
SPLIT: Final = 3
BUY: Final = 4
SURRENDER: Final = 5
BUY_LITTLE: Final = 6
"""A card for the smallest buy; not on a tape, where every sum is tried by :data:`BUY`."""
CHOICES: Final = 7
PREFERENCE: Final = 7
PREFERENCE_BITS: Final = 3


@kernel
def taped(table: Table, felt: Cells, choices: int) -> int:
    """The next number of the tape, below ``choices``; 0 without taking one where that is 1."""
    if choices == 1:
        return 0
    place = felt[TAPE_USED]
    felt[TAPE_USED] = place + 1
    return table[TAPE + place] % choices


@kernel
def told_choice(table: Table, felt: Cells, may: int) -> int:
    """The choice of the tape among those whose bits are set."""
    choices = 0
    for choice in range(CHOICES):
        choices += (may >> choice) & 1
    passed = taped(table, felt, choices)
    for choice in range(CHOICES):
        if (may >> choice) & 1:
            if passed == 0:
                return choice
            passed -= 1
    return HIT


@kernel
def only(may: int) -> int:
    """The only thing that may be done."""
    return STAND if may == 1 << STAND else SPLIT


@kernel
def choose(table: Table, felt: Cells, entry: int, may: int) -> int:
    """What is done of what may be (a bit each)."""
    if table[TAPED]:
        return told_choice(table, felt, may)
    while not (may >> (entry & PREFERENCE)) & 1:
        if entry == 0:  # hits, where nothing may be done but to stand, or to split again
            return only(may)
        entry >>= PREFERENCE_BITS
    return entry & PREFERENCE


@kernel
def amount(table: Table, felt: Cells, least: int, most: int, step: int) -> int:
    """The sum that is added: the most, or as the tape says."""
    if table[TAPED]:
        return least + step * taped(table, felt, (most - least) // step + 1)
    return most
