"""A supervisor's ``wager BOX KIND AMOUNT`` behind closed bets: where it meets other things that
were put right, and that a round with it is stored, read and played again as it stands."""

from __future__ import annotations

import json

import pytest

from controller.table.snapshot import dump_table, load_table
from tests.table.live.driver import DIV, EVERY, FIVE, MBS, PLUS, RWS, Live, dealt
from tests.table.live.settled import net, same_again

SHARED = [MBS, PLUS, RWS, DIV]


@pytest.mark.parametrize("rules", EVERY)
def test_a_round_with_it_is_stored_and_changed_again(rules: str) -> None:
    table = dealt("KC 7D 9H", "1 main 500", rules).play("sue: wager 1 main 50", "stand 1", "KD")
    same_again(table)
    table.say("next")
    stored = json.loads(json.dumps(dump_table(table.table)))
    table.table = load_table(stored)
    table.order("wager 1 main 60")
    assert net(table) == {"1a": "60.00"}


def test_a_stored_round_is_judged_by_the_numbers_of_its_cards() -> None:
    """RWS: a card said to lie at a hand that had stood counts for nothing, also once it is read."""
    table = dealt("KC 9D 9H 3C 8D", "1 main 10, 2 main 10", RWS)
    table.play("stand 1", "hit 2", "8C", "sue: lies 6 1", "sue: done", "stand 2", "KD")
    before = net(table)["1a"]
    table.say("next")
    table.table = load_table(json.loads(json.dumps(dump_table(table.table))))
    table.order("wager 2 pair 10")
    assert net(table)["1a"] == before == "-10.00"


@pytest.mark.parametrize("rules", [MBS, DIV, PLUS])
def test_a_hand_that_was_not_asked_for_a_wager_taken_out_again(rules: str) -> None:
    table = dealt("KC 9D 9C 5C 9H", "1 main 10, 2 main 10", rules).play("absent 1", "stand 2", "KD")
    before = net(table)
    table.order("wager 1b main 20")
    assert table.status()["held"]["fault"] == "not-asked"
    table.order("wager 1b main 0")
    assert (table.status()["held"], net(table)) == (None, before)


@pytest.mark.parametrize("rules", [MBS, PLUS])
def test_a_maximum_holds_whatever_lay_there_meanwhile(rules: str) -> None:
    table = dealt("KC 7D 9H", "1 main 100", rules)
    table.play("sue: report over-maximum 1 50", "sue: wager 1 main 40", "sue: wager 1 main 200")
    table.play("stand 1", "KD")
    assert net(table) == {"1a": "50.00"}
    same_again(table)


def test_a_maximum_of_another_box_changes_nothing_at_this_one() -> None:
    table = dealt("KC 9D 7D 9H 9C", "1 main 100, 1b main 100, 2 main 100", DIV)
    table.play("sue: report over-maximum 1 60", "sue: cap", "sue: report over-maximum 2 50")
    table.play("sue: pro-rata", "sue: report over-maximum 1 40", "sue: continue")
    table.play("sue: wager 1 main 120")
    assert table.table.rnd
    bets = table.table.rnd.boxes[1].hands[0].bets
    assert {bettor: bet.stake for bettor, bet in bets.items()} == {"a": 6000, "b": 6000}


@pytest.mark.parametrize("rules", SHARED)
def test_nobody_is_insured_before_the_dealer_has_a_card(rules: str) -> None:
    table = Live(rules).play("open", "wager 1 main 10", "wager 2 main 10", "close")
    while table.state != "deal.first_cards":
        table.say("burn")
    table.deal("KC")
    table.refuses_order("wager 1 insurance 5", "has no insurance")


@pytest.mark.parametrize("rules", SHARED)
def test_a_wager_at_a_box_that_is_out_is_given_back_too(rules: str) -> None:
    table = dealt("KC 9D 7D 9H 9C", "1 main 10, 2 main 10", rules)
    table.play("sue: report other", "sue: void-hand 1")
    table.refuses_order("wager 1b main 20", "box 1 is out: give back what lies there")
    table.refuses_order("wager 1 main 20", "1a has his wager back: give back")


@pytest.mark.parametrize("rules", EVERY)
def test_the_last_card_may_be_reported_behind_it(rules: str) -> None:
    table = dealt("6C 7D 5H", "1 main 500", rules)
    table.play("hit 1", "9S", "sue: wager 1 main 50", "sue: report drawn 1")
    assert table.table.rnd
    assert table.table.rnd.boxes[1].main == {"a": 5000}
    assert table.hand() == "6C 5H"


@pytest.mark.parametrize("rules", [FIVE, RWS, PLUS])
def test_a_round_that_is_over_stays_over(rules: str) -> None:
    table = dealt("7H AD 9C", "1 main 10", rules).play("hit 1", "KH")
    if table.state != "settled":
        table.play("5H", "done")
    assert table.state == "settled"
    table.order("wager 1 main 20")
    assert (table.state, net(table)) == ("settled", {"1a": "-20.00"})


def test_who_may_follow_a_split_may_still_when_another_hand_came_in_between() -> None:
    table = dealt("KC 8D 9C 5C 8H", "1 main 10, 2 main 10, 2b main 10", MBS)
    table.say("absent 1", "split 2")
    assert "follow 2b" in table.status()["permitted"]
    table.play("sue: wager 1b main 20", "stand 1")
    assert table.state == "play.split_card"
    assert "follow 2b" in table.status()["permitted"]


