"""Every decision of small shoes against a reckoning card by card."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Final

import pytest

from figures.kernel.choices import DOUBLE, HIT, STAND, SURRENDER
from figures.kernel.words import card_of, class_of
from figures.strategy.doubling import NONE
from figures.strategy.model import model_of
from figures.strategy.preferring import optimum
from tests.figures.strategy.plain import Plain
from tests.figures.strategy.support import DOCUMENTS, changed, number, value

FEW: Final = "AC AD 2S 4C 5D 6C 6C 6D 6H 6S 7C 7D 7H 7H 7S 8C 8S 8S 9S JC QC KC KS 5S"
"""Aces and tens; sixes, sevens and eights in several suits, the same card twice among them."""
ASKED: Final = "6C-7C:7 7C-7H:J 7H-8C:A AC-7C:6 4C-JC:K AC-AD:7 6C-6D:5 2S-5D:8 7D-7H:7 6S-8S:9"
"""First two cards of a class, and the dealer's."""
CHOICES: Final = {
    "stand": STAND,
    "hit": HIT,
    "double": DOUBLE,
    "surrender": SURRENDER,
    "pontoon": STAND,
}


@pytest.mark.parametrize("rules_id", ["mbs-pontoon-pandemonium-v5", "division-15-pontoon"])
@pytest.mark.parametrize(("soft17", "redoubles"), [("draw", 0), ("stand", 0), ("draw", 2)])
def test_every_first_decision_of_a_small_shoe_is_exact(
    rules_id: str, soft17: str, redoubles: int
) -> None:
    rules, cards = (
        changed(rules_id, dealer={"soft17": soft17}),
        [number(name) for name in FEW.split()],
    )
    model = model_of(rules, 1, cards=cards, others={"redoubles": redoubles})
    plain = Plain(rules, cards, redoubles)
    options = optimum(model).options
    for question in ASKED.split():
        two, _, dealer = question.partition(":")
        first, second = (card_of(number(name)) for name in two.split("-"))
        place, up = class_of(first, second), card_of(number(f"{dealer}C")).points
        said = _mean_of_class(plain, place, up)
        found = {name: options[CHOICES[name], place, up - 1] for name in said}
        assert found == pytest.approx(said, abs=1e-12), question
        others = [choice for choice in range(6) if choice not in {CHOICES[name] for name in said}]
        assert all(options[choice, place, up - 1] == NONE for choice in others)


def _mean_of_class(plain: Plain, place: int, up: int) -> dict[str, float]:
    """What each choice is worth, on average over the cards of the class that the shoe has."""
    sums: dict[str, float] = defaultdict(float)
    weights = 0
    for first, count in plain.cards.items():
        for second, other in plain.cards.items():
            weight = count * (other - (first == second))
            if weight and class_of(first, second) == place:
                weights += weight
                for name, worth in plain.best(first, second, up).items():
                    sums[name] += weight * worth
    return {name: worth / weights for name, worth in sums.items()}


def test_chances_of_a_shoe_and_of_a_dealer_add_up() -> None:
    for rules_id in DOCUMENTS:
        model = model_of(changed(rules_id), 6)
        assert model.two.chance.sum() == pytest.approx(1)
        drawn = model.draw[model.hands.row(4, 5)].sum(axis=0)
        assert drawn == pytest.approx([1] * 10)


def test_a_choice_that_is_taken_away_takes_value_away() -> None:
    given: dict[str, dict[str, Any]] = {
        "mbs-pontoon-pandemonium-v5": {"withdraw_below": 0},
        "division-15-pontoon": {"cards": "first_two"},
    }
    for rules_id, double in given.items():
        least = model_of(changed(rules_id, double=double), 4)
        most = model_of(changed(rules_id), 4)
        assert value(least, optimum(least)) < value(most, optimum(most)) - 1e-5
