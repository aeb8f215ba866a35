"""Runs of the models do the same on the code, and runs of the code are permitted by the models."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from proof.models.checker import SOURCES, Model
from proof.models.draw import steps as draw
from proof.models.draw.draw_bench import DrawBench
from proof.models.link import steps as link
from proof.models.link.link_bench import LinkBench
from proof.models.playing import accepted, same, wander
from proof.models.stored import steps as stored
from proof.models.stored.bench import StoredBench

pytestmark = pytest.mark.needs("spin")

SEEDS: Final = range(1, 1 + int(os.environ.get("TABLE_WALKS", "33")) // 10)
"""Of runs at random, of each kind."""

LINK: Final = {"EVENTS": 8, "SESSIONS": 4, "COMMANDS": 4, "ROOM": 6, "SENT": 4, "WINDOW": 8}
"""No bound on faults; transmissions and events in flight are those of the code."""
DRAW: Final = {"FAULTS": 4}
STORED: Final = {"ENTRIES": 8, "FAULTS": 2, "ATTACKS": 3, "CLOSES": 2}
"""With an attack an honest run ends soon: in every other one there is none."""


@pytest.mark.parametrize("seed", SEEDS)
def test_a_run_of_the_link_does_the_same_on_the_sessions(seed: int, tmp_path: Path) -> None:
    run = Model(SOURCES["link"], LINK, tmp_path).walk(seed, 6000)
    bench = LinkBench(tmp_path, LINK)
    assert len(run) > 100
    assert same(bench, run) == ""
    assert bench.wrong == []


@pytest.mark.parametrize("seed", SEEDS)
def test_a_run_of_the_sessions_is_permitted_by_the_link(seed: int, tmp_path: Path) -> None:
    bench = LinkBench(tmp_path, LINK)
    run = bench.wander(seed, 200)
    assert len({taken.step for taken in run}) > 12
    by_model = Model(SOURCES["link"], LINK, tmp_path).follow([taken.step for taken in run])
    assert accepted(bench, run, by_model) == ""
    assert bench.wrong == []


@pytest.mark.parametrize("seed", SEEDS)
def test_a_run_of_the_draw_does_the_same_on_the_table(seed: int, tmp_path: Path) -> None:
    run = Model(SOURCES["draw"], DRAW, tmp_path).walk(seed, 1500)
    bench = DrawBench(tmp_path / "state", DRAW)
    assert len(run) > 15
    assert same(bench, run) == ""
    assert bench.wrong == []
    bench.close()


@pytest.mark.parametrize("seed", SEEDS)
def test_a_run_of_the_table_is_permitted_by_the_draw(seed: int, tmp_path: Path) -> None:
    bench = DrawBench(tmp_path / "state", DRAW)
    run = wander(bench, seed, 60, draw.FAULTS)
    by_model = Model(SOURCES["draw"], DRAW, tmp_path).follow([taken.step for taken in run])
    assert accepted(bench, run, by_model) == ""
    assert bench.wrong == []
    bench.close()


def stored_bounds(seed: int) -> dict[str, int]:
    return {**STORED, "ATTACKS": STORED["ATTACKS"] * (seed % 2)}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_run_of_what_is_stored_does_the_same_on_the_files(seed: int, tmp_path: Path) -> None:
    bounds = stored_bounds(seed)
    run = Model(SOURCES["stored"], {**bounds, "WALK": None}, tmp_path / "model").walk(seed, 6000)
    bench = StoredBench(tmp_path / "table", bounds)
    assert len(run) > 15
    assert same(bench, run) == ""
    assert bench.wrong == []
    bench.close()


@pytest.mark.parametrize("seed", SEEDS)
def test_a_run_of_the_files_is_permitted_by_what_is_stored(seed: int, tmp_path: Path) -> None:
    bounds = stored_bounds(seed)
    bench = StoredBench(tmp_path / "table", bounds)
    run = wander(bench, seed, 60, stored.FAULTS)
    by_model = Model(SOURCES["stored"], bounds, tmp_path / "model").follow(
        [taken.step for taken in run]
    )
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
    not_permitted = [*(taken.step for taken in run[:20]), link.Step.PLUG, link.Step.PLUG]
    assert len(model.follow(not_permitted)) < len(not_permitted)
