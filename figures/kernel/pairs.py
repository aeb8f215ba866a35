"""Classes of two cards between which a first decision can differ: their points, whether they are of
one suit, and spades, and whether they are of one rank."""

from __future__ import annotations

from typing import Final

from controller.game.rules.cards import TEN, Card
from controller.game.rules.hands import same_rank, suits_are

SUITS: Final = ("mixed", "suited", "spades")
CLASSES: Final = (TEN * (TEN + 1) // 2 + 1) * len(SUITS)
"""How many there are: of points in any order, and of cards that count 10 and are of two ranks."""


def class_of(first: Card, second: Card) -> int:
    """The class of two cards, in any order."""
    low, high = sorted((first.points - 1, second.points - 1))
    suit = SUITS.index(suits_are((first, second)))
    if low == TEN - 1 and not same_rank((first, second)):
        return CLASSES - len(SUITS) + suit
    return (high * (high + 1) // 2 + low) * len(SUITS) + suit
