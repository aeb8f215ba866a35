"""The machine that rounds use, against the library's own: the same rounds, the same results."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytest_mock import MockerFixture
from transitions import Machine, MachineError

from controller.files.rules import rules_in
from controller.round import machine
from controller.round.play import Round
from controller.scripts.runner import run_script
from controller.scripts.script import parse_json, read_script
from tests.table.play import LIMITS, RULES, begin

ROUNDS = Path(__file__).parents[1] / "rounds"


@pytest.mark.parametrize("path", sorted(ROUNDS.glob("*.jsonl")), ids=lambda path: path.stem)
def test_rounds_go_as_on_the_machine_of_the_library(path: Path, mocker: MockerFixture) -> None:
    rules = rules_in(ROUNDS)
    lines = [parse_json(text) for text in path.read_text(encoding="utf-8").splitlines()]
    scripts = [read_script(line["script"], rules) for line in lines if "expect" in line]
    lean = [run_script(script) for script in scripts]
    whole = machine.build_machine(Machine)
    for name in ("controller.round.play", "controller.round.state"):
        mocker.patch(f"{name}.MACHINE", whole)
    assert [run_script(script) for script in scripts] == lean


def test_what_does_not_start_in_the_state_is_an_error() -> None:
    play = begin(next(iter(RULES)), seed=1)
    rnd = Round(play.rnd.rules, LIMITS, play.rnd.sheet)
    with pytest.raises(MachineError, match=r"shown cannot be triggered in deal\.first_cards"):
        rnd.shown()
