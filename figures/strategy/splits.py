"""What a split is worth: simulated by the kernel, with the strategy found, from full shoes that
begin with the pair and the dealer's first card."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from figures.games.compiled import cells, compiled, jit_disabled, small_cells
from figures.games.games import ShoeTooSmall, chance_of
from figures.kernel.choices import SPLIT
from figures.kernel.felt import MAIN, RANDOM, SEEN, SIZE
from figures.kernel.forced import FORCED, FORCED_NET, FORCED_SQUARED, play_forced
from figures.kernel.shoe import new_shoe
from figures.kernel.tallies import SUPER_BONUS
from figures.kernel.words import CLASSES
from figures.strategy.groups import HandGroups
from figures.strategy.model import GameModel
from figures.strategy.policy import policy_of, splitting_plan
from figures.strategy.preferring import Tables, follow, tables_for
from figures.strategy.shoes import POINTS, Array, Whole

PILOT: Final = 2_500
"""Rounds of each pair and dealer's card of which it is to be seen whether it is split."""
CLOSE: Final = 3.0
"""Standard errors within which that is looked at again, with :data:`MORE` times as many rounds."""
MORE: Final = 16
LEAST: Final = 500
"""Rounds of what is split, at least."""


@dataclass
class Splits:
    """By class and dealer's value, each in units: ``mean`` of a split (minus infinity where none
    was played), ``variance`` of one round, and how many ``rounds`` were played."""

    mean: Array
    variance: Array
    rounds: Whole

    def error(self, chance: Array) -> float:
        """The standard error of a sum of the means, each with that weight."""
        played = self.rounds > 0
        parts = np.where(played, chance**2 * self.variance / np.maximum(self.rounds, 1), 0.0)
        return float(np.sqrt(parts.sum()))

    def pooled(self, model: GameModel) -> tuple[Array, Array]:
        """The means of pairs of the same points together, whose suits matter too little to be told
        apart, and their standard errors."""
        mean, error = self.mean.copy(), np.zeros_like(self.mean)
        for value in range(POINTS):
            pairs = [pair for pair in model.pairs if model.two.low[pair] == value]
            played = self.rounds[pairs] > 0
            weight = model.two.chance[pairs] * played
            weight = weight / np.maximum(weight.sum(axis=0), 1e-300)
            parts = weight**2 * self.variance[pairs] / np.maximum(self.rounds[pairs], 1)
            together = (weight * np.where(played, mean[pairs], 0.0)).sum(axis=0)
            mean[pairs] = np.where(played, together, mean[pairs])
            error[pairs] = np.sqrt(parts.sum(axis=0))
        return mean, error


class Simulator:
    """Plays splits from a game's full shoe, compiled where that is asked for and Numba may, or
    not."""

    def __init__(self, model: GameModel, seed: int, *, compile_it: bool = True) -> None:
        compile_it = compile_it and not jit_disabled()
        self._model, self._seed, self._number = model, seed, 0
        self._compiled = compile_it
        self._play: Callable[..., bool] = compiled()["play_forced"] if compile_it else play_forced
        self._table = self._cells(list(model.table))

    def _cells(self, numbers: list[int]) -> Any:
        return cells(numbers) if self._compiled else numbers

    def play(self, plan: list[int], wanted: Whole) -> Splits:
        """As many rounds as are ``wanted`` of each class and dealer's value, by that plan.

        Raises:
            ShoeTooSmall: the shoe does not suffice for one of them.
        """
        model, two = self._model, self._model.two
        row = small_cells(plan) if self._compiled else plan
        all_cards = [card for card, count in enumerate(model.shoe.cards) for _ in range(count)]
        shoe = self._cells(new_shoe(all_cards, 100, 1))
        found = Splits(np.full((CLASSES, POINTS), -np.inf), np.zeros((CLASSES, POINTS)), wanted)
        for pair, up in np.argwhere(wanted > 0):
            felt = [0] * SIZE
            self._number += 1
            felt[MAIN], felt[RANDOM] = model.unit, chance_of(self._seed, self._number)
            felt, tally = self._cells(felt), self._cells([0] * FORCED)
            rounds = int(wanted[pair, up])
            points = int(two.low[pair]) + 1, int(two.high[pair]) + 1, int(up) + 1
            rows = model.values, self._table, row, felt, shoe, tally
            if not self._play(*rows, rounds, int(pair), *points):
                raise ShoeTooSmall("the decks do not suffice for a box that splits")
            bonus = int(felt[SEEN + SUPER_BONUS]) / rounds
            mean = int(tally[FORCED_NET]) / rounds / model.unit
            square = int(tally[FORCED_SQUARED]) / rounds / model.unit**2
            found.mean[pair, up] = mean + model.super_bonus * bonus
            found.variance[pair, up] = square - mean**2 + model.super_bonus**2 * bonus
        return found


def judged(model: GameModel, groups: HandGroups, simulator: Simulator) -> Array:
    """What splits are worth, by class and dealer's value, well enough to decide by: simulated
    twice, the second time with split hands played and split again as the first time has it, and
    with more rounds where it is close."""
    possible = _possible(model)
    tables = tables_for(model, groups)
    pilot = simulator.play(splitting_plan(model, policy_of(model, tables)), possible * PILOT)
    tables = tables_for(model, groups, pilot.pooled(model)[0])
    plan = splitting_plan(model, policy_of(model, tables))
    pilot = simulator.play(plan, possible * PILOT)
    closer = simulator.play(plan, np.where(_close(model, tables, pilot), PILOT * MORE, 0))
    return np.where(closer.rounds > 0, closer.pooled(model)[0], pilot.pooled(model)[0])


def measured(
    model: GameModel, tables: Tables, judged_worth: Array, simulator: Simulator, error: float
) -> Splits:
    """What the pairs are worth that these tables split: on rounds of their own, so that what was
    chosen for its luck does not count; as many of each as bring the standard error of the game's
    value to ``error`` with the fewest in all. The others have what they were judged by."""
    plan = splitting_plan(model, policy_of(model, tables))
    split = _possible(model) * _splits(model, tables)
    spread = simulator.play(plan, split * LEAST)
    weight = model.two.chance * split * np.sqrt(spread.variance)
    wanted = np.where(split, np.maximum(weight * weight.sum() / error**2, LEAST), 0)
    played = simulator.play(plan, wanted.astype(np.int64))
    played.mean = np.where(played.rounds > 0, played.pooled(model)[0], judged_worth)
    return played


def _possible(model: GameModel) -> Whole:
    """1 for each pair and dealer's value that the shoe can deal."""
    possible = np.zeros((CLASSES, POINTS), dtype=np.int64)
    possible[model.pairs] = model.two.chance[model.pairs] > 0
    return possible


def _splits(model: GameModel, tables: Tables) -> Whole:
    """1 where the tables split."""
    split = np.zeros((CLASSES, POINTS), dtype=np.int64)
    for pair in model.pairs:
        split[pair] = tables.first[0, tables.groups.first[pair]] == SPLIT
    return split


def _close(model: GameModel, tables: Tables, pilot: Splits) -> NDArray[np.bool_]:
    """Where it is not yet clear whether a split is worth more than the best of the rest."""
    mean, error = pilot.pooled(model)
    options = follow(model, tables, mean).options
    rest = np.delete(options, SPLIT, axis=0).max(axis=0)
    near = np.zeros((CLASSES, POINTS), dtype=bool)
    there = pilot.rounds > 0
    near[there] = np.abs(mean[there] - rest[there]) < CLOSE * error[there]
    return near
