"""Readings of a clause that a house may choose: the alternatives of the rules matrix, as values of
the rule file. What the documents' own values lead to is in ``tests/rounds``."""

from __future__ import annotations

import copy
import dataclasses
import re

import pytest

from controller import ENGINE_VERSION
from controller.files.rules import load_rules
from controller.game.round.permitted import permitted
from controller.game.round.refusal import Refused
from controller.game.round.result_fields import RoundResult
from controller.game.rules.loader import RulesError, build_rules, dump_rules, parse_rules
from controller.game.rules.schema import RuleSet
from controller.game.scripts.runner import run_script
from controller.game.scripts.script import read_script
from tests.game.round.played import MBS, moved, played

DIVISION_15 = "division-15-pontoon"
RWS = "rws-pontoon-pandemonium-v4"
PLUS = "rws-pontoon-plus-v5"


def _with(document: str, key: str, value: str | bool) -> RuleSet:
    rules = load_rules(document)
    section, _, name = key.partition(".")
    part = getattr(rules, section)
    rule = dataclasses.replace(getattr(part, name), value=value)
    return dataclasses.replace(rules, **{section: dataclasses.replace(part, **{name: rule})})


def _play(
    rules: RuleSet, shoe: str, *steps: str, wagers: list[dict[str, int]] | None = None
) -> RoundResult:
    script = {
        "title": "a reading",
        "rules": rules.id,
        "wagers": wagers or [{"box": 1, "main": 10}],
        "shoe": shoe,
        "steps": list(steps),
    }
    return run_script(read_script(script, lambda _: rules))


def _by_hand(result: RoundResult) -> dict[int, tuple[str, str]]:
    """Outcome and clause of the wager on each hand of box 1."""
    return {
        one["hand"]: (one["outcome"], one["clause"])
        for one in result["settlements"]
        if one["kind"] in ("main", "split")
    }


@pytest.mark.parametrize(
    ("reading", "original", "added"),
    [
        ("identity", "lose", "returned"),
        ("obbo", "lose", "returned"),
        ("bust_plus_one", "lose", "lose"),
    ],
)
def test_the_original_wager_was_lost_before(reading: str, original: str, added: str) -> None:
    # 8 8 split; 8 K 9 bust; 8 9 stands; the dealer has a Pontoon
    rules = _with(DIVISION_15, "compare.original_gone", reading)
    result = _play(rules, "8S KD 8D KH 9C 9D AS", "split 1", "hit 1", "stand 1")
    assert _by_hand(result) == {1: (original, "14.2; A-36"), 2: (added, "13.7; A-20b")}


@pytest.mark.parametrize(
    ("reading", "outcome", "clause"),
    [
        ("identity", "lose", "13.7"),
        ("obbo", "returned", "13.7; A-20b"),
        ("bust_plus_one", "lose", "13.7"),
    ],
)
def test_an_added_wager_was_lost_before(reading: str, outcome: str, clause: str) -> None:
    # 8 8 split; 8 K stands; 8 6 K bust; the dealer has a Pontoon
    rules = _with(DIVISION_15, "compare.original_gone", reading)
    result = _play(rules, "8S KD 8D KH 6D KC AS", "split 1", "stand 1", "hit 1")
    assert _by_hand(result) == {1: (outcome, clause), 2: ("lose", "14.2; A-36")}


@pytest.mark.parametrize(
    ("reading", "third"), [("leftmost_loses", "returned"), ("each_hand_loses", "lose")]
)
def test_the_original_wager_was_paid_on_21(reading: str, third: str) -> None:
    # 7 7 split, 7 7 again split; 7 4 K is 21 and paid; two hands stand; the dealer has a Pontoon
    rules = _with(DIVISION_15, "compare.original_paid", reading)
    shoe = "7S KD 7D 7H 4C KH JS 9C AS"
    result = _play(rules, shoe, "split 1", "split 1", "hit 1", "stand 1", "stand 1")
    assert {hand: outcome for hand, (outcome, _) in _by_hand(result).items()} == {
        1: "win",
        3: "lose",
        2: third,
    }


def test_a_loss_covers_the_original_wager_that_was_paid() -> None:
    # as above, but the second hand bust: under obbo nothing more is taken
    rules = _with(DIVISION_15, "compare.original_gone", "obbo")
    shoe = "7S KD 7D 7H 4C KH 8S QS 9C AS"
    result = _play(rules, shoe, "split 1", "split 1", "hit 1", "hit 1", "stand 1")
    assert {hand: outcome for hand, (outcome, _) in _by_hand(result).items()} == {
        1: "win",
        3: "lose",
        2: "returned",
    }


SEVENS = "7S KD 7H 7S 9C 7S KC"
"""Three sevens of spades for box 1 against the dealer's 7; box 3 stands on 19 and wins."""


@pytest.mark.parametrize("document", [RWS, PLUS])
@pytest.mark.parametrize(("when", "shares"), [("winner", []), ("cards", [(3, "50.00")])])
def test_a_super_bonus_below_the_lowest_bracket(
    document: str, when: str, shares: list[tuple[int, str]]
) -> None:
    rules = _with(document, "super_bonus.share_when", when)
    wagers = [{"box": 1, "main": 5}, {"box": 3, "main": 20}]
    result = _play(rules, SEVENS, "hit 1", "stand 3", wagers=wagers)
    paid = [(s["box"], s["net"]) for s in result["settlements"] if s["kind"].startswith("super")]
    assert paid == shares


@pytest.mark.parametrize("outside", [True, False])
def test_people_without_a_wager_may_insure_or_may_not(outside: bool) -> None:
    rules = _with(MBS, "insurance.outside", outside)
    rnd = played(rules, "1 main 10", "9S AD 8S")
    assert ("insure 1d@1 AMOUNT" in map(str, permitted(rnd))) is outside
    if outside:
        moved(rnd, "insure 1d@1 5")
    else:
        with pytest.raises(Refused, match="there is no such bettor on box 1"):
            moved(rnd, "insure 1d@1 5")


@pytest.mark.parametrize("engine", [1, int(ENGINE_VERSION), 9])
def test_a_set_of_a_journal_keeps_the_number_of_its_engine(engine: int) -> None:
    stored = {**dump_rules(load_rules(DIVISION_15)), "engine": engine}
    assert dump_rules(build_rules(stored, "a journal")) == stored


def test_only_a_journal_says_which_engine_read_a_set() -> None:
    stored = copy.deepcopy(dump_rules(load_rules(MBS)))
    assert stored["engine"] == int(ENGINE_VERSION)
    with pytest.raises(RulesError, match='engine = "9": expected a whole number'):
        build_rules({**stored, "engine": "9"}, "a journal")
    with pytest.raises(RulesError, match="engine is not a rule file's to say"):
        parse_rules("engine = 3", "mine")
    del stored["shoe"]["discards"]
    with pytest.raises(RulesError, match=re.escape("shoe.discards is missing")):
        build_rules(stored, "mine")
