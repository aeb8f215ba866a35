"""What is known exactly, from a full shoe, beside the wagers on two cards (:mod:`..rounds.exact`).

The rules:

- A card that nobody has seen is any of those left with the same chance, however many were dealt
  before it, and for whatever reasons that depend on other cards. So what others do changes neither
  a box's third card nor the dealer's second one, on average.
- The Super Bonus comes to three sevens of one suit against a dealer's seven, of the suits of which
  the policy hits the first two. By a hand that a split has formed it comes in no document of ours;
  where it may, there is no closed form here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from math import comb, factorial, perm, prod
from typing import Final

from controller.game.rules.cards import ACE, RANKS, TEN, Card
from controller.game.rules.schema import RuleSet
from figures.edges.results import InsuranceFigures
from figures.kernel.choices import HIT, SPLIT
from figures.kernel.plans import FirstTwo, Policy
from figures.rounds.shoe import full_shoe

SEVEN: Final = 7
SUITS: Final = 4
OF_A_BONUS: Final = 3
"""Sevens that it takes."""


def insurance(rules: RuleSet, decks: int) -> list[InsuranceFigures]:
    """Its edge by the dealer's first card; empty where it is not played."""
    if rules.insurance is None:
        return []
    shoe = Counter(card.rank for card in full_shoe(rules, decks))
    over, under = rules.pays["insurance"].value
    found: list[InsuranceFigures] = []
    for name in rules.insurance.dealer_first.value:
        rank = RANKS.index(name) + 1
        if not shoe[rank]:
            continue
        others = shoe - Counter([rank])
        chance = Fraction(sum(others[one] for one in _completes(rank)), others.total())
        edge = 1 - chance * (1 + Fraction(over, under))
        found.append(
            {
                "against": name,
                "chance": float(chance),
                "edge": float(edge),
                "edge_exactly": str(edge),
            }
        )
    return found


def suits_hit(rules: RuleSet, policy: Policy) -> int | None:
    """Of how many suits the policy hits two sevens against a seven; None where the Super Bonus may
    come by a split, too."""
    sevens = [Card(SEVEN, suit) for suit in range(1, SUITS + 1)]
    chosen = {
        (one, other): next(iter(policy.first_two(FirstTwo(one, other, False, SEVEN))))
        for one, other in product(sevens, repeat=2)
    }
    if rules.split.pays.value == "as_unsplit" and SPLIT in chosen.values():
        return None
    return sum(chosen[seven, seven] == HIT for seven in sevens)


def bonus_chance(rules: RuleSet, decks: int, suits: int = SUITS) -> Fraction:
    """The chance that a box gets the Super Bonus where it can with so many suits."""
    return _all_get_it(rules, decks, 1, suits)


def share_chances(rules: RuleSet, decks: int, boxes: int, suits: int = SUITS) -> list[Fraction]:
    """The chance that a box has a share of others' Super Bonus, which it has not got itself, with
    1, 2, … boxes in play."""
    together = [_all_get_it(rules, decks, many, suits) for many in range(boxes + 1)]
    return [
        sum(
            (
                (-1) ** (many + 1) * comb(others, many) * (together[many] - together[many + 1])
                for many in range(1, others + 1)
            ),
            Fraction(0),
        )
        for others in range(boxes)
    ]


def _all_get_it(rules: RuleSet, decks: int, boxes: int, suits: int) -> Fraction:
    """The chance that so many boxes all get it: three sevens each of one of the suits, and another
    seven for the dealer."""
    cards, sevens = len(full_shoe(rules, decks)), SUITS * decks
    dealt = OF_A_BONUS * boxes
    ways = sum(
        factorial(boxes)
        // prod(map(factorial, parts))
        * prod(perm(decks, OF_A_BONUS * many) for many in parts)
        for parts in product(range(boxes + 1), repeat=suits)
        if sum(parts) == boxes
    )
    return Fraction(ways * max(sevens - dealt, 0), perm(cards, dealt + 1))


def _completes(rank: int) -> Sequence[int]:
    """Ranks that make a Pontoon with that one."""
    if rank == ACE:
        return range(TEN, len(RANKS) + 1)
    return (ACE,) if rank >= TEN else ()
