"""Steps of a round: each class has its text, and its form in snapshots."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given

from controller.game.round.steps import dealers, decisions, jackpot, remedies, reports, wagers
from controller.game.round.steps.reading import STEP_VERBS, parse_step
from controller.game.round.steps.remedies import HandAt, Lies, NoHand, Use
from controller.game.round.steps.step import Seat, Step
from controller.game.rules.cards import parse_card
from controller.table.snapshot.codec import PLAIN, BadSnapshot
from tests.game.round.any_step import any_step, written

ROUNDS = Path(__file__).parents[2] / "rounds"


def _classes(kind: type[Step]) -> set[type[Step]]:
    return {kind}.union(*map(_classes, kind.__subclasses__()))


@given(written)
def test_a_step_is_read_as_it_was_written(step: Step) -> None:
    assert parse_step(str(step), amounts_needed=False) == step


@given(any_step)
def test_a_step_is_restored_as_it_was_stored(step: Step) -> None:
    plain = PLAIN.dump(step, Step)
    assert PLAIN.load(json.loads(json.dumps(plain)), Step) == step


@given(any_step)
def test_a_step_is_a_frozen_value_without_more(step: Step) -> None:
    assert hash(step) == hash(step)
    assert not hasattr(step, "__dict__")


def test_every_verb_has_its_class() -> None:
    verbs = {kind.verb for kind in _classes(Step) if hasattr(kind, "verb")}
    assert verbs == set(STEP_VERBS)


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


@pytest.mark.parametrize(
    ("step", "stored"),
    [
        (decisions.Hit(Seat(1)), {"verb": "hit", "seat": {"box": 1}}),
        (
            decisions.Double(Seat(2, "b"), 5000),
            {"verb": "double", "seat": {"box": 2, "bettor": "b"}, "amount": 5000},
        ),
        (
            wagers.Insure(Seat(2), Seat(1), 5),
            {"verb": "insure", "seat": {"box": 2}, "amount": 5, "other": {"box": 1}},
        ),
        (wagers.Place(Seat(1), 2), {"verb": "place", "seat": {"box": 1}, "number": 2}),
        (
            jackpot.Nominate(Seat(1), None),
            {"verb": "nominate", "seat": {"box": 1}, "by_staff": True},
        ),
        (dealers.Overdraw(parse_card("9D")), {"verb": "overdraw", "cards": ["9D"]}),
        (Use(parse_card("9D")), {"verb": "use", "cards": ["9D"]}),
        (
            remedies.ChooseCard(Seat(1), parse_card("9D")),
            {"verb": "choose", "seat": {"box": 1}, "cards": ["9D"]},
        ),
        (
            remedies.ChooseOption(Seat(1), remedies.Option.RETURN),
            {"verb": "choose", "seat": {"box": 1}, "word": "return"},
        ),
        (
            remedies.Correct(3, parse_card("9D")),
            {"verb": "correct", "number": 3, "cards": ["9D"]},
        ),
        (
            Lies(3, HandAt(2, 1)),
            {"verb": "lies", "seat": {"box": 2}, "number": 3, "option": "1"},
        ),
        (Lies(3, NoHand.OUT), {"verb": "lies", "number": 3, "word": "out"}),
        (
            reports.ReportDrawn(dealer=True, seen=True),
            {"verb": "report", "word": "drawn", "option": "dealer seen"},
        ),
    ],
)
def test_a_step_is_stored_as_0_2_0_has_stored_it(step: Step, stored: object) -> None:
    assert PLAIN.dump(step, Step) == stored
    assert PLAIN.load(stored, Step) == step


@pytest.mark.parametrize(
    "stored",
    [
        {"verb": "hit"},
        {"verb": "wait", "seat": {"box": 1}},
        {"verb": "correct", "number": 3},
        {"verb": "nominate", "seat": {"box": 1}},
        {"verb": "choose", "seat": {"box": 1}, "word": "wait"},
        {"verb": "lies", "number": 3, "word": "away"},
    ],
)
def test_what_is_no_step_is_no_snapshot(stored: object) -> None:
    with pytest.raises(BadSnapshot):
        PLAIN.load(stored, Step)


def test_a_decision_is_no_correction_of_a_snapshot() -> None:
    with pytest.raises(BadSnapshot):
        PLAIN.load({"verb": "hit", "seat": {"box": 1}}, remedies.Correction)
