"""Which card is the worst for the dealer (MBS 5.23.4.5), and cards that the next player lets go by
(5.23.3.1)."""

from __future__ import annotations

import dataclasses

import pytest

from controller.files.rules import load_rules
from controller.game.round.draft import begin_round
from controller.game.round.irregular.cases import alike, is_certain, is_worse, worst
from controller.game.round.result_fields import RoundResult
from controller.game.round.state import Round
from controller.game.round.wagers import Limits, Sheet
from controller.game.rules.cards import parse_card
from controller.game.rules.schema import RuleSet
from controller.game.scripts.runner import StepRefused, play_script, run_script
from controller.game.scripts.script import read_script

MBS = "mbs-pontoon-pandemonium-v5"


def _dealer(cards: str) -> Round:
    sheet = Sheet()
    sheet.wagers["main"] = {1: {"a": 1000}}
    rnd = begin_round(load_rules(MBS), Limits(100, 100_000), sheet)
    rnd.dealer = [parse_card(card) for card in cards.split()]
    return rnd


@pytest.mark.parametrize(
    ("dealer", "card", "other", "said"),
    [
        ("9D 5C", "KC", "2C", "worse"),  # bust; 16, and he draws
        ("9D 5C", "KC", "3C", "worse"),  # bust; 17
        ("9D 5C", "KC", "QC", "equal"),  # bust both
        ("9D 5C", "8C", "9C", "equal"),
        ("9D 5C", "3C", "7C", "worse"),  # 17; 21
        ("9D 5C", "3C", "2C", "uncertain"),  # 17; 16, and he draws
        ("9D 5C", "AC", "2C", "uncertain"),
        ("9D", "8C", "KC", "worse"),  # 17; 19
        ("9D", "KC", "QC", "equal"),
        ("9D", "5C", "KC", "uncertain"),
        ("AD", "9C", "KC", "worse"),  # 20; a Pontoon
        ("AD", "2C", "KC", "worse"),  # he draws; a Pontoon
        ("AD", "6C", "8C", "uncertain"),  # a soft 17 draws
        ("AD 5C", "5H", "AC", "uncertain"),  # 21; a soft 17 draws
        ("9D AC", "AH", "AS", "equal"),
        ("", "9C", "KC", "uncertain"),  # his first card
        ("KD KC", "AC", "AH", "equal"),
    ],
)
def test_the_order_of_two_cards(dealer: str, card: str, other: str, said: str) -> None:
    rnd, one, two = _dealer(dealer), parse_card(card), parse_card(other)
    assert alike(rnd, one, two) is alike(rnd, two, one) is (said == "equal")
    assert is_worse(rnd, one, two) is (said == "worse")
    assert not is_worse(rnd, two, one)


def test_of_three_cards_those_stay_that_no_other_undercuts() -> None:
    rnd = _dealer("9D 5C")
    cards = [parse_card(card) for card in ("3C", "7C", "2C")]
    assert list(map(str, worst(rnd, cards))) == ["3C", "2C"]
    assert not is_certain(rnd, cards)


def _remarks(shoe: str, *steps: str, rules: RuleSet | None = None) -> list[str]:
    chosen = rules or load_rules(MBS)
    script = {
        "title": "cards that left together",
        "rules": MBS,
        "wagers": [{"box": 1, "main": 10}, {"box": 2, "main": 10}],
        "shoe": shoe,
        "steps": list(steps),
    }
    return play_script(read_script(script, lambda _: chosen)).irregular.remarks


def test_where_the_order_is_not_certain_a_warning_is_given() -> None:
    steps = ("stand 1", "stand 2", "report together 8C 5C", "use 8C")
    [remark] = _remarks("KS KH 9D 8S 8H 8C 5C&", *steps)
    assert remark == "8C 5C: the card most detrimental to the dealer's hand is used (5.23.4.5)"


def test_where_it_is_certain_none_is_given() -> None:
    steps = ("stand 1", "stand 2", "report together 8C KC", "use 8C")
    assert _remarks("KS KH 9D 8S 8H 8C KC&", *steps) == []


BOTH_SEEN = ("hit 1", "report together 9C 6C", "choose 1 9C", "stand 1", "stand 2")


def test_what_the_next_player_lets_go_by_is_burned() -> None:
    remarks = _remarks("5S KS 9D 6S 8H 9C 6C& 8D", *BOTH_SEEN)
    assert remarks == ["box 2 takes no card: 6C is burned (5.23.3.1)"]


def test_in_a_set_of_before_it_is_the_next_card() -> None:
    rules = load_rules(MBS)
    cases = tuple(
        dataclasses.replace(case, options=tuple(set(case.options) - {"decline"}))
        for case in rules.irregularities
    )
    before = dataclasses.replace(rules, irregularities=cases)
    assert _remarks("5S KS 9D 6S 8H 9C 6C& 2D", *BOTH_SEEN, rules=before) == []


# The offers upon the dealer's late first card (MBS 5.12.2) ---------------------------------------


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
