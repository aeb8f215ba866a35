"""The mutants of rule files: that all are made, and that a gap in the tests is found."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence

import pytest

from controller.files.rules import rule_files
from controller.game.rules.loader import parse_rules
from figures.changes import Mutant, mutants_of, other_values
from proof.mutation.__main__ import main
from proof.mutation.fates import (
    FILE,
    EquivalentsError,
    Fate,
    Line,
    by_rounds,
    by_tests,
    excused,
    read_equivalents,
    rounds_of,
    wrongly_listed,
)
from proof.mutation.live import failing_test

TRICK = "pontoon-five-card-trick"
TEXT = rule_files()[TRICK].read_text(encoding="utf-8")
MUTANTS = {mutant.name: mutant for mutant in mutants_of(TRICK, TEXT)}
STANDS_AT_14 = MUTANTS["stand.minimum = 14"]


def _judged(mutant: Mutant, rounds: Sequence[Line]) -> Fate:
    return next(by_rounds([mutant], rounds))


@pytest.mark.parametrize(
    ("value", "permitted", "expected"),
    [
        ("never", ("never", "new_shoe"), ["new_shoe"]),
        ("best_total", ("best_total",), []),
        (True, (True, False), [False]),
        (True, (), [False]),
        (0, (0, 5), [5]),
        (0, (), [1]),
        (12, (), [11, 13]),
        ("3.8", (), ["another clause"]),
        (["A", "K"], ("A", "K", "Q"), [["K"], ["A"], ["A", "K", "Q"]]),
        ([100, 2], (), [[2], [100], [99, 2], [101, 2], [100, 1], [100, 3]]),
        (
            [[2, 9]],
            (),
            [[], [[1, 9]], [[3, 9]], [[2, 8]], [[2, 10]]],
        ),
    ],
)
def test_the_other_values_of_a_key(
    value: object, permitted: tuple[object, ...], expected: object
) -> None:
    assert other_values(value, permitted) == expected  # type: ignore[arg-type]


def test_a_mutant_differs_in_the_one_value_that_it_names() -> None:
    before, after = tomllib.loads(TEXT), tomllib.loads(STANDS_AT_14.text)
    assert after["stand"]["minimum"] == {"value": 14, "clause": "[Stick]"}
    after["stand"]["minimum"] = before["stand"]["minimum"]
    assert after == before


def test_every_value_that_may_be_another_and_every_case_has_its_mutants() -> None:
    data = tomllib.loads(TEXT)
    keys = {name.partition(" = ")[0] for name in MUTANTS if " = " in name}
    assert {f"pays.{key}" for key in data["pays"]} <= keys
    assert {f"settled_by.{key}" for key in data["settled_by"]} <= keys
    assert {"dealer.soft17", "split.aces_one_card", "buy.free_below"} <= keys
    assert "trick.cards" not in keys, "it may be nothing but 5"
    cases = {name for name in MUTANTS if name.startswith("case ")}
    assert cases == {f"case {case['trigger']}" for case in data["irregularities"]}


def test_a_case_left_out_is_all_that_is_missing() -> None:
    before, after = tomllib.loads(TEXT), tomllib.loads(MUTANTS["case power"].text)
    [gone] = [case for case in before["irregularities"] if case not in after["irregularities"]]
    assert gone["trigger"] == "power"
    assert len(after["irregularities"]) == len(before["irregularities"]) - 1


def test_rounds_kill_a_mutant_and_without_them_it_survives() -> None:
    assert _judged(STANDS_AT_14, rounds_of(TRICK)).how == "rounds"
    without_steps = [line for line in rounds_of(TRICK) if not line["script"]["steps"]]
    assert without_steps
    assert _judged(STANDS_AT_14, without_steps) == Fate(STANDS_AT_14, "survives")


def test_the_rounds_hold_under_the_rules_as_they_are() -> None:
    assert _judged(Mutant(TRICK, "none", "", TEXT), rounds_of(TRICK)).how == "survives"


def test_what_the_loader_refuses_is_named() -> None:
    fate = _judged(MUTANTS["case other"], [])
    assert fate.how == "refused"
    assert "a case with trigger = 'other' is missing" in fate.why


def test_a_round_that_the_engine_cannot_play_counts_as_killed() -> None:
    [line] = [line for line in rounds_of(TRICK) if "eighth box" in line["script"]["title"]]
    assert _judged(MUTANTS["betting.boxes_max = 8"], [line]).how == "rounds"


def test_a_live_test_kills_what_no_round_does() -> None:
    test = "tests/configuration/test_configuration.py::test_the_decks_are_those_of_the_document"
    one = f"{test}[{TRICK}-1 to 8]"
    assert failing_test(TRICK, MUTANTS["cards.decks_max = 9"].text, [one]) == one
    assert failing_test(TRICK, TEXT, [one]) is None


def test_only_survivors_are_judged_by_tests() -> None:
    killed = Fate(MUTANTS["case power"], "rounds", "a round")
    asked: list[str] = []

    def judge(mutant: Mutant) -> str | None:
        asked.append(mutant.name)
        return "a test"

    found = list(by_tests([killed, Fate(STANDS_AT_14, "survives")], judge, 2))
    assert found == [killed, Fate(STANDS_AT_14, "tests", "a test")]
    assert asked == [STANDS_AT_14.name]


def test_an_equivalent_is_excused_only_while_nothing_kills_it() -> None:
    listed = {(TRICK, STANDS_AT_14.name): "a reason", (TRICK, "no such"): "a reason"}
    survivor, killed = Fate(STANDS_AT_14, "survives"), Fate(STANDS_AT_14, "rounds", "a round")
    [fate] = excused([survivor], listed)
    assert fate == Fate(STANDS_AT_14, "equivalent", "a reason")
    assert wrongly_listed([fate], TRICK, listed) == [
        "no such is listed as equivalent, but it is no mutant"
    ]
    assert list(excused([killed], listed)) == [killed]
    assert "'a round' kills it" in wrongly_listed([killed], TRICK, listed)[0]
    assert wrongly_listed([killed], "another document", listed) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('documents = ["a"]\nmutants = ["b"]\nreason = " "', "without a reason"),
        ('documents = ["a"]\nmutants = ["b"]', "expected documents, mutants and the reason"),
        ('documents = ["a"]\nmutants = ["b", "b"]\nreason = "c"', "a: b is listed twice"),
    ],
)
def test_a_list_without_reasons_is_refused(text: str, expected: str) -> None:
    with pytest.raises(EquivalentsError, match=expected):
        read_equivalents(f"[[equivalent]]\n{text}")


def test_what_is_listed_are_mutants_of_rule_files_that_can_be_read() -> None:
    for document, name in read_equivalents(FILE.read_text(encoding="utf-8")):
        text = rule_files()[document].read_text(encoding="utf-8")
        [mutant] = [one for one in mutants_of(document, text) if one.name == name]
        parse_rules(mutant.text, document)


def test_the_command_tells_survivors_and_fails(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([TRICK, "--rounds", "--only", "stand.minimum"]) == 0
    assert f"{TRICK}: 2 mutants: 0 refused by the loader, 2 killed" in capsys.readouterr().out
    assert main([TRICK, "--rounds", "--only", "shoe.burn"]) == 1
    assert 'shoe.burn = "new_shoe": survive (A-38)' in capsys.readouterr().out
