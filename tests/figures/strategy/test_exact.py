"""Every decision of small shoes against a reckoning card by card."""

from __future__ import annotations

from collections import defaultdict
from typing import Final

import pytest

from figures.kernel.choices import DOUBLE, HIT, STAND, SURRENDER
from figures.kernel.words import card_of, class_of
from figures.strategy.doubling import NONE
from figures.strategy.model import model_of
from figures.strategy.preferring import optimum
from tests.figures.strategy.plain import Plain
from tests.figures.strategy.support import changed, number

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
