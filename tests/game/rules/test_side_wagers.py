"""Descriptions of side wagers: what they must have, and which combinations win."""

from __future__ import annotations

import json
import tomllib
from itertools import product
from typing import Any

import pytest

from controller.files.rules import load_rules, rule_files
from controller.game.rules.cards import Card, parse_card
from controller.game.rules.loader import RulesError, build_rules, dump_rules
from controller.game.rules.side_wagers import COMBINATIONS

PLUS = "rws-pontoon-plus-v5"
MBS = "mbs-pontoon-pandemonium-v5"


def _data(name: str) -> dict[str, Any]:
    data = tomllib.loads(rule_files()[name].read_text(encoding="utf-8"))
    return {key: value for key, value in data.items() if key != "format"}


def _rule(value: Any) -> dict[str, Any]:
    return {"value": value, "clause": "9.9"}


def _faults(data: dict[str, Any]) -> list[str]:
    with pytest.raises(RulesError) as error:
        build_rules(data, "file")
    return error.value.faults


@pytest.mark.parametrize(
    ("where", "value", "said"),
    [
        ("bonus/by", _rule("anyone"), 'side_wagers.bonus.by = "anyone": expected one of main_bet'),
        ("bonus/by", None, "side_wagers.bonus.by is missing: expected { value = …, clause"),
        ("bonus/keypad", "P", "side_wagers: keypad = 'P' stands twice"),
        ("bonus/keypad", "Z", 'side_wagers.bonus.keypad = "Z": expected one of P, J, none'),
        ("bonus/short", "PAIR", "side_wagers: short = 'PAIR' stands twice"),
        ("bonus/short", "BONUSES", "side_wagers.bonus: name = 'bonus', short = 'BONUSES': exp"),
        ("bonus/name", "", 'side_wagers.bonus.name = "": expected text'),
        ("bonus/settled", _rule("button"), "side_wagers: expected section [pandemonium] and one"),
        ("bonus/pays/kings", _rule([9, 1]), "side_wagers.bonus.pays: expected odds of aces_suit"),
        ("bonus/pays/aces", None, "side_wagers.bonus.pays: expected odds of aces_suited, aces"),
        ("bonus/wins", _rule(["kings"]), 'side_wagers.bonus.wins[0] = "kings": expected one of'),
        ("bonus/wins", _rule([]), "side_wagers.bonus.wins = []: expected at least one"),
        ("bonus/pays/aces", _rule([3, 2]), "side_wagers.bonus.pays.aces = [3, 2]: expected odds"),
        ("bonus/pays/aces", _rule([3]), "side_wagers.bonus.pays.aces = [3]: expected a list"),
        ("bonus/settled_by/win", None, "side_wagers.bonus.settled_by.win is missing: name the"),
        ("bonus/settled_by/tie", "3.15", "side_wagers.bonus.settled_by.tie is unknown: known"),
        ("bonus/name", "a\nb", 'side_wagers.bonus.name = "a\\nb": expected text'),
        (
            "bonus/wins",
            _rule(["aces", "aces_suited", "high_pair", "ace_picture", "low_pair", "ace_low"]),
            "side_wagers.bonus.wins: aces_suited never wins behind the combinations before it",
        ),
        (
            "pair/wins",
            _rule(["aces", "pair", "pair"]),
            "side_wagers.pair.wins: pair never wins behind",
        ),
        ("bonus/settled_by", None, "[side_wagers.bonus.settled_by] is missing"),
        ("bonus", 5, "side_wagers.bonus = 5: expected a table"),
        ("bonus", None, "betting.side_wagers = ['pair', 'bonus'] and sections [side_wagers.KIND]"),
    ],
)
def test_a_fault_of_a_description_is_named(where: str, value: Any, said: str) -> None:
    data = _data(PLUS)
    *path, last = where.split("/")
    table: Any = data["side_wagers"]
    for name in path:
        table = table[name]
    if value is None:
        del table[last]
    else:
        table[last] = value
    assert any(fault.startswith(said) for fault in _faults(data)), _faults(data)


def test_no_description_at_all_is_a_fault_where_the_document_has_side_wagers() -> None:
    data = _data(PLUS)
    del data["side_wagers"]
    assert _faults(data) == [
        (
            "betting.side_wagers = ['pair', 'bonus'] and sections [side_wagers.KIND] of no kind: "
            "expected the same kinds, each once"
        )
    ]
    data["side_wagers"] = 5
    assert any(fault.startswith("side_wagers = 5: expected a table") for fault in _faults(data))


