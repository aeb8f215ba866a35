"""Payment of winning hands: the lines of the pay table for 21, and amounts in cents."""

from __future__ import annotations

from collections.abc import Sequence

from controller.game.rules.cards import Card
from controller.game.rules.hands import ranks_are, suits_are
from controller.game.rules.schema import RuleSet

Odds = tuple[int, int]


class Indivisible(ValueError):
    """A stake for which the odds do not give whole cents."""


def line_for_21(cards: Sequence[Card]) -> str:
    """The pay table's line of a hand of 21 that is not a Pontoon and not doubled.

    A hand can match one line at most: 6-7-8 and 7-7-7 have three cards, the others five or more.
    """
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


def super_bonus_sum(rules: RuleSet, stake_cents: int) -> int:
    """The Super Bonus in cents for a main wager; 0 below the lowest bracket (matrix A-14)."""
    paid = 0
    assert rules.super_bonus
    for from_dollars, dollars in rules.super_bonus.brackets.value:
        if stake_cents >= from_dollars * 100:
            paid = dollars * 100
    return paid
