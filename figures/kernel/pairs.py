"""Classes of two cards between which a first decision can differ, or a side wager: their points, a
ten apart from the pictures, whether they are of one suit, and spades, and whether two pictures are
of one rank."""

from __future__ import annotations

from functools import cache
from typing import Final

from controller.game.rules.cards import TEN, Card
from controller.game.rules.hands import same_rank, suits_are

SUITS: Final = ("mixed", "suited", "spades")
KINDS: Final = TEN + 1
PICTURE: Final = KINDS - 1
CLASSES: Final = (KINDS * (KINDS + 1) // 2 + 1) * len(SUITS)
"""How many there are: of kinds of cards in any order, and of two pictures of two ranks."""


@cache
def class_of(first: Card, second: Card) -> int:
    """The class of two cards, in any order."""
    low, high = sorted((_kind(first), _kind(second)))
    suit = SUITS.index(suits_are((first, second)))
    if low == PICTURE and not same_rank((first, second)):
        return CLASSES - len(SUITS) + suit
    return (high * (high + 1) // 2 + low) * len(SUITS) + suit


def _kind(card: Card) -> int:
    return min(card.rank - 1, PICTURE)
