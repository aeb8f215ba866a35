"""Runs of the models do the same on the code, and runs of the code are permitted by the models."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from proof.models.__main__ import PLANTED
from proof.models.checker import SOURCES, Model
from proof.models.link.link_bench import LinkBench
from proof.models.link.steps import Step
from proof.models.playing import accepted, same

pytestmark = pytest.mark.needs("spin")

SEEDS: Final = range(1, 1 + int(os.environ.get("TABLE_WALKS", "100")) // 10)
"""Of runs at random, of each kind."""

LINK: Final = {"EVENTS": 8, "SESSIONS": 4, "COMMANDS": 4, "ROOM": 6, "SENT": 4, "WINDOW": 8}
"""No bound on faults; transmissions and events in flight are those of the code."""


class Runs(NamedTuple):
    """Runs of a model within ``bounds``: at most so many ``steps`` of SPIN's, ``more`` than so many
    of ours; of the code so ``many`` steps, of more than so many ``kinds``."""

    bounds: Mapping[str, int]
    steps: int
    more: int
    many: int
    kinds: int

    def of(self, seed: int) -> Mapping[str, int]:
        """With an attack an honest run ends soon: in every other one there is none."""
        attacks = self.bounds.get("ATTACKS", 0) * (seed % 2)
        return {**self.bounds, "ATTACKS": attacks}


RUNS: Final = {
    "link": Runs(LINK, 6000, 100, 200, 12),
    "draw": Runs({"FAULTS": 4}, 1500, 15, 60, 3),
    "stored": Runs({"ENTRIES": 8, "FAULTS": 2, "ATTACKS": 3, "CLOSES": 2}, 6000, 15, 60, 3),
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", RUNS)
def test_a_run_of_the_model_does_the_same_on_the_code(name: str, seed: int, tmp_path: Path) -> None:
    bounds, runs = RUNS[name].of(seed), RUNS[name]
    model = Model(SOURCES[name], {**bounds, "WALK": None}, tmp_path / "model")
    run = model.walk(seed, runs.steps)
    bench = PLANTED[name][0](tmp_path / "table", bounds)
    assert len(run) > runs.more
    assert same(bench, run) == ""
    assert bench.wrong == []
    bench.close()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", RUNS)
def test_a_run_of_the_code_is_permitted_by_the_model(name: str, seed: int, tmp_path: Path) -> None:
    bounds, runs = RUNS[name].of(seed), RUNS[name]
    bench = PLANTED[name][0](tmp_path / "table", bounds)
    run = bench.wander(seed, runs.many)
    steps = [taken.step for taken in run]
    assert len(set(steps)) > runs.kinds
    by_model = Model(SOURCES[name], bounds, tmp_path / "model").follow(steps)
    assert accepted(bench, run, by_model) == ""
    assert bench.wrong == []
    bench.close()


def test_a_run_that_the_code_did_not_make_is_not_accepted(tmp_path: Path) -> None:
    """The comparison can fail: another value in the state, and a step that is not permitted."""
    bench = LinkBench(tmp_path, LINK)
    run = bench.wander(3, 40)
    model = Model(SOURCES["link"], LINK, tmp_path)
    by_model = model.follow([taken.step for taken in run])
    altered = [*run[:20], replace(run[20], state=(9,) * 20), *run[21:]]
    assert accepted(bench, altered, by_model).startswith("step 20: ")
    not_permitted = [*(taken.step for taken in run[:20]), Step.PLUG, Step.PLUG]
    assert len(model.follow(not_permitted)) < len(not_permitted)
