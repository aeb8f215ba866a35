"""A game of a document in which much happens."""

from __future__ import annotations

from typing import Final

from controller.draw.weights import Weights
from controller.files.rules import load_rules
from figures.games.games import Game
from figures.kernel.choices import CHOICES
from figures.kernel.plans import FirstTwo, Later, Policy, Preferences

SEED: Final = 39


def preferred(two: FirstTwo) -> Preferences:
    points = two.first.points + two.second.points + two.against + two.split
    return [(points + place) % CHOICES for place in range(3)]


def preferred_later(hand: Later) -> Preferences:
    return [(hand.hard + hand.cards + hand.against + place) % CHOICES for place in range(2)]


def takes_back(total: int, against: int) -> bool:
    return (total + against) % 2 == 0


POLICY = Policy(preferred, preferred_later, takes_back, insures=True)


def game_of(document: str) -> Game:
    rules = load_rules(document)
    multipliers = rules.pandemonium.multipliers.value if rules.pandemonium else ()
    pairs = tuple((multiplier, 3 + multiplier % 7) for multiplier in multipliers)
    weights = Weights(pairs) if pairs else None
    return Game(rules, 4, POLICY, boxes=3, sides=True, weights=weights, penetration=90)