def test_a_kind_may_not_be_called_as_another_settlement() -> None:
    data = _data(PLUS)
    data["side_wagers"]["insurance"] = data["side_wagers"].pop("bonus")
    data["betting"]["side_wagers"]["value"] = ["pair", "insurance"]
    assert _faults(data) == [
        "side_wagers.insurance: expected another name, small letters, digits and underscores"
    ]


@pytest.mark.parametrize("odds", [{}, {"aces": _rule([2, 1])}])
def test_the_meter_alone_has_the_odds_of_the_button(odds: dict[str, Any]) -> None:
    data = _data(MBS)
    data["side_wagers"]["pandemonium"]["pays"] = odds
    if odds:
        assert _faults(data) == [
            (
                "side_wagers.pandemonium.pays: expected odds of nothing at the button, as of each "
                "combination in wins"
            )
        ]
    else:
        assert build_rules(data, "file").button_wager == "pandemonium"


def test_the_button_goes_with_a_pontoon() -> None:
    data = _data(MBS)
    data["side_wagers"]["pandemonium"]["wins"] = _rule(["pair"])
    assert _faults(data) == [
        "side_wagers.pandemonium.wins = ['pair']: expected ['pontoon'] at the button"
    ]


@pytest.mark.parametrize("name", rule_files())
def test_a_journal_that_sorts_its_keys_loses_no_order(name: str) -> None:
    rules = load_rules(name)
    read = build_rules(json.loads(json.dumps(dump_rules(rules), sort_keys=True)), "journal")
    assert list(read.side_wagers) == list(rules.side_wagers)
    cards = [Card(rank, suit) for rank in range(1, 14) for suit in range(1, 5)]
    for kind, side_wager in rules.side_wagers.items():
        for two in product(cards, cards):
            assert read.side_wagers[kind].combination(two) == side_wager.combination(two)


@pytest.mark.parametrize(
    ("name", "are", "are_not"),
    [
        ("aces_suited", "AS AS", "AS AH, KS KS"),
        ("aces", "AS AH", "AS KS, KS KS"),
        ("pair", "AS AH, KS KD, 9S 9D", "KS QS, AS KS"),
        ("pair_but_aces", "KS KD, 9S 9D", "AS AH, KS QS"),
        ("high_pair", "KS KD, JS JS", "TS TD, 9S 9D, AS AH, KS QS"),
        ("low_pair", "9S 9D, TS TD, 2C 2D", "JS JD, AS AH, 9S 8S"),
        ("ace_picture", "JS AD, KC AC", "TS AD, AS AH, KS QS"),
        ("ace_low", "AD 2C, TD AC", "JS AD, AS AH, 2C 3C"),
        ("pontoon", "AS KD, TD AC", "AS 9S, KS QS, AS AH"),
    ],
)
def test_the_combinations_of_two_cards(name: str, are: str, are_not: str) -> None:
    for cards, holds in ((are, True), (are_not, False)):
        for two in cards.split(", "):
            first, second = map(parse_card, two.split())
            assert COMBINATIONS[name](first, second) == holds, two
            assert COMBINATIONS[name](second, first) == holds, two


@pytest.mark.parametrize(
    ("cards", "combination"),
    [("AS AS", "aces_suited"), ("AS AH", "aces"), ("3C 3D", "low_pair"), ("KS QS", None)],
)
def test_the_first_combination_of_the_description_counts(
    cards: str, combination: str | None
) -> None:
    bonus = load_rules(PLUS).side_wagers["bonus"]
    assert bonus.combination([parse_card(card) for card in cards.split()]) == combination


def test_people_outside_a_box_need_a_side_wager_that_is_theirs() -> None:
    data = _data(MBS)
    for described in data["side_wagers"].values():
        described["by"]["value"] = "main_bettor"
    assert _faults(data) == [
        (
            "betting.outside = 'side_wagers': expected 'nothing' where no side wager is anyone's "
            "on a box with a wager"
        )
    ]


def test_people_outside_a_box_insure_where_anothers_insurance_is_taken_up() -> None:
    data = _data(MBS)
    data["insurance"]["others"]["value"] = False
    assert _faults(data) == [
        "insurance.outside = True: expected false where nobody takes up another's insurance"
    ]
