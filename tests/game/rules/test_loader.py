"""Rule files: what is wrong with one is said with the key, the value and what is permitted."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from controller.files.rule_lines import explained
from controller.files.rules import load_rules, rule_files
from controller.game.round.machine import waiting_states
from controller.game.round.refusal import Refused
from controller.game.round.states import PASSING, State
from controller.game.round.wagers import Sheet, check_sheet
from controller.game.rules.loader import RulesError, build_rules, dump_rules, parse_rules
from controller.game.rules.schema import DECISIONS, PAYS

MBS = "mbs-pontoon-pandemonium-v5"
TRICK = "pontoon-five-card-trick"
GONE = object()


def _text(document: str = MBS) -> str:
    return rule_files()[document].read_text(encoding="utf-8")


def _data(document: str = MBS) -> dict[str, Any]:
    data = tomllib.loads(_text(document))
    assert data.pop("format") == 1
    return data


def _faults(*changes: tuple[str, Any], document: str = MBS) -> list[str]:
    """The faults of the file with these keys (``section/key``, ``section``) changed."""
    data = _data(document)
    for where, value in changes:
        table: Any = data
        *path, name_or_number = where.split("/")
        last: Any = int(name_or_number) if name_or_number.isdecimal() else name_or_number
        for name in path:
            table = table[int(name) if name.isdecimal() else name]
        if value is GONE:
            del table[last]
        else:
            table[last] = value
    with pytest.raises(RulesError) as error:
        build_rules(data, "file")
    assert str(error.value).startswith("file: ")
    return error.value.faults


def _rule(value: Any, clause: Any = "9.9") -> dict[str, Any]:
    return {"value": value, "clause": clause}


@pytest.mark.parametrize("name", rule_files())
def test_a_rule_set_is_named_as_its_file_and_survives_the_journal(name: str) -> None:
    rules = load_rules(name)
    assert rules.id == name
    assert build_rules(dump_rules(rules), "journal") == rules


@pytest.mark.parametrize("name", rule_files())
def test_states_that_a_round_waits_in_have_their_clause(name: str) -> None:
    rules = load_rules(name)
    assert {state for state in State if state not in PASSING} >= waiting_states(rules)
    assert waiting_states(rules) <= set(rules.states)


@pytest.mark.parametrize(
    ("where", "value", "said"),
    [
        ("stand/minimum", GONE, ["(Lowest total that may stand)"]),
        ("stand/least", _rule(1), ["stand.least is unknown: known are minimum"]),
        ("stand", GONE, ["[stand] is missing"]),
        ("stands", {}, ["stands is unknown: did you mean stand? known are document, cards"]),
        ("stand/minimum", 12, ["stand.minimum = 12: expected { value = …, clause"]),
        ("stand/minimum", {"value": 12}, ["stand.minimum.clause is missing: expected"]),
        ("stand/minimum", _rule(12, ""), ['stand.minimum.clause = "": expected the clause']),
        ("stand/minimum", _rule(12, 3.17), ["stand.minimum.clause = 3.17: expected the"]),
        ("stand/minimum", _rule("12"), ['stand.minimum = "12": expected a whole number']),
        ("stand/minimum", _rule(True), ["stand.minimum = true: expected a whole number"]),
        ("stand/minimum", _rule(-1), ["stand.minimum = -1: expected no negative number"]),
        ("stand/minimum", _rule(21), ["stand.minimum: expected less than 21"]),
        ("hit/soft_21", _rule("yes"), ['hit.soft_21 = "yes": expected true or false']),
        (
            "pandemonium/order",
            _rule("clockwise"),
            ['pandemonium.order = "clockwise": expected one of ascending, descending'],
        ),
        (
            "surrender/dealer_first",
            _rule(["A", "X"]),
            ['surrender.dealer_first[1] = "X": expected one of A, 2, 3'],
        ),
        (
            "surrender/dealer_first",
            _rule([]),
            ["surrender.dealer_first = []: expected at least one"],
        ),
        ("cards/tens", _rule(True), ["cards.tens = True: expected false"]),
        ("cards/decks_min", _rule(9), ["cards.decks_min = 9, decks_max = 8: expected 1 <= "]),
        ("cards/decks_min", _rule(0), ["cards.decks_min = 0, decks_max = 8: expected 1 <= "]),
        ("betting/boxes_max", _rule(10), ["betting.boxes_max: expected 1 to 9"]),
        ("split/hands_max", _rule(0), ["split.hands_max: expected at least 1"]),
        (
            "super_bonus/brackets",
            _rule([[100, 5000], [10, 1000]]),
            ["super_bonus.brackets: expected rising wagers"],
        ),
        (
            "super_bonus/brackets",
            _rule([[100, 5000, 1]]),
            ["super_bonus.brackets[0] = [100, 5000, 1]: expected a list of 2 values"],
        ),
        (
            "super_bonus/brackets",
            _rule([10, 1000]),
            ["super_bonus.brackets[0] = 10: expected a list", "super_bonus.brackets[1] = 1000: "],
        ),
        (
            "pandemonium/multipliers",
            _rule([2, 2]),
            ["pandemonium.multipliers: expected different positive numbers"],
        ),
        ("pays/insurance", GONE, ['pays."insurance" is missing: its odds']),
        ("pays/pairs", _rule([1, 1]), ["pays.pairs is unknown: known are pontoon"]),
        ("pays/regular", _rule([0, 1]), ["pays.regular[0] = 0: expected a positive number"]),
        ("pays/regular", _rule([11]), ["pays.regular = [11]: expected a list of 2 values"]),
        ("settled_by/withdrawn", GONE, ['settled_by."withdrawn" is missing: name the clause']),
        ("settled_by/pair.win", "1", ['settled_by."pair.win" is unknown']),
        ("settled_by/withdrawn", "", ['settled_by.withdrawn = "": expected the clause as text']),
        ("states/final", 3, ["states.final = 3: expected the clause as text"]),
        ("document/title", "", ['document.title = "": expected text (Title of the document)']),
        ("document/title", GONE, ["document.title is missing: expected text (Title of the"]),
        ("double/withdraw_below", _rule(23), ["double.withdraw_below = 23: expected 22 at most"]),
        (
            "pontoon/after_split",
            _rule(True),
            ["pontoon.after_split = True: expected false where a Pontoon is paid as it is dealt"],
        ),
        ("not_played/buy", GONE, ["not_played.buy is missing: the clause that says what"]),
        ("not_played/hit", "3.1", ["not_played.hit: these rules play it; expected buy, free"]),
        ("hit/soft_21", _rule(True), ["hit.soft_21: a soft 21 is paid at once"]),
        (
            "compare/original_gone",
            _rule("identity"),
            ["compare.original_gone: expected not_applicable unless one original"],
        ),
        ("irregularities", GONE, ["irregularities is missing: expected a list of cases, [["]),
        ("irregularities", [], ["irregularities = []: expected a list of cases, [["]),
    ],
)
def test_a_fault_is_named(where: str, value: Any, said: list[str]) -> None:
    faults = _faults((where, value))
    assert len(faults) == len(said), faults
    for fault, wanted in zip(faults, said, strict=True):
        assert wanted in fault


@pytest.mark.parametrize(
    ("document", "where", "value", "said"),
    [
        (TRICK, "pontoon/paid", _rule("at_once"), "pontoon.paid, twenty_one.paid"),
        (MBS, "twenty_one/lines", _rule(False), "twenty_one.lines: expected true where 21 is paid"),
        (MBS, "twenty_one/lines", _rule(False), "super_bonus: needs the lines of twenty_one"),
        (MBS, "buy", _data(TRICK)["buy"], "section [buy]: the last card that may be bought"),
    ],
)
def test_sections_that_belong_together(document: str, where: str, value: Any, said: str) -> None:
    faults = _faults((where, value), document=document)
    assert any(fault.startswith(said) for fault in faults), faults


@pytest.mark.parametrize(
    ("where", "value", "said"),
    [
        ("", "void", 'irregularities[0] = "void": expected a table'),
        (
            "/triger",
            "foreign",
            "irregularities[0].triger is unknown: did you mean trigger? known are",
        ),
        ("/by", GONE, "irregularities[0].by is missing"),
        ("/by", 3, "irregularities[0].by = 3: expected one of table, dealer"),
        ("/by", "croupier", 'irregularities[0].by = "croupier": expected one of table, dealer'),
        ("/remedies", [], "irregularities[0].remedies = []: expected a list of at least one"),
        ("/remedies", "void", 'irregularities[0].remedies = "void": expected a list of '),
        ("/remedies", ["cancel"], 'irregularities[0].remedies[0] = "cancel": expected one of '),
        ("/options_clause", "5.1", "irregularities[0]: options and options_clause go together"),
        ("/clauses", "5.1", 'irregularities[0].clauses = "5.1": expected a table'),
        ("/clauses", {"vid": "1"}, "irregularities[0].clauses.vid is unknown: did you mean void?"),
        ("/clauses", {"void": ""}, 'irregularities[0].clauses.void = "": expected the clause'),
        ("/when", ["before"], "irregularities[0].when: the last case of 'foreign' must have none"),
    ],
)
def test_a_fault_of_an_irregularity_is_named(where: str, value: Any, said: str) -> None:
    faults = _faults((f"irregularities/0{where}", value))
    assert any(fault.startswith(said) for fault in faults), faults


def test_an_irregularity_of_no_other_kind_has_its_case() -> None:
    others = [case for case in _data()["irregularities"] if case["trigger"] != "other"]
    assert _faults(("irregularities", others)) == [
        "irregularities: a case with trigger = 'other' is missing"
    ]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "format is missing: the first line of a rule file is format = 1"),
        ("format = 2\n", "format = 2: this version reads rule files of format 1"),
        ("format = true\n", "format = True: this version reads rule files of format 1"),
        ('format = "1"\n', "format = '1': this version reads rule files of format 1"),
    ],
)
def test_a_file_of_another_format_is_refused(line: str, said: str) -> None:
    text = _text().replace("format = 1\n", line)
    with pytest.raises(RulesError) as error:
        parse_rules(text, "mine")
    assert error.value.faults == [said]
    with pytest.raises(RulesError) as error:
        parse_rules(text.replace("[stand]\n", "[stand]\nleast = 3\n"), "mine")
    found = explained(text, error.value.faults)
    assert found[0].said.startswith("format ")
    assert len(found) == 2
    assert found[0].line == (text.splitlines().index(line.strip()) + 1 if line else None)


def test_the_format_of_a_file_is_not_stored() -> None:
    """Entries have a form of their own, and a file's may change without theirs."""
    with pytest.raises(RulesError, match="format is unknown"):
        build_rules({"format": 1, **_data()}, "journal")


