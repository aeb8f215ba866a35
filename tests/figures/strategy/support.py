"""Games whose strategies are looked at."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from controller.files.rules import load_rules
from controller.game.rules.loader import build_rules, dump_rules
from controller.game.rules.schema import RuleSet
from figures.strategy.model import GameModel, model_of
from figures.strategy.payoffs import Foreign
from figures.strategy.preferring import Worth

DOCUMENTS: Final = (
    "mbs-pontoon-pandemonium-v5",
    "rws-pontoon-pandemonium-v4",
    "rws-pontoon-plus-v5",
    "division-15-pontoon",
    "pontoon-five-card-trick",
)


def changed(rules_id: str, **sections: dict[str, Any]) -> RuleSet:
    data = dump_rules(load_rules(rules_id))
    for section, values in sections.items():
        for name, value in values.items():
            data[section][name]["value"] = value
    return build_rules(data, "a test")


def blackjack(decks: int, *, hits_soft_17: bool) -> GameModel:
    """Blackjack as Eric Farmer's analyser has it without splits: from whole decks, the dealer looks
    for his blackjack, a double is any, late surrender against all, 3 to 2."""
    ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K"]
    rules = changed(
        "division-15-pontoon",
        dealer={"soft17": "draw" if hits_soft_17 else "stand"},
        double={"cards": "any" if hits_soft_17 else "first_two", "withdraw_below": 0},
        surrender={"dealer_first": ranks},
        stand={"minimum": 0},
    )
    return model_of(
        rules,
        decks,
        cards=list(range(52)) * decks,
        others={"hole_card": 1, "double_soft": 1},
        foreign=Foreign(compares_21=True, ties_pontoon=True),
    )


def value(model: GameModel, worth: Worth) -> float:
    return float((model.two.chance * worth.by_class()).sum())


def by_dealer(model: GameModel, worth: Worth) -> list[float]:
    """The same by the dealer's first card, the ace first."""
    return [
        float(number)
        for number in (model.two.chance * worth.by_class()).sum(0) / model.two.chance.sum(0)
    ]


def class_like(model: GameModel, low: int, high: int) -> int:
    return int(np.flatnonzero((model.two.low == low) & (model.two.high == high))[0])


def number(name: str) -> int:
    """The number of a card by its name, as in ``7C``."""
    return "A23456789TJQK".index(name[0]) * 4 + "CDHS".index(name[1])
