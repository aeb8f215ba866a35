"""Playing cards as the shoe reports them and as round scripts write them.

A card is its rank (1 ace, 2 … 10, 11 jack, 12 queen, 13 king) and suit (1 clubs, 2 diamonds,
3 hearts, 4 spades), the numbers of protocol section 5. Its text is rank and suit in one letter
each: ``AS``, ``9D``, ``TC``. A card not read or not yet revealed is written ``??``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

RANKS: Final = "A23456789TJQK"
SUITS: Final = "CDHS"
SIGNS: Final = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
"""Of the suits, where cards are shown and not typed."""
SPADES: Final = 4
UNREAD: Final = "??"

ACE: Final = 1
TEN: Final = 10


class Card(NamedTuple):
    """One card: ``rank`` 1 to 13, ``suit`` 1 to 4."""

    rank: int
    suit: int

    @property
    def points(self) -> int:
        """Its value, an ace as 1: face value, pictures (and the ten) 10."""
        return min(self.rank, 10)

    def __str__(self) -> str:
        return RANKS[self.rank - 1] + SUITS[self.suit - 1]


_BY_TEXT: Final = {
    RANKS[rank - 1] + SUITS[suit - 1]: Card(rank, suit)
    for rank in range(1, 14)
    for suit in range(1, 5)
}


def parse_card(text: str) -> Card:
    """The card that ``text`` (``9D``) names, else a ValueError that says what is expected."""
    card = _BY_TEXT.get(text)
    if card is None:
        raise ValueError(
            f"{text!r} is not a card: expected a rank of {RANKS} and a suit of {SUITS}, as in 9D"
        )
    return card


def card_of(rank: object, suit: object) -> Card | None:
    """The card with these numbers; None where there is none: it is foreign, or was not read."""
    if not (isinstance(rank, int) and isinstance(suit, int)):
        return None
    return Card(rank, suit) if 1 <= rank <= 13 and 1 <= suit <= 4 else None


def write_cards(cards: Iterable[Card | None]) -> str:
    """Cards in the order given, separated by blanks; None is written ``??``."""
    return " ".join(UNREAD if card is None else str(card) for card in cards)


_WRITTEN: Final = re.compile(r"\b(10|[2-9AJQK])([CDHS])\b")


def suited(text: str) -> str:
    """The text with the signs of the suits: ``9♦`` for ``9D``."""
    return _WRITTEN.sub(lambda card: card[1] + SIGNS[card[2]], text)
