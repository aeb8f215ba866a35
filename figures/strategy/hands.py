"""The hands of a player that have not gone over 21: every multiset of values that the shoe has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from figures.kernel.words import MOST, SOFT_BY, SOFT_TO
from figures.strategy.shoes import POINTS, Array, FullShoe, Whole


class PlayerHands(NamedTuple):
    """Row by row: ``counts`` of each value, the ``hard`` total, the number of ``cards``, ``aces``,
    the best ``total``, whether it is ``soft``; ``then`` is the row with one more card of that
    value, -1 where it is over 21 or the shoe has none left. ``levels`` has the rows by number of
    cards.
    """

    counts: Whole
    hard: Whole
    cards: Whole
    aces: Whole
    total: Whole
    soft: Whole
    then: Whole
    levels: list[Whole]

    def row(self, *values: int) -> int:
        """The row of these values."""
        row = 0
        for value in values:
            row = int(self.then[row, value])
        return row


def hands_of(shoe: FullShoe) -> PlayerHands:
    """All hands; row 0 has no cards."""
    rows = sorted(
        _multisets([int(n) for n in shoe.values], 0, MOST), key=lambda hand: (sum(hand), hand)
    )
    place = {hand: row for row, hand in enumerate(rows)}
    then = np.full((len(rows), POINTS), -1, dtype=np.int64)
    for hand, row in place.items():
        for value in range(POINTS):
            more = (*hand[:value], hand[value] + 1, *hand[value + 1 :])
            then[row, value] = place.get(more, -1)
    counts = np.array(rows, dtype=np.int64)
    hard = counts @ np.arange(1, POINTS + 1)
    cards = counts.sum(axis=1)
    soft = ((counts[:, 0] > 0) & (hard <= SOFT_TO)).astype(np.int64)
    levels = [np.flatnonzero(cards == count) for count in range(int(cards.max()) + 1)]
    return PlayerHands(counts, hard, cards, counts[:, 0], hard + SOFT_BY * soft, soft, then, levels)


def drawing(shoe: FullShoe, hands: PlayerHands) -> Array:
    """The chance of each value as the next card: by hand, value, and value of the dealer's card."""
    left = shoe.values[None, :, None] - hands.counts[:, :, None] - np.eye(POINTS, dtype=np.int64)
    cards = shoe.size - 1 - hands.cards
    chance: Array = np.maximum(left, 0) / np.maximum(cards, 1)[:, None, None]
    return chance


def _multisets(left: list[int], value: int, points: int) -> Iterator[tuple[int, ...]]:
    if value == POINTS:
        yield ()
        return
    for count in range(min(left[value], points // (value + 1)) + 1):
        for rest in _multisets(left, value + 1, points - count * (value + 1)):
            yield (count, *rest)
