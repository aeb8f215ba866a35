"""What was reckoned exactly against the kernel, which plays the same policy card by card."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from controller.files.rules import load_rules
from figures.kernel.choices import BUY_LITTLE, DOUBLE, HIT, SPLIT
from figures.kernel.plans import new_plan
from figures.strangers import strangers
from figures.strategy.groups import for_print, for_simulation
from figures.strategy.model import GameModel, model_of
from figures.strategy.policy import policy_of
from figures.strategy.preferring import Tables, follow, tables_for
from figures.strategy.shoes import Array, Whole
from figures.strategy.solving import strategy_of
from figures.strategy.splits import Simulator
from tests.figures.strategy.support import DOCUMENTS, changed


def distances(model: GameModel, tables: Tables, rounds: Whole, *, compile_it: bool) -> Array:
    """How far the simulated mean of each first two cards and dealer's card is from the exact one,
    in standard errors of the mean."""
    played = Simulator(model, 5, compile_it=compile_it).play(
        new_plan(model.values, policy_of(model, tables)), rounds
    )
    exact = follow(model, tables).by_class()
    asked = (rounds > 0) & (played.variance > 0)
    error = np.sqrt(played.variance[asked] / rounds[asked])
    far: Array = (played.mean[asked] - exact[asked]) / error
    return far


def check(far: Array, least: int) -> None:
    """Means that are off as chance has them, of so many kinds at least."""
    assert len(far) > least
    assert abs(far.sum()) / len(far) ** 0.5 < 4
    assert np.mean(far**2) == pytest.approx(1, abs=4 * (2 / len(far)) ** 0.5 + 0.03)


@pytest.mark.needs("numba")
@pytest.mark.parametrize(
    ("rules_id", "smallest"),
    [*((name, None) for name in DOCUMENTS), ("pontoon-five-card-trick", Fraction(1, 10))],
)
@pytest.mark.parametrize("groups", [for_simulation, for_print])
def test_the_kernel_playing_the_policy_gives_the_exact_values(
    rules_id: str, smallest: Fraction | None, groups: object
) -> None:
    model = model_of(load_rules(rules_id), 4, smallest_buy=smallest)
    assert callable(groups)
    tables = tables_for(model, groups(model))
    chosen = follow(model, tables).chosen
    assert (chosen == BUY_LITTLE).any() == (smallest is not None)
    rounds = np.where((model.two.chance > 0) & (chosen != SPLIT), 1000, 0)
    check(distances(model, tables, rounds, compile_it=True), 1200)


@pytest.mark.needs("numba")
@pytest.mark.parametrize("always", [False, True])
@pytest.mark.parametrize("name", ["spanish-21-h17-redoubling", "pontoon-spl2-spa1-d9"])
def test_hands_doubled_again_are_worth_what_the_kernel_finds(name: str, always: bool) -> None:
    stranger = next(stranger for stranger in strangers() if stranger.name == name)
    redoubles = {**stranger.changed, "redoubles": 2}
    model = model_of(stranger.rules, 4, others=redoubles, super_bonus=stranger.super_bonus)
    tables = tables_for(model, for_simulation(model))
    doubled = follow(model, tables).chosen == DOUBLE
    assert tables.doubled.again.any()
    if model.values.double_soft:  # an ace may always count 11
        assert not follow(model, tables).arrivals.doubled[model.hands.aces > 0, 0].any()
    if always:  # so that what is rare in good play matters, as going over 21 with eight units
        again = tables.doubled._replace(again=np.ones_like(tables.doubled.again))
        tables = tables._replace(doubled=again)
        tables.first[:2] = [[[DOUBLE]], [[HIT]]]
        doubled = follow(model, tables).chosen == DOUBLE
    rounds = np.where(doubled, 4_000 if always else 20_000, 0)
    check(distances(model, tables, rounds, compile_it=True), 50)


def test_the_kernel_as_it_stands_gives_the_exact_values_of_some_hands() -> None:
    model = model_of(changed("division-15-pontoon"), 4)
    tables = tables_for(model, for_simulation(model))
    rounds = np.zeros(model.two.chance.shape, dtype=np.int64)
    rounds[model.two.there[::29], 3] = 400
    far = distances(model, tables, rounds, compile_it=False)
    assert len(far) > 3
    assert max(abs(far)) < 4.5


@pytest.mark.needs("numba")
def test_a_strategy_tells_its_parts_and_keeps_to_its_error() -> None:
    found = strategy_of(load_rules("rws-pontoon-plus-v5"), 6, error=2e-4)
    assert found.best.error == pytest.approx(2e-4, rel=0.1)
    assert found.printed.total < found.played.total + 5 * 2e-4
    assert found.played.total < found.best.total + 5 * 2e-4
    assert all(departure.worth > -1e-6 for departure in found.departures)
    assert not found.best.super_bonus
    paid = strategy_of(load_rules("rws-pontoon-plus-v5"), 6, error=2e-4, super_bonus=100, seed=2)
    assert 0 < paid.best.super_bonus < 1e-4
    gain = paid.best.total - found.best.total
    assert abs(gain - 100 * paid.best.super_bonus) < 5 * 2e-4
    assert found.best.simulated != paid.best.simulated
