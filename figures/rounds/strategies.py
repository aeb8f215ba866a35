"""How players decide: functions of what a person at the table sees, for the simulation and the rig.

- ``simple`` plays by a few rules of thumb: it splits aces and eights, doubles ten and eleven
  against a card that counts 2 to 9, draws to 17 against a strong card.
- :class:`Basic` takes what is worth most by :mod:`~.expectation`, hand for hand, and never insures.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from controller.game.rules.cards import ACE, TEN
from controller.game.rules.schema import RuleSet
from figures.rounds.expectation import Expectation, HandTotal

HIT: Final = "hit"
WEAK: Final = range(2, 7)
"""Dealer's first cards, by rank, against which a stiff hand stands."""


@dataclass(frozen=True, slots=True)
class Situation:
    """A player's choice. ``ranks`` of his hand's cards in order (1 ace to 13 king, 0 unknown) with
    their best ``total``, ``against`` the rank of the dealer's first card; ``may`` are the steps
    that he may take beside a hit. ``split`` is a hand formed by a split, ``bought`` how many of its
    cards were."""

    ranks: tuple[int, ...]
    total: int
    against: int
    may: frozenset[str]
    split: bool = False
    bought: int = 0


def simple(at: Situation) -> str:
    """What the rules of thumb say."""
    if "surrender" in at.may and at.total == 16 and at.ranks[0] != at.ranks[1]:
        return "surrender"
    if "split" in at.may and at.ranks[0] in (ACE, 8):
        return "split"
    if "double" in at.may and at.total in (10, 11) and ACE < at.against < TEN:
        return "double"
    stiff = at.total < 17 and not (at.total > 13 and at.against in WEAK)
    return "stand" if "stand" in at.may and not stiff else HIT


class Strategy:
    """How a player plays everything that a round may ask of him: by rules of thumb."""

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules

    def decide(self, at: Situation) -> str:
        """The decision on the hand in turn."""
        return simple(at)

    def surrenders(self, at: Situation) -> bool:
        """Whether he gives the hand up before play, where that is offered."""
        return self.decide(at) == "surrender"

    def withdraws(self, total: int, against: int) -> bool:
        """Whether he takes the doubled part back; ``against`` is a rank."""
        return False


class Basic(Strategy):
    """The best step by expected value; every situation is computed once."""

    def __init__(self, rules: RuleSet) -> None:
        super().__init__(rules)
        self._expects = Expectation(rules)
        self._decided: dict[tuple[tuple[int, ...], int, frozenset[str], bool, int], str] = {}

    def decide(self, at: Situation) -> str:
        """The decision on the hand in turn."""
        points = tuple(sorted(map(_points, at.ranks)))
        key = points, _points(at.against), at.may, at.split, at.bought
        if key not in self._decided:
            worth = self._worth(at)
            self._decided[key] = max(worth, key=worth.__getitem__)
        return self._decided[key]

    def withdraws(self, total: int, against: int) -> bool:
        """Whether he takes the doubled part back; ``against`` is a rank."""
        return (
            self._expects.doubled_kept(HandTotal(total, ace=False, cards=3), _points(against)) < -1
        )

    def _worth(self, at: Situation) -> Mapping[str, float]:
        """What each thing that he may do is worth, in the order in which one is taken of equals."""
        points, against = [_points(rank) for rank in at.ranks], _points(at.against)
        hand = HandTotal(sum(points), ACE in points, len(points), at.split, 1 + at.bought)
        expects, worth = self._expects, {}
        if "stand" in at.may:
            worth["stand"] = hand.stakes * expects.standing(hand, against)
        worth[HIT] = expects.hit(hand, against)
        if "double" in at.may:
            worth["double"] = expects.doubled(hand, against)
        if "split" in at.may:
            worth["split"] = expects.split(points[0], against)
        if "buy" in at.may:
            worth["buy"] = expects.bought(hand, against)
        if "surrender" in at.may:
            worth["surrender"] = expects.surrendered(against)
        return worth


STRATEGIES: Final[Mapping[str, type[Strategy]]] = MappingProxyType(
    {"basic": Basic, "simple": Strategy}
)
"""Strategies by name."""


def _points(rank: int) -> int:
    return min(rank, TEN)
