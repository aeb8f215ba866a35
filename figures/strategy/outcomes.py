"""What the dealer's hand comes to, exactly, for every hand of the player.

His hands are gone through once for each first card, without a shoe: as multisets of what he draws,
each with the number of orders in which the rules let him draw it. Every order of the same cards has
the same chance, so the chance of a multiset is that number times a product of falling factorials,
which is taken for all hands of the player at once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from figures.kernel.dealer import has_enough, is_pontoon
from figures.kernel.tables import WORDS, Table
from figures.kernel.values import Values
from figures.kernel.words import COUNT_AT, FIELD, MOST, total_of
from figures.strategy.hands import PlayerHands
from figures.strategy.shoes import POINTS, Array, FullShoe

Draws = tuple[int, ...]
"""How many of each value."""


class Complete(NamedTuple):
    """Cards that complete the dealer's hand, in how many orders, and what it is (a place in
    :attr:`DealerHands.words`)."""

    draws: Draws
    orders: int
    outcome: int


class DealerHands(NamedTuple):
    """His complete hands by the value of his first card; ``words`` are examples of what they come
    to, one for each difference that settles anything."""

    hands: tuple[tuple[Complete, ...], ...]
    words: tuple[int, ...]

    @property
    def pontoons(self) -> list[bool]:
        """Which of them are Pontoons."""
        return [bool(is_pontoon(word)) for word in self.words]


def dealer_of(values: Values, table: Table) -> DealerHands:
    """All hands that the dealer can have by the rules."""
    words = [table[WORDS + value * 4] for value in range(POINTS)]
    outcomes: dict[tuple[int, bool, bool], int] = {}
    examples: list[int] = []
    hands = []
    for first in range(POINTS):
        complete: list[Complete] = []
        open_: dict[Draws, tuple[int, int]] = {(0,) * POINTS: (1, words[first])}
        while open_:
            longer: dict[Draws, tuple[int, int]] = {}
            for draws, (orders, word) in open_.items():
                for value in range(POINTS):
                    more = (*draws[:value], draws[value] + 1, *draws[value + 1 :])
                    before = longer.get(more, (0, 0))[0]
                    longer[more] = before + orders, word + words[value]
            open_ = {}
            for draws, (orders, word) in longer.items():
                if not has_enough(values, word):
                    open_[draws] = orders, word
                    continue
                count = (word >> COUNT_AT) & FIELD
                key = (
                    min(total_of(word), MOST + 1),
                    bool(is_pontoon(word)),
                    count == values.trick_cards,
                )
                if key not in outcomes:
                    outcomes[key] = len(examples)
                    examples.append(word)
                complete.append(Complete(draws, orders, outcomes[key]))
        hands.append(tuple(complete))
    return DealerHands(tuple(hands), tuple(examples))


def chances(shoe: FullShoe, hands: PlayerHands, dealer: DealerHands) -> Array:
    """The chance of each outcome: by hand, value of the dealer's first card, and outcome."""
    found = np.zeros((len(hands.hard), POINTS, len(dealer.words)))
    for first, complete in enumerate(dealer.hands):
        left = shoe.values - hands.counts
        left[:, first] -= 1
        size = shoe.size - 1 - hands.cards
        most = max(max(hand.draws) for hand in complete)
        longest = max(sum(hand.draws) for hand in complete)
        ways = [_falling(left[:, value], most) for value in range(POINTS)]
        orders = _falling(size, longest)
        for hand in complete:
            chance = hand.orders / np.maximum(orders[sum(hand.draws)], 1)
            for value, count in enumerate(hand.draws):
                if count:
                    chance *= ways[value][count]
            found[:, first, hand.outcome] += chance
    return found


def _falling(numbers: Array | np.ndarray[tuple[int], np.dtype[np.int64]], most: int) -> list[Array]:
    """Their falling factorials."""
    powers = [np.ones(len(numbers))]
    for step in range(most):
        powers.append(powers[-1] * np.maximum(numbers - step, 0))
    return powers