@pytest.mark.parametrize("text", ["[stand", "x = " + "[" * 100_000])
def test_a_text_that_is_no_toml_is_named(text: str) -> None:
    with pytest.raises(RulesError, match="mine: is not TOML"):
        parse_rules(text, "mine")


@pytest.mark.parametrize(
    ("where", "value", "said"),
    [
        ("compare/equal", "dealer_wins", "expected 'stand_off'"),
        ("compare/dealer_pontoon_doubled", "not_applicable", "expected 'original'"),
    ],
)
def test_values_that_must_go_together(where: str, value: Any, said: str) -> None:
    name = where.replace("/", ".")
    assert any(fault.startswith(name) and said in fault for fault in _faults((where, _rule(value))))


def test_what_is_surrendered_in_turn_is_settled_at_once() -> None:
    faults = _faults(("surrender/settled", _rule("at_once")))
    assert any(fault.startswith("surrender.settled: expected at_once where") for fault in faults)


def test_all_faults_are_told_at_once() -> None:
    faults = _faults(
        ("stand/minimum", GONE), ("hit/soft_21", _rule(3)), ("pays/regular", GONE), ("states/x", 1)
    )
    assert len(faults) == 3  # what needs a whole file is looked at when its parts are right


@pytest.mark.parametrize("section", ["pays", "settled_by", "states"])
def test_a_section_that_is_no_table_is_told(section: str) -> None:
    assert f"{section} = 5: expected a table, [{section}]" in _faults((section, 5))


