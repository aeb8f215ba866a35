"""Limits and fractions: what is refused when a wager is made, and what plays when it was not."""

from __future__ import annotations

import pytest

from controller.files.rules import load_rules
from controller.game.round import play
from controller.game.round.irregular.lying_wagers import limit
from controller.game.round.refusal import Refused
from controller.game.round.remedies import parse_step
from controller.game.round.state import Irregularity
from controller.game.round.wagers import Limits, Sheet, check_wager
from controller.game.rules.cards import parse_card

PLUS, DIVISION_15 = "rws-pontoon-plus-v5", "division-15-pontoon"


def test_a_wager_that_chips_cannot_pay_is_refused() -> None:
    with pytest.raises(Refused, match="whole cents") as refused:
        check_wager(load_rules(DIVISION_15), Limits(min=1), "main", 1, "a", 1001, 7)
    assert refused.value.clause == "10.4(b); A-30"


def test_a_double_is_at_least_the_increment() -> None:
    sheet = Sheet()
    sheet.set("main", 1, "a", 2000)
    rnd = play.begin_round(load_rules(DIVISION_15), Limits(increment=500), sheet)
    for name in ["6S", "9D", "5S"]:
        rnd = play.take_card(rnd, parse_card(name))
    with pytest.raises(Refused, match=r"at least 5\.00") as refused:
        play.take_step(rnd, parse_step("double 1 4"))
    assert refused.value.clause == "12.3(b)"
    with pytest.raises(Refused, match=r"in steps of 5\.00"):
        play.take_step(rnd, parse_step("double 1 7"))
    play.take_step(rnd, parse_step("double 1 5"))


def test_pro_rata_leaves_a_bet_below_the_minimum_as_it_was_placed() -> None:
    sheet = Sheet()
    for bettor, stake in (("a", 40_000), ("b", 500), ("c", 20_000)):
        sheet.set("main", 1, bettor, stake)
    rnd = play.begin_round(load_rules(PLUS), Limits(min=1000), sheet)
    limit(rnd, Irregularity("over-maximum", box=1, amount=30_250), "pro-rata")
    plays = {bettor: bet.stake for bettor, bet in rnd.boxes[1].hands[0].bets.items()}
    assert plays == {"a": 20_000, "b": 500, "c": 10_000}


def test_nobody_is_limited_whose_wagers_are_within_the_maximum() -> None:
    sheet = Sheet()
    sheet.set("main", 1, "a", 2000)
    rnd = play.begin_round(load_rules(PLUS), Limits(), sheet)
    with pytest.raises(Refused, match="is known to be above"):
        limit(rnd, Irregularity("over-maximum", box=1, amount=2000), "pro-rata")
