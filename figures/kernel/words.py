"""A hand as one number, its word: the sum of the words of its cards.

| bits | what |
| --- | --- |
| 0 to 5 | hard total: points with every ace as 1 (6 bits: a hand is over before it has 64) |
| 6 to 10 | aces |
| 11 to 15 | cards |
| 16 to 18, 19 to 21, 22 to 24 | sixes, sevens, eights |
| 25 to 29, 30 to 34, 35 to 39, 40 to 44 | clubs, diamonds, hearts, spades |

A card is its place in ``RANKS`` by 4 plus that in ``SUITS``: 0 the ace of clubs, 51 the king of
spades.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from controller.game.rules.cards import ACE, BUST_ABOVE, SPADES, TEN, Card, same_rank, suits_are
from figures.kernel.marks import kernel

CARDS: Final = 52
HARD: Final = 63
ACE_AT: Final = 6
COUNT_AT: Final = 11
FIELD: Final = 31
RANKED_AT: Final = 16
RANKED: Final = 0x1FF
SUITS_AT: Final = 25
BITS: Final = 5
SPADES_AT: Final = SUITS_AT + (SPADES - 1) * BITS

MOST: Final = BUST_ABOVE
SOFT_BY: Final = 10
"""What an ace counts more when it counts 11."""
SOFT_TO: Final = BUST_ABOVE - SOFT_BY
"""The hard total up to which it does."""

SIX_SEVEN_EIGHT: Final = 1 | 1 << 3 | 1 << 6
SEVENS: Final = 3 << 3
"""What is ranked of three cards that are 6-7-8, or 7-7-7."""

LINES: Final = (
    "regular",
    "678_mixed",
    "678_suited",
    "678_spades",
    "777_mixed",
    "777_suited",
    "777_spades",
    "cards_5",
    "cards_6",
    "cards_7_or_more",
)
"""Lines of the pay table for a hand of 21, by their number here."""

SUITED: Final = ("mixed", "suited", "spades")
KINDS: Final = TEN + 1
PICTURE: Final = KINDS - 1
CLASSES: Final = (KINDS * (KINDS + 1) // 2 + 1) * len(SUITED)
"""How many there are: of kinds of cards in any order, and of two pictures of two ranks."""


def number_of(card: Card) -> int:
    """The card's number."""
    return (card.rank - 1) * 4 + card.suit - 1


def card_of(number: int) -> Card:
    """The card of that number."""
    return Card(number // 4 + 1, number % 4 + 1)


def word_of(card: Card) -> int:
    """The card's word."""
    word = card.points | 1 << COUNT_AT | 1 << (SUITS_AT + (card.suit - 1) * BITS)
    if card.rank == ACE:
        word |= 1 << ACE_AT
    if 6 <= card.rank <= 8:
        word |= 1 << (RANKED_AT + 3 * (card.rank - 6))
    return word


@kernel
def total_of(word: int) -> int:
    """The best total."""
    hard = word & HARD
    if hard <= SOFT_TO and (word >> ACE_AT) & FIELD:
        return hard + SOFT_BY
    return hard


@kernel
def count_of(word: int) -> int:
    """How many cards it has."""
    return (word >> COUNT_AT) & FIELD


@kernel
def line_of(word: int) -> int:
    """The line of the pay table of a hand of 21 (:data:`LINES`), whatever it has otherwise."""
    count = (word >> COUNT_AT) & FIELD
    if count >= 5:
        return 9 if count >= 7 else count + 2
    ranked = (word >> RANKED_AT) & RANKED
    if count != 3 or ranked not in (SIX_SEVEN_EIGHT, SEVENS):
        return 0
    line = 1 if ranked == SIX_SEVEN_EIGHT else 4
    if (word >> SPADES_AT) & FIELD == 3:
        return line + 2
    for suit in range(3):
        if (word >> (SUITS_AT + suit * BITS)) & FIELD == 3:
            return line + 1
    return line


@cache
def class_of(first: Card, second: Card) -> int:
    """The class of two cards, in any order: their points, a ten apart from the pictures, whether
    they are of one suit, and spades, and whether two pictures are of one rank. Between classes a
    first decision can differ, or a side wager."""
    low, high = sorted((_kind(first), _kind(second)))
    suit = SUITED.index(suits_are((first, second)))
    if low == PICTURE and not same_rank((first, second)):
        return CLASSES - len(SUITED) + suit
    return (high * (high + 1) // 2 + low) * len(SUITED) + suit


def _kind(card: Card) -> int:
    return min(card.rank - 1, PICTURE)
