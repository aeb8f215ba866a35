"""Playing cards as the shoe reports them and as round scripts write them, and what hands of them
are worth: their value, the lines of the pay table for 21, and amounts that are won.

A card is its rank (1 ace, 2 … 10, 11 jack, 12 queen, 13 king) and suit (1 clubs, 2 diamonds,
3 hearts, 4 spades), the numbers of protocol section 5. Its text is rank and suit in one letter
each: ``AS``, ``9D``, ``TC``. A card not read or not yet revealed is written ``??``.

An ace counts 11 unless that would pass 21 (the best total is always taken, matrix A-01, A-03);
in a doubled hand, some of its aces count 1 (``hard_aces``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
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


class NumberedCard(Card):
    """A card that knows which of the round it is, from 1, and when it ``came`` to where it lies: in
    that order, but for one that waited. It is equal to the card without a number. Every card of a
    round is one, but for a round that a snapshot has stored."""

    number: int
    came: tuple[int, int]
    forced: bool  # the hand had to take it, and nobody was asked

    @classmethod
    def numbered(cls, card: Card, number: int, came: tuple[int, int] = (0, 0)) -> NumberedCard:
        """The card with that number; one that waited came as the second of ``came`` behind the
        first, the last one to leave the shoe."""
        found = tuple.__new__(cls, card)
        found.number, found.came = number, came if came[0] else (number, 0)
        found.forced = False
        return found

    def __repr__(self) -> str:
        return repr(Card(*self))


def number_of(card: Card) -> int:
    """Which of the round the card is; 0 where it is not numbered."""
    return card.number if isinstance(card, NumberedCard) else 0


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


BUST_ABOVE = 21


def hand_total(cards: Sequence[Card], hard_aces: int = 0) -> int:
    """Best total of ``cards``; ``hard_aces`` of its aces may count only 1."""
    total = 0
    aces = 0
    for rank, _ in cards:
        if rank == ACE:
            aces += 1
        total += rank if rank < TEN else TEN
    if aces > hard_aces and total <= BUST_ABOVE - 10:
        total += 10
    return total


def hard_total(cards: Sequence[Card]) -> int:
    """Total with every ace as 1."""
    return sum(card.points for card in cards)


def is_soft(cards: Sequence[Card], hard_aces: int = 0) -> bool:
    """Whether an ace counts 11 in the best total."""
    return hand_total(cards, hard_aces) != hard_total(cards)


def is_pontoon(cards: Sequence[Card]) -> bool:
    """Whether the hand is an ace and a ten-value card; whether a split bars that is not asked."""
    if len(cards) != 2:
        return False
    first, second = cards[0].rank, cards[1].rank
    return (first == ACE and second >= TEN) or (second == ACE and first >= TEN)


def same_rank(cards: Sequence[Card]) -> bool:
    """Whether two cards have equal rank: king and queen do not."""
    return cards[0].rank == cards[1].rank


def same_value(cards: Sequence[Card]) -> bool:
    """Whether two cards have equal value: pictures all count 10."""
    return cards[0].points == cards[1].points


def ranks_are(cards: Sequence[Card], wanted: tuple[int, int, int]) -> bool:
    """Whether three cards have these ranks (ascending), in any order."""
    return len(cards) == 3 and tuple(sorted(card.rank for card in cards)) == wanted


def suits_are(cards: Sequence[Card]) -> str:
    """``spades``, ``suited`` (one suit, not spades) or ``mixed``."""
    first = cards[0].suit
    if any(card.suit != first for card in cards):
        return "mixed"
    return "spades" if first == SPADES else "suited"


Odds = tuple[int, int]


class Indivisible(ValueError):
    """A stake for which the odds do not give whole cents."""


def line_for_21(cards: Sequence[Card]) -> str:
    """The pay table's line, one at most, of a hand of 21 that is not a Pontoon and not doubled."""
    count = len(cards)
    if count == 3:
        if ranks_are(cards, (6, 7, 8)):
            return f"678_{suits_are(cards)}"
        if ranks_are(cards, (7, 7, 7)):
            return f"777_{suits_are(cards)}"
    if count >= 7:
        return "cards_7_or_more"
    return f"cards_{count}" if count >= 5 else "regular"


def winnings(stake_cents: int, odds: Odds) -> int:
    """Net win in cents of a stake at ``odds`` (a to b); Indivisible where it is no whole cents."""
    cents, rest = divmod(stake_cents * odds[0], odds[1])
    if rest:
        raise Indivisible(f"{stake_cents} cents cannot be paid {odds[0]}:{odds[1]} in whole cents")
    return cents
