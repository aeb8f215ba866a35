"""Scripts that cannot be read: what is said of them, and that nothing else ever happens."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.files.rules import rules_in
from controller.game.commands.command import Command, first_word, read_open, read_supervisors
from controller.game.commands.values import Malformed
from controller.game.commands.verbs import LYING, VERBS
from controller.game.round.remedies import parse_step
from controller.game.scripts.runner import StepRefused, run_script
from controller.game.scripts.script import MalformedScript, read_json, read_script

RULES = rules_in(Path())
SCRIPT: dict[str, Any] = {
    "title": "t",
    "rules": "mbs-pontoon-pandemonium-v5",
    "wagers": [{"box": 1, "main": 10}],
    "shoe": "KS 9H 8S 8D",
    "steps": ["stand 1"],
}


def _refusal(**changes: Any) -> str:
    with pytest.raises(MalformedScript) as malformed:
        run_script(read_script(read_json(json.dumps(SCRIPT | changes)), RULES))
    return str(malformed.value)


def test_the_script_itself_runs() -> None:
    assert run_script(read_script(SCRIPT, RULES))["net"] == {"1a": "10.00"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "3",
        "null",
        '{"a": 1, "a": 2}',
        '{"a": NaN}',
        '{"wagers": 1e99999999999999999999}',
        pytest.param("[" * 100_000, id="deep"),
        pytest.param(f'{{"wagers": {"1" * 5000}}}', id="long"),
    ],
)
def test_what_is_no_script_is_malformed(text: str) -> None:
    with pytest.raises(MalformedScript):
        read_script(read_json(text), RULES)


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("title", None, "title = null: expected text"),
        ("rules", 3, "rules = 3: expected the id"),
        ("wagers", {}, "wagers = {}: expected a list"),
        ("wagers", [3], "wagers[0] = 3: expected an object"),
        ("wagers", [{"box": "1", "main": 10}], 'wagers[0].box = "1": expected a box\'s number'),
        ("wagers", [{"box": True, "main": 10}], "wagers[0].box = true: expected a box's number"),
        ("wagers", [{"box": 0, "main": 10}], "wagers[0]: there is no box 0: expected 1 to 7"),
        ("wagers", [{"box": 1}], "wagers[0]: no wager"),
        (
            "wagers",
            [{"box": 1, "main": "10"}],
            'wagers[0].main = "10": expected a sum, in dollars as a',
        ),
        ("wagers", [{"box": 1, "main": True}], "wagers[0].main = true: expected a sum, in dollars"),
        ("wagers", [{"box": 1, "main": -10}], "wagers[0].main = -10: expected a sum, more than 0"),
        ("wagers", [{"box": 1, "main": 0}], "wagers[0].main = 0: expected a sum, more than 0"),
        (
            "wagers",
            [{"box": 1, "main": 1.001}],
            "wagers[0].main = 1.001: expected a sum, more than 0, in dollars and whole",
        ),
        ("wagers", [{"box": 1, "main": 1.01}], "wagers[0]: main wager of 1.01 on box 1: 3:2 and"),
        ("wagers", [{"box": 1, "pair": 10}], "wagers: there is no main wager"),
        ("shoe", 3, "shoe = 3: expected cards as text"),
        ("shoe", "KS 9H 8S 8D?", "shoe, card 3: '8D?': a mark is one of ^ % &"),
        ("shoe", "KS 9H 8S 8D^^", "shoe, card 3: '8D^^': a mark is one of"),
        ("multipliers", 3, "multipliers = 3: expected a list"),
        ("multipliers", [True], "multipliers[0] = true: expected a whole number"),
        ("multipliers", [7], "multipliers: 7 is none of the games multipliers (100, 50"),
        ("multipliers", ["5"], 'multipliers[0] = "5": expected a whole number'),
        ("limits", 3, "limits = 3: expected an object"),
        (
            "limits",
            {"least": 3},
            "limits.least is unknown: known are min, max, box_max, player_max",
        ),
        ("limits", {"min": 20, "max": 10}, "limits: min is above max"),
        ("limits", {"min": 20}, "main wager of 10.00 on box 1: the limits are 20.00 to 100000.00"),
        ("limits", {"box_max": 0}, "limits.box_max = 0: expected a sum, more than 0"),
        ("limits", {"min": 5, "box_max": 4}, "limits: min is above box_max"),
        ("limits", {"box_max": 9}, "wagers[0]: main wager of 10.00 of 1a: 1.00 above the maximum"),
        ("limits", {"player_max": 9}, "main wager of 10.00 of 1a: 1.00 above a player's maximum"),
        ("steps", "stand 1", 'steps = "stand 1": expected a list'),
        ("steps", [1], "steps[0] = 1: expected a step as text"),
        ("steps", ["! "], 'steps[0] = "! ": an empty step'),
        ("steps", ["! ! stand 1"], 'steps[0] = "! ! stand 1": unknown step'),
        ("steps", ["stand"], 'steps[0] = "stand": expected stand BOX'),
        ("steps", ["stand 1 2"], 'steps[0] = "stand 1 2": expected stand BOX'),
        ("steps", ["stand 0"], "steps[0] = \"stand 0\": '0' is not a box"),
        ("steps", ["stand 1i"], "steps[0] = \"stand 1i\": '1i' is not a box"),
    ],
)
def test_a_fault_is_named_with_its_key(key: str, value: Any, said: str) -> None:
    assert said in _refusal(**{key: value})


@pytest.mark.parametrize(
    "amount", ["0", "-1", "1_0", "1e1", "\uff15", "1.", ".5", "0.001", "1,5", "nan"]
)
def test_an_amount_is_plain_dollars_and_cents(amount: str) -> None:
    with pytest.raises(Malformed):
        parse_step(f"double 1 {amount}")


@pytest.mark.parametrize(
    "text", ["insure 1@ 5", "insure @1 5", "insure 1@2@3 5", "nominate 1", "place 1 x", "place 1 ²"]
)
def test_a_step_half_written_cannot_be_read(text: str) -> None:
    with pytest.raises(Malformed):
        parse_step(text)


@pytest.mark.parametrize(
    "text",
    [
        "stand 1",
        "hit 3b",
        "double 1 50.00",
        "insure 2b@1 12.50",
        "insure 1 5.00",
        "nominate 1 2b",
        "nominate 1 staff",
        "split 9c",
        "report misdeal",
        "report drawn",
        "report drawn seen",
        "report drawn 1 seen",
        "report drawn dealer",
        "report drawn dealer seen",
        "lies 3 2",
        "lies 3 2.1",
        "lies 3 dealer",
        "lies 3 out",
        "report together 9D 4S",
        "report over-maximum 2 50.00",
        "void-hand 3",
        "use 5C",
        "discard",
        "choose 2 refuse",
        "choose 2 5C",
        "correct 3 KS",
        "reconstruct",
    ],
)
def test_a_step_is_written_as_it_was_read(text: str) -> None:
    assert str(parse_step(text)) == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("report", "'report': expected report TRIGGER"),
        ("report rain", "unknown trigger 'rain': expected one of"),
        ("report overdraw", "overdraw is not reported: the card itself brings it"),
        ("report misdeal 1", "expected report misdeal"),
        ("report drawn 1 unseen", "expected report drawn"),
        ("report over-maximum 1", "expected report over-maximum BOX AMOUNT"),
        ("report over-maximum 1 x", "'report over-maximum 1 x': x is not an amount"),
        ("report over-maximum 12 5", "'12' is not a box"),
        ("report together XX", "XX"),
        ("void now", "'void now': expected void"),
        ("choose 1 XX", "XX"),
        ("choose 1", "expected choose BOX OPTION"),
        ("correct 0 KS", "expected correct N CARD"),
        ("correct 1000 KS", "expected correct N CARD"),
        ("correct one KS", "expected correct N CARD"),
        ("lies 0 2", "expected lies N BOX[.HAND] | dealer | out"),
        ("lies 3 2b", "expected lies N BOX[.HAND] | dealer | out"),
        ("lies 3 2.0", "'0' is not a hand's number"),
        ("lies 3 0", "'0' is not a box"),
        ("use KSS", "KSS"),
    ],
)
def test_a_report_or_remedy_half_written_is_answered_with_its_form(text: str, said: str) -> None:
    with pytest.raises(Malformed) as malformed:
        parse_step(text)
    assert said in str(malformed.value)


words = st.sampled_from(
    [
        "hit",
        "stand",
        "split",
        "double",
        "insure",
        "surrender",
        "press",
        "done",
        "!",
        "withdraw",
        "1",
        "1a",
        "2b",
        "1@2",
        "5",
        "0.5",
        "staff",
        "x",
        "",
        "follow",
        "keep",
        "nominate",
    ]
)


@given(st.lists(st.lists(words, max_size=4).map(" ".join), max_size=5))
def test_a_script_runs_is_malformed_or_has_a_step_refused(steps: list[str]) -> None:
    with suppress(MalformedScript, StepRefused):
        result = run_script(read_script(SCRIPT | {"steps": steps}, RULES))
        assert result["net"]


DEALT = {**SCRIPT, "rules": "division-15-pontoon", "shoe": "KS 9H 8S 8D"}


def test_a_correction_can_be_said_behind_the_dealers_last_card() -> None:
    """Without `dealer` it is heard as soon as the dealer's second card is due."""

    def outcomes(*steps: str) -> list[str]:
        script = {**DEALT, "steps": ["stand 1", *steps, "correct 3 6S"]}
        settled = run_script(read_script(read_json(json.dumps(script)), RULES))["settlements"]
        return [each["outcome"] for each in settled]

    assert outcomes() == ["lose"]
    assert outcomes("dealer") == ["win", "reversed", "lose"]


