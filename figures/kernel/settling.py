"""Hands that are paid at once, and those that wait for the dealer."""

from __future__ import annotations

from typing import Final

from figures.kernel.felt import (
    BONUS,
    GONE,
    HAS_BONUS,
    LOST,
    OPEN,
    OPEN_BOUGHT,
    OPEN_BOX,
    OPEN_DOUBLE,
    OPEN_ORIGINAL,
    OPEN_RANK,
    OPEN_STAKE,
    OPEN_TOTAL,
    RARE,
    SEEN,
    STANDS,
    Cells,
)
from figures.kernel.marks import kernel
from figures.kernel.tables import BRACKET_COUNT, BRACKETS, OVER, RANKS, REGULAR, SHIFTS, Table
from figures.kernel.tallies import LINE, SUPER_BONUS
from figures.kernel.values import Values
from figures.kernel.words import line_of

SEVEN: Final = 6
"""Its rank from 0."""
SUITED_SEVENS: Final = 5
"""The first of the two lines that bring a Super Bonus."""


@kernel
def super_bonus(values: Values, table: Table, felt: Cells, box: int, stake: int, step: int) -> None:
    """Pay the Super Bonus for a stake, and note that the others have a share."""
    paid = 0
    for bracket in range(0, 2 * table[BRACKET_COUNT], 2):
        if stake >= table[BRACKETS + bracket]:
            paid = table[BRACKETS + bracket + 1]
    felt[RARE] = 1
    if paid or values.share_by_cards:
        felt[HAS_BONUS + box] = 1
    felt[SEEN + SUPER_BONUS] += step
    felt[BONUS + box] += paid


@kernel
def paid_21(
    values: Values,
    table: Table,
    felt: Cells,
    box: int,
    dealer: int,
    word: int,
    stake: int,
    doubled: int,
    split: int,
    step: int,
) -> int:
    """What a hand of 21 is paid at once; a Super Bonus beside it."""
    if doubled:
        return ((stake + doubled) * table[OVER + REGULAR]) >> table[SHIFTS + REGULAR]
    line = line_of(word)
    felt[SEEN + LINE + line] += step
    if (
        line - SUITED_SEVENS in (0, 1)
        and values.has_super_bonus
        and table[RANKS + dealer] == SEVEN
        and (not split or values.bonus_after_split)
    ):
        super_bonus(values, table, felt, box, stake, step)
    return (stake * table[OVER + line]) >> table[SHIFTS + line]


@kernel
def lay_open(
    felt: Cells,
    box: int,
    total: int,
    rank: int,
    stake: int,
    doubled: int,
    bought: int,
    original: int,
    state: int,
) -> None:
    """Lay a hand where it waits for the dealer: if it does not stand, the next one lies there."""
    place = felt[OPEN]
    felt[OPEN_BOX + place] = box
    felt[OPEN_TOTAL + place] = total
    felt[OPEN_RANK + place] = rank
    felt[OPEN_STAKE + place] = stake
    felt[OPEN_DOUBLE + place] = doubled
    felt[OPEN_BOUGHT + place] = bought
    felt[OPEN_ORIGINAL + place] = original
    felt[OPEN] = place + (1 if state == STANDS else 0)
    felt[LOST + box] |= 1 if state == GONE else 0
