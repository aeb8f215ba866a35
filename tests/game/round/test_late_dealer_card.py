"""The offers upon the dealer's late first card (MBS 5.12.2)."""

from __future__ import annotations

import dataclasses

import pytest

from controller.files.rules import load_rules
from controller.game.round.result_fields import RoundResult
from controller.game.rules.schema import RuleSet
from controller.game.scripts.runner import StepRefused, run_script
from controller.game.scripts.script import read_script

MBS = "mbs-pontoon-pandemonium-v5"


def _as_before() -> RuleSet:
    """A set of before: its case does not name the surrender."""
    rules = load_rules(MBS)
    cases = tuple(
        dataclasses.replace(case, options=("return",)) if "surrender" in case.options else case
        for case in rules.irregularities
    )
    return dataclasses.replace(rules, irregularities=cases)


def _drawn(rules: RuleSet) -> RoundResult:
    script = {
        "title": "box 2 has drawn when the dealer gets his first card",
        "rules": MBS,
        "wagers": [{"box": 1, "main": 10}, {"box": 2, "main": 20}],
        "shoe": "KS 5S 6D 7S 4S 3C KC 9D",
        "steps": ["stand 1", "hit 2", "report dealer-no-card", "use", "surrender 2"],
    }
    return run_script(read_script(script, lambda _: rules))


def test_a_hand_that_has_drawn_surrenders() -> None:
    made = {
        one["box"]: (one["outcome"], one["net"]) for one in _drawn(load_rules(MBS))["settlements"]
    }
    assert made == {1: ("lose", "-10.00"), 2: ("surrendered", "-10.00")}


def test_in_a_set_of_before_it_may_not() -> None:
    with pytest.raises(StepRefused, match="surrender is not offered any more"):
        _drawn(_as_before())


def test_a_super_bonus_is_paid_when_the_dealers_first_card_comes_late() -> None:
    """MBS 4.1.1.1, 5.12; RWS Pontoon Plus 4.1.2: the sevens were paid before it came."""
    script = {
        "title": "three sevens of clubs, and then the dealer's seven",
        "rules": "rws-pontoon-plus-v5",
        "wagers": [{"box": 1, "main": 10}],
        "shoe": "7C 9D 7C 7C 7D",
        "steps": ["report dealer-no-card", "continue", "hit 1"],
    }
    settled = run_script(read_script(script, lambda _: load_rules("rws-pontoon-plus-v5")))
    paid = [(one["kind"], one["net"]) for one in settled["settlements"]]
    assert paid == [("main", "20.00"), ("super_bonus", "1000.00")]
