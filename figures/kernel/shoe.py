"""The kernel's shoe: shuffled, burned, cut and refilled as the rules say; the same as
:class:`figures.rounds.shoe.SimulatedShoe`.

It is one row: single numbers, then the cards (by number, :mod:`~.words`) from :data:`BEGIN` on. All
cards of the decks are always in front of ``shoe[END]``; those from ``shoe[AT]`` on have not been
dealt. As many places are shuffled as a round is likely to need. A round that takes more is played
again from its first card once more are there: what it took before stays as it was, so it is the
same round. A round for which the shoe is too small goes on behind the end with the shuffled
discards.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from figures.kernel.chance import shuffle
from figures.kernel.felt import RANDOM, Cells
from figures.kernel.marks import kernel
from figures.kernel.values import Values

AT: Final = 0
"""The place of the next card."""
END: Final = 1
"""The place behind all cards."""
PENETRATION: Final = 2
"""Percent of the cards that are put in which lie in front of the cutting card."""
LIKELY: Final = 3
"""How many cards a round hardly ever needs."""
READY: Final = 4
"""The place behind those that are shuffled."""
CUT: Final = 5
"""The place in front of which the cutting card is."""
DUE: Final = 6
"""1: it is shuffled before the next round."""
LIMIT: Final = 7
"""The place behind the discards that follow upon all cards; 0: they have not been shuffled."""
SHUFFLES: Final = 8
REFILLS: Final = 9
"""How often it was shuffled, and ran out in mid-round."""
BEGIN: Final = 16

SPARE: Final = 2100
"""Places behind the cards of all decks: the discards, and what a round may read beyond."""
ENDS_HANDS: Final = 51
"""What lies there at first: a king."""


def new_shoe(cards: Sequence[int], penetration: int, boxes: int) -> list[int]:
    """A shoe of these cards, the cutting card behind ``penetration`` percent of them."""
    shoe = [0] * BEGIN + [*cards] + [ENDS_HANDS] * SPARE
    shoe[END] = BEGIN + len(cards)
    shoe[PENETRATION] = penetration
    shoe[LIKELY] = 10 + 10 * boxes
    shoe[DUE] = 1
    return shoe


@kernel
def provide(shoe: Cells, felt: Cells, end: int) -> None:
    """Shuffle at least the places in front of that one, or all."""
    if end > shoe[READY]:
        high = min(end, shoe[END])
        felt[RANDOM] = shuffle(shoe, shoe[READY], high, shoe[END], felt[RANDOM])
        shoe[READY] = high


@kernel
def begin_round(values: Values, shoe: Cells, felt: Cells) -> bool:
    """Prepare for a round; whether the shoe was shuffled for it."""
    if not (shoe[DUE] or (values.shuffle_at_once and shoe[AT] == shoe[CUT])):
        return False
    shoe[AT] = BEGIN + values.burn
    shoe[READY] = BEGIN
    shoe[CUT] = BEGIN + (shoe[END] - BEGIN) * shoe[PENETRATION] // 100
    shoe[DUE] = 0
    shoe[SHUFFLES] += 1
    provide(shoe, felt, shoe[CUT] + shoe[LIKELY])
    return True


@kernel
def provide_all(shoe: Cells, felt: Cells) -> None:
    """Shuffle all cards; where they are, the discards behind them."""
    end = shoe[END]
    if shoe[READY] < end:
        provide(shoe, felt, end)
        return
    discards = shoe[AT] - BEGIN
    for place in range(discards):
        shoe[end + place] = shoe[BEGIN + place]
    limit = end + discards
    felt[RANDOM] = shuffle(shoe, end, limit, limit, felt[RANDOM])
    shoe[LIMIT] = limit


@kernel
def suffices(shoe: Cells, behind: int) -> bool:
    """Whether a round that ended in front of that place was played with cards that are shuffled, or
    no more can be: see :func:`is_too_small`."""
    return behind <= shoe[READY] or shoe[LIMIT] != 0


@kernel
def is_too_small(shoe: Cells, behind: int) -> bool:
    """Whether all cards lay on the table and another one was due."""
    return shoe[LIMIT] != 0 and behind > shoe[LIMIT]


@kernel
def end_round(values: Values, shoe: Cells, behind: int) -> None:
    """The round has taken the cards in front of that place: was the cutting card among them, was it
    finished with discards?"""
    end = shoe[END]
    passed = behind > shoe[CUT]
    if shoe[LIMIT] and behind > end:
        discards, left = shoe[AT] - BEGIN, end - shoe[AT]
        for place in range(left):  # they come to lie in front: they are the next discards
            shoe[BEGIN + place] = shoe[BEGIN + discards + place]
        for place in range(discards):
            shoe[BEGIN + left + place] = shoe[end + place]
        behind -= end - left - BEGIN
        shoe[CUT] = BEGIN + left + discards * shoe[PENETRATION] // 100
        passed = not values.goes_on or behind > shoe[CUT]
        shoe[REFILLS] += 1
    if passed:
        shoe[DUE] = 1
    shoe[LIMIT] = 0
    shoe[AT] = behind
