"""The value of a hand, the lines of the pay table for 21, and amounts that are won.

An ace counts 11 unless that would pass 21 (the best total is always taken, matrix A-01, A-03);
in a doubled hand, some of its aces count 1 (``hard_aces``).
"""

from __future__ import annotations

from collections.abc import Sequence

from controller.game.rules.cards import ACE, SPADES, TEN, Card

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
