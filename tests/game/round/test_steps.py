"""Steps of a round: each class has its text, which is its form in snapshots, too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given

from controller.game.commands.command import read_open
from controller.game.commands.values import Seat
from controller.game.commands.verbs import STEPS
from controller.game.round import remedies, steps
from controller.game.round.remedies import parse_step, step_of
from controller.game.round.steps import Step
from controller.table.snapshot import BadSnapshot, dump, load
from tests.game.round.any_step import any_step, written

ROUNDS = Path(__file__).parents[2] / "rounds"


def _classes(kind: type[Step]) -> set[type[Step]]:
    return {kind}.union(*map(_classes, kind.__subclasses__()))


@given(written)
def test_a_step_is_read_as_it_was_written(step: Step) -> None:
    assert step_of(read_open(str(step))) == step


@given(any_step)
def test_a_step_is_restored_as_it_was_stored(step: Step) -> None:
    plain = dump(step)
    assert load(json.loads(json.dumps(plain)), Step) == step


@given(any_step)
def test_a_step_is_a_frozen_value_without_more(step: Step) -> None:
    assert hash(step) == hash(step)
    assert not hasattr(step, "__dict__")


def test_every_verb_has_its_class() -> None:
    verbs = {kind.verb for kind in _classes(Step) if hasattr(kind, "verb")}
    assert verbs == set(STEPS)


def _in_scripts() -> list[str]:
    lines = [
        json.loads(text)
        for path in sorted(ROUNDS.glob("*.jsonl"))
        for text in path.read_text(encoding="utf-8").splitlines()
    ]
    played = [line["script"]["steps"] for line in lines if "expect" in line]
    return sorted({step.removeprefix("!").strip() for steps in played for step in steps})


def test_every_step_of_a_script_is_written_in_one_form() -> None:
    """Amounts with two decimals; else as it stands there."""
    steps = _in_scripts()
    assert len(steps) > 200
    for text in steps:
        said = str(parse_step(text))
        assert parse_step(said) == parse_step(text)
        assert said.replace(".00", "") == " ".join(text.split()).replace(".00", "")


def test_a_step_is_stored_as_its_text() -> None:
    assert dump(steps.Double(Seat(2, "b"), 5000)) == "double 2b 50.00"


@pytest.mark.parametrize(
    "stored", ["hit", "wait 1", "correct 3", "nominate 1", "choose 1 wait", "lies 3 away", 5]
)
def test_what_is_no_step_is_no_snapshot(stored: object) -> None:
    with pytest.raises(BadSnapshot):
        load(stored, Step)


def test_a_decision_is_no_correction_of_a_snapshot() -> None:
    with pytest.raises(BadSnapshot):
        load("hit 1", remedies.Correction)