def test_the_dealers_hand_is_not_complete_while_a_player_decides() -> None:
    script = {**DEALT, "steps": ["! dealer", "dealer", "stand 1"]}
    with pytest.raises(StepRefused, match=r"step 1, .*: the dealer's hand is not complete"):
        run_script(read_script(read_json(json.dumps(script)), RULES))


# Commands: slots are filled one by one, and every verb is written as it is read ------------------


def test_slots_are_filled_one_after_the_other() -> None:
    command = read_open("wager BOX KIND AMOUNT")
    for word, left in (("3b", "wager 3b KIND AMOUNT"), ("buy.2", "wager 3b buy.2 AMOUNT")):
        command = command.filled(word)
        assert str(command) == left
    assert command.filled("5") == read_supervisors("wager 3b buy.2 5")


@pytest.mark.parametrize(("text", "word"), [("shuffle SET", "3"), ("double 1 AMOUNT", "x")])
def test_a_word_that_does_not_fit_fills_no_slot(text: str, word: str) -> None:
    with pytest.raises(Malformed):
        read_open(text).filled(word)


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb != "insure"])
def test_every_verb_is_written_with_its_slots_open_as_it_is_read(verb: str) -> None:
    named = (slot.name for slot in VERBS[verb].slots)
    command = Command(verb, open=tuple(name for name in named if name.isalpha() and name.isupper()))
    again = read_open(str(command)) if command.open or not VERBS[verb].slots else command
    assert again == command
    assert command.row is VERBS[verb]


def test_all_boxes_that_a_command_names_are_known() -> None:
    assert read_open("insure 3d@1 5").boxes == {1, 3}
    assert read_open("lies 2 4.1").boxes == {4}
    assert read_open("lies 2 out").boxes == read_open("done").boxes == frozenset()
    assert read_open("nominate 1 2b").boxes == {1, 2}


def test_the_first_word_of_nothing_is_none() -> None:
    assert (first_word(""), first_word(" stand 1")) == ("", "stand")
    assert LYING.name in VERBS
