"""Plain blackjack against the values of another's analyser."""

from __future__ import annotations

import pytest

from figures.kernel.choices import DOUBLE, HIT, STAND
from figures.strategy.preferring import optimum
from tests.figures.strategy.farmer import HANDS, overall
from tests.figures.strategy.support import blackjack, by_dealer, class_like, value


@pytest.mark.parametrize(("decks", "hits_soft_17", "said", "ups"), [*overall()])
def test_the_value_of_blackjack_is_farmers(
    decks: int, hits_soft_17: bool, said: float, ups: list[float]
) -> None:
    model = blackjack(decks, hits_soft_17=hits_soft_17)
    best = optimum(model)
    assert value(model, best) == pytest.approx(said, abs=1e-10)
    assert by_dealer(model, best) == pytest.approx(ups, abs=1e-10)


def test_each_decision_is_worth_what_farmer_says() -> None:
    model = blackjack(8, hits_soft_17=True)
    options = optimum(model).options
    for (first, second, dealer), said in HANDS.items():
        low, high = sorted((first - 1, second - 1))
        place, up = class_like(model, low, high), dealer - 1
        looked = model.spoilt[model.rows[place], up]
        found = [
            (options[choice, place, up] + looked) / (1 - looked) for choice in (STAND, HIT, DOUBLE)
        ]
        assert found == pytest.approx(said, abs=1e-10)
