"""Main wagers below the minimum: MBS 5.26 (once), RWS Pontoon Plus 5.2.1 (as they are)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.files.rules import load_rules
from controller.game.round import play
from controller.game.round.irregular.lying_wagers import limit
from controller.game.round.refusal import Refused
from controller.game.round.remedies import parse_step
from controller.game.round.state import Irregularity
from controller.game.round.wagers import Limits, Sheet, check_wager
from controller.game.rules.cards import parse_card
from hil_tests.benches.driven_table import LIMITS
from tests.table.live.driver import DIV, FIVE, MBS, PLUS, RWS, Live, settings


def _round(table: Live, *wagers: str) -> None:
    """A round that 9C 9H loses against KD 9S; more boxes have a card each way."""
    table.say("open", *wagers, "close")
    boxes = len(table.table.dealing.rnd.boxes)  # type: ignore[union-attr]
    table.deal(f"{'9C ' * boxes}KD {'9H ' * boxes}")
    if table.state == "offers.open":
        table.say("done")
    for box in table.table.dealing.rnd.boxes:  # type: ignore[union-attr]
        table.say(f"stand {box}")
    table.deal("9S")
    assert table.state == "settled"


def test_it_wins_or_loses_once_and_the_next_goes_back() -> None:
    table = Live(MBS)
    _round(table, "wager 1 main 4", "wager 2 main 10")
    assert {s["net"] for s in table.outcomes[-1].settlements} == {"-4.00", "-10.00"}
    table.say("open")
    assert "Goes back at the close: 1a (5.26)." in table.status()["prompt"]
    table.say("close")
    assert table.status()["boxes"]["1"]["returned"] == {"a": {"main": "4.00"}}
    assert "Returned: 1a main 4.00 (5.26)" in table.status()["prompt"]
    assert list(table.table.dealing.rnd.boxes) == [2]  # type: ignore[union-attr]
    assert "returned: 1a main 4.00 (5.26)" in table.outcomes[-1].notes


def test_it_is_told_when_it_is_entered() -> None:
    table = Live(MBS).play("open", "wager 1b main 4")
    assert "Below the minimum: 1b (5.26)." in table.status()["prompt"]
    assert table.outcomes[-1].notes == [
        "1b is below the minimum of 10.00: it wins or loses once (5.26)"
    ]
    table.keys("B2M8#")
    assert table.rows()[1] == "OK: BELOW MIN 10"


def test_the_keypad_says_who_takes_it_back() -> None:
    table = Live(MBS)
    _round(table, "wager 1 main 4", "wager 2 main 10")
    table.say("open")
    table.keys("B1M6#")
    assert table.rows()[1] == "OK: BACK AT CLOSE"
    assert table.outcomes[-1].notes == [
        "1a is below the minimum of 10.00: it goes back at the close (5.26)"
    ]
    table.keys("N")
    assert table.rows()[1] == "RETURN 1A"


def test_a_wager_of_the_minimum_is_taken_and_ends_nothing() -> None:
    table = Live(MBS)
    _round(table, "wager 1 main 4")
    _round(table, "wager 1 main 10")
    table.say("open", "wager 1 main 4", "wager 1b main 4", "wager 2 main 10", "close")
    assert table.status()["boxes"]["1"]["returned"] == {"a": {"main": "4.00"}}
    assert table.status()["boxes"]["1"]["wagers"] == {"b": {"main": "4.00"}}


def test_it_goes_back_as_often_as_it_comes() -> None:
    table = Live(MBS)
    _round(table, "wager 1 main 4", "wager 2 main 10")
    for _ in range(2):
        _round(table, "wager 1 main 6")
        assert table.status()["boxes"]["1"]["returned"] == {"a": {"main": "6.00"}}


def test_who_was_away_for_a_round_is_another() -> None:
    table = Live(MBS)
    _round(table, "wager 1 main 4", "wager 2 main 10")
    _round(table, "wager 1 main 0")
    _round(table, "wager 1 main 4")
    assert "returned" not in table.status()["boxes"]["1"]


def test_a_void_round_is_no_outcome() -> None:
    table = Live(MBS).play("open", "wager 1 main 4", "close", "9C", "sue: void", "next")
    _round(table)
    assert {s["net"] for s in table.outcomes[-1].settlements} == {"-4.00"}


def test_side_wagers_go_back_with_the_last_main_wager_of_the_box() -> None:
    table = Live(MBS)
    _round(table, "wager 1 main 4", "wager 2 main 10")
    table.say("open", "wager 1 pair 5", "wager 1d pandemonium", "wager 2 pair 5", "close")
    assert table.status()["boxes"]["1"] == {
        "hands": [],
        "wagers": {},
        "returned": {"a": {"main": "4.00", "pair": "5.00"}, "d": {"pandemonium": None}},
    }
    assert "1a pair 5.00, 1d pandemonium (5.26)" in table.status()["prompt"]


def test_side_wagers_stay_where_the_box_has_another_main_wager() -> None:
    """MBS 3.15.3: anyone may have them on a box that is wagered on."""
    table = Live(MBS)
    _round(table, "wager 1 main 4", "wager 2 main 10")
    table.say("open", "wager 1 pair 5", "wager 1b main 10", "wager 1b pair 5", "close")
    assert table.status()["boxes"]["1"]["returned"] == {"a": {"main": "4.00"}}
    assert table.status()["boxes"]["1"]["wagers"] == {
        "b": {"main": "10.00", "pair": "5.00"},
        "a": {"pair": "5.00"},
    }


def test_bets_stay_open_where_nothing_else_is_wagered() -> None:
    table = Live(MBS)
    _round(table, "wager 1 main 4")
    table.say("open")
    assert "close" not in table.status()["permitted"]
    no = table.refuses("close", r"1a: below the minimum of 10.00 again, it goes back")
    assert (no.clause, no.short) == ("5.26", "NO MAIN WAGER")


def test_undo_takes_the_return_and_the_memory_back() -> None:
    table = Live(MBS)
    _round(table, "wager 1 main 4", "wager 2 main 10")
    before = table.table.betting.settled_below
    assert before == frozenset()
    table.say("open")
    assert table.table.betting.settled_below == {(1, "a")}
    table.say("undo")
    assert table.table.betting.settled_below == before
    table.say("open", "close", "undo")
    assert table.table.betting.returned == ()
    assert table.status()["boxes"]["1"]["wagers"] == {"a": {"main": "4.00"}}


def test_a_closed_table_forgets() -> None:
    table = Live(MBS)
    _round(table, "wager 1 main 4", "wager 2 main 10")
    table.play("next", "sue: close-table")
    assert table.table.betting.settled_below == frozenset()


def test_in_pontoon_plus_it_plays_every_time() -> None:
    table = Live(PLUS)
    for _ in range(2):
        _round(table, "wager 1 main 4")
        assert {s["net"] for s in table.outcomes[-1].settlements} == {"-4.00"}
        assert table.outcomes[-1].settlements[0]["stake"] == "4.00"
    table.say("open", "wager 1b main 6")
    assert "Below the minimum: 1a, 1b (5.2.1; 5.1.2)." in table.status()["prompt"]
    assert table.outcomes[-1].notes == [
        "1b is below the minimum of 10.00: it plays as it is (5.2.1; 5.1.2)"
    ]


@pytest.mark.parametrize("rules", [RWS, DIV, FIVE])
def test_elsewhere_it_is_refused(rules: str) -> None:
    table = Live(rules).play("open")
    table.refuses("wager 1 main 4", r"the limits are 10.00 to 5000.00")


@pytest.mark.parametrize("rules", [MBS, PLUS])
def test_its_cents_are_counted_as_ever(rules: str) -> None:
    table = Live(rules).play("open")
    for sum_ in ("4.01", "0.50"):
        table.refuses(f"wager 1 main {sum_}", "steps of")


def test_what_is_less_than_the_minimum_cannot_be_doubled() -> None:
    table = Live(MBS).play("open", "wager 1 main 4", "close", "5C 9D 6H")
    assert "double 1 AMOUNT" not in table.status()["permitted"]
    for amount in ("", " 4", " 10"):
        assert (
            table.refuses(f"double 1{amount}", r"cannot be doubled: the least is 10.00").clause
            == "3.25"
        )


def test_it_stays_where_the_controller_starts_anew() -> None:
    table = Live(MBS)
    _round(table, "wager 1 main 4", "wager 2 main 10")
    table.say("next")
    table.restart("boot-2", settings(MBS, limits=replace(LIMITS, min=2_000)))
    table.say("open")
    assert list(table.status()["boxes"]) == ["1"]  # 2 was above the least of before
    assert "Goes back at the close: 1a" in table.status()["prompt"]


def test_in_pontoon_plus_it_is_not_scaled_when_the_box_is_above_its_maximum() -> None:
    """5.1.2: the others play pro rata for 100: 150 and 46 of 200 are 75 and 23."""
    table = Live(PLUS)
    table.say("open", "wager 1 main 150", "wager 1b main 46", "wager 1c main 4", "close")
    table.play("KS 9H 9D", "report over-maximum 1 100", "stand 1", "8C")
    settled = table.outcomes[-1].settlements
    assert [s["net"] for s in settled] == ["75.00", "23.00", "4.00"]


# Limits and fractions ----------------------------------------------------------------------------


def test_a_wager_that_chips_cannot_pay_is_refused() -> None:
    with pytest.raises(Refused, match="whole cents") as refused:
        check_wager(load_rules(DIV), Limits(min=1), "main", 1, "a", 1001, 7)
    assert refused.value.clause == "10.4(b); A-30"


def test_a_double_is_at_least_the_increment() -> None:
    sheet = Sheet()
    sheet.set("main", 1, "a", 2000)
    rnd = play.begin_round(load_rules(DIV), Limits(increment=500), sheet)
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