def test_of_insurances_the_one_that_is_returned_comes_last() -> None:
    table = dealt("9S 9D AH 9C 9C", "1 main 100, 2 main 100", MBS)
    table.say("insure 1 50", "insure 1@2 50")
    table.refuses_order("wager 1 insurance 20", r"has 2 of insurance \(50.00, 50.00\)")
    table.order("wager 1 insurance.2 20")
    table.refuses_order("wager 1 insurance.3 20", "has no insurance.3")
    table.refuses_order("wager 2 insurance.2 20", "has no insurance.2")


def test_who_is_to_give_up_his_insurance_is_named() -> None:
    table = dealt("9S 9D AH 9C 9C", "1 main 100, 1b main 100, 2 main 100", MBS)
    table.say("insure 2@1b 50")
    table.refuses_order("wager 1b main 0", "1b has part in an insurance: wager 2a insurance 0")


@pytest.mark.parametrize("rules", EVERY)
def test_what_could_not_be_entered_is_not_kept_for_the_next_round(rules: str) -> None:
    table = dealt("KC 7D 9H", "1 main 10", rules)
    outcome = table.order("wager 1 main 10.02")
    assert any("not kept for the next round" in note for note in outcome.notes)
    table.play("stand 1", "KD")
    assert net(table) == {"1a": "10.02"}
    table.say("next", "open")
    assert table.status()["boxes"]["1"]["wagers"] == {"a": {"main": "10.00"}}


@pytest.mark.parametrize("rules", [MBS, PLUS])
def test_a_void_round_gives_back_what_was_doubled_behind_a_maximum(rules: str) -> None:
    table = dealt("6C 7D 5H", "1 main 100", rules)
    table.play("sue: report over-maximum 1 50", "double 1 50", "2C", "keep 1", "sue: report other")
    table.play("sue: void")
    told = {one["kind"]: one["stake"] for one in table.status()["settlements"]}
    assert told == {"main": "100.00", "double": "50.00"}


@pytest.mark.parametrize("rules", [MBS, RWS])
def test_a_side_wager_is_shown_as_it_lies(rules: str) -> None:
    table = dealt("9C 9D 9H", "1 main 10, 1 pair 10, 2 main 10", rules)
    table.play("sue: wager 1 pair 30", "sue: wager 2 pandemonium 3")
    boxes = table.status()["boxes"]
    assert boxes["1"]["wagers"]["a"]["pair"] == "30.00"
    assert boxes["2"]["wagers"]["a"]["pandemonium"] == "3.00"
    table.play("9D 8S", "stand 1", "stand 2", "KD", "next", "open")
    assert table.status()["boxes"]["1"]["wagers"] == {"a": {"main": "10.00"}}


def test_what_is_to_be_paid_stays_told_where_nothing_changed() -> None:
    table = dealt("AS 9D 9H KD 9C", "1 main 100, 1 pandemonium 5, 2 main 10", MBS)
    owed = table.status()["owed"]
    assert [one["net"] for one in owed] == ["150.00"]
    table.order("wager 1 pandemonium 10")
    assert table.status()["owed"] == owed


def test_the_keypad_asks_why_also_where_nothing_is_settled() -> None:
    table = dealt("9S 9D 7H 9C 9D", "1 main 100, 2 main 100", MBS)
    for keys in ("X", "10#", "2#", "1#", "30#"):
        table.keys(keys, supervisor=True)
    assert table.rows()[0].startswith("1 CARD MISREAD")
    table.keys("7#", supervisor=True)
    assert table.status()["boxes"]["2"]["wagers"]["a"]["main"] == "30.00"


def test_refusals_say_what_is_put_right_first() -> None:
    table = dealt("6S 9D AH 5C 9C", "1 main 100, 2 main 100", MBS)
    table.play("insure 1@2 50", "double 1 50", "2C")
    table.refuses_order("wager 1 double 120", "original wager of 100.00: wager 1a main first")
    table.refuses_order("wager 1 main 40", "wager 1a double first")
    table.refuses_order("wager 1 double 0", "taken back .report wrong-decision 1, reconstruct")
    table.refuses_order("wager 1 insurance 60", "at most half of 100.00: wager 2a main first")
    table.refuses_order(
        "wager 2 insurance 10", "another has taken it up: wager 1a insurance 0 first"
    )
    table.refuses_order("wager 3 main 10", "box 3 is not in the round")
    table.refuses_order("wager 1 main 0", "void its hand .report other, void-hand 1")
    trick = dealt("5S KD 3H", "1 main 10", FIVE)
    trick.refuses_order("wager 1 insurance 5", "these rules know no insurance")


def test_a_stored_round_is_void_by_the_numbers_of_its_cards() -> None:
    """Plus: a card that came by itself to a hand with a choice stays out of it, also once read."""
    table = dealt("2C 2D 9H 3C JD", "1 main 10, 2 main 10", PLUS)
    table.play("hit 1", "4C 5C", "stand 1", "stand 2", "KH")
    for said in ("correct 6 9C", "done", "continue"):
        table.order(said)
    table.say("next")
    table.table = load_table(json.loads(json.dumps(dump_table(table.table))))
    table.play("undo", "sue: report other", "sue: void-hand 2")
    assert net(table)["1a"] == "-10.00"


def test_a_hit_that_was_said_stays_one_whatever_was_put_right_since() -> None:
    table = dealt("2C 9H 3C", "1 main 10", PLUS)
    table.play("hit 1", "4C", "sue: correct 1 2D", "sue: done", "hit 1", "sue: wager 1 main 20")
    table.play("5C", "sue: correct 4 9C", "sue: done")
    assert table.hand() == "2D 3C 9C 5C"
