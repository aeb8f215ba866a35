"""The full shoe: how many of each card and of each value, and what the first two cards of a box
are.

A value is a card's points less 1, so 0 is the ace and 9 what counts 10. Where suits matter, which
is in a 21 of 6-7-8 and of 7-7-7, they are gone through card by card; so every chance here is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from figures.kernel.settling import SUITED_SEVENS
from figures.kernel.tables import OVER, RANKS, SHIFTS, WORDS, Table
from figures.kernel.words import CARDS, CLASSES, HARD, MOST, card_of, class_of, line_of

Array = NDArray[np.float64]
Whole = NDArray[np.int64]

POINTS: Final = 10


@dataclass(frozen=True)
class FullShoe:
    """``cards``: how many of each of the 52 cards; ``values``: of each of the ten values."""

    cards: tuple[int, ...]
    values: Whole

    @property
    def size(self) -> int:
        """All cards."""
        return sum(self.cards)


@dataclass(frozen=True)
class TwoCards:
    """What the first two cards are, by their class (:mod:`figures.kernel.words`).

    ``low`` and ``high`` are their values, -1 for a class that the shoe does not have; ``ranked``:
    they are of one rank. ``chance`` is that of the class and of the dealer's first card, by its
    value. ``pays`` is what a third card of that value brings to 1 where it makes 21, on average
    over the suits, and ``bonus`` the chance that it brings a Super Bonus.
    """

    low: Whole
    high: Whole
    ranked: Whole
    chance: Array
    pays: Array
    bonus: Array

    @property
    def there(self) -> Whole:
        """The classes that the shoe has."""
        return np.flatnonzero(self.low >= 0)


def shoe_of(cards: Sequence[int], table: Table) -> FullShoe:
    """The shoe of these cards, by number."""
    counts = [0] * CARDS
    values = np.zeros(POINTS, dtype=np.int64)
    for card in cards:
        counts[card] += 1
        values[value_of(table, card)] += 1
    return FullShoe(tuple(counts), values)


def value_of(table: Table, card: int) -> int:
    """The card's value."""
    return (table[WORDS + card] & HARD) - 1


def odds_of(table: Table, line: int) -> float:
    """What a line or a result pays to 1."""
    return table[OVER + line] / (1 << table[SHIFTS + line])


def first_two(shoe: FullShoe, table: Table) -> TwoCards:
    """The first two cards of a box from that shoe."""
    low = np.full(CLASSES, -1, dtype=np.int64)
    high, ranked = low.copy(), low.copy()
    classes = [
        [class_of(card_of(one), card_of(other)) for other in range(CARDS)] for one in range(CARDS)
    ]
    chance, pays = np.zeros((CLASSES, POINTS)), np.zeros((CLASSES, POINTS))
    bonus, drawn = np.zeros((CLASSES, POINTS)), np.zeros((CLASSES, POINTS))
    for first in range(CARDS):
        for second in range(CARDS):
            ways = shoe.cards[first] * (shoe.cards[second] - (first == second))
            if ways <= 0:
                continue
            two = classes[first][second]
            one, other = value_of(table, first), value_of(table, second)
            low[two], high[two] = min(one, other), max(one, other)
            ranked[two] = table[RANKS + first] == table[RANKS + second]
            left = shoe.values.copy()
            left[one] -= 1
            left[other] -= 1
            chance[two] += ways * left
            for third in _completing(table, first, second):
                count = shoe.cards[third] - (third == first) - (third == second)
                line = line_of(sum(table[WORDS + card] for card in (first, second, third)))
                value = value_of(table, third)
                drawn[two, value] += ways * count
                pays[two, value] += ways * count * odds_of(table, line)
                bonus[two, value] += ways * count * (line - SUITED_SEVENS in (0, 1))
    found = drawn > 0
    regular = odds_of(table, 0)
    return TwoCards(
        low,
        high,
        ranked,
        chance / chance.sum(),
        np.where(found, pays / np.where(found, drawn, 1), regular),
        np.where(found, bonus / np.where(found, drawn, 1), 0.0),
    )


def _completing(table: Table, first: int, second: int) -> range:
    """The third cards with which two are 6-7-8 or 7-7-7, in any suits."""
    missing = MOST - sum(table[WORDS + card] & HARD for card in (first, second))
    together = sorted((value_of(table, first), value_of(table, second), missing - 1))
    if together in ([5, 6, 7], [6, 6, 6]):
        return range((missing - 1) * 4, missing * 4)
    return range(0)