@pytest.mark.parametrize("key", [*PAYS[""], *PAYS["twenty_one"], "insurance"])
def test_every_line_of_the_pay_table_must_be_there(key: str) -> None:
    assert _faults((f"pays/{key}", GONE)) == [f'pays."{key}" is missing: its odds']


@pytest.mark.parametrize("key", [*DECISIONS[""], *DECISIONS["insurance"]])
def test_no_decision_without_a_clause(key: str) -> None:
    assert _faults((f"settled_by/{key}", GONE)) == [
        f'settled_by."{key}" is missing: name the clause that decides it'
    ]


def test_a_rule_file_without_clauses_for_states_still_refuses_wagers() -> None:
    data = _data()
    data["states"] = {}
    with pytest.raises(Refused, match="no main wager"):
        check_sheet(build_rules(data, "file"), Sheet())


@pytest.mark.parametrize(
    ("line", "odds"),
    [("regular", [3, 2]), ("insurance", [5, 2]), ("pontoon", [6, 5])],
)
def test_odds_that_leave_a_fraction_of_a_cent_are_a_fault(line: str, odds: list[int]) -> None:
    [fault] = _faults((f"pays/{line}", _rule(odds)))
    assert fault.startswith(f"pays.{line} = {odds}: expected odds that pay whole cents, to 1")
