"""Put right as if it had never been wrong, at a live table: what a script cannot show."""

from __future__ import annotations

import pytest

from controller.game.commands.values import Malformed
from controller.game.round.refusal import Refused
from tests.table.live.driver import DIV, EVERY, FIVE, MBS, PLUS, RWS, dealt
from tests.table.live.settled import net, same_again


@pytest.mark.parametrize("rules", EVERY)
def test_the_split_that_stands_against_a_correction_is_taken_back_as_advised(rules: str) -> None:
    """The correction waits meanwhile; then the hand decides again on the right cards."""
    table = dealt("9C 7D 9H", "1 main 10", rules).play("split 1", "sue: correct 3 8H")
    table.refuses_order("done", r"take the split back first \(report wrong-decision 1")
    table.play("sue: report wrong-decision 1", "sue: reconstruct", "sue: done")
    assert table.hand() == "9C 8H"
    assert "stand 1" in table.status()["permitted"]


def test_or_it_stands_where_nothing_can_be_reconstructed() -> None:
    """RWS Pontoon Plus 5.10.1: the pair was paid since."""
    table = dealt("9C 7D 9H", "1 main 10, 1 pair 5", PLUS)
    table.play("split 1", "5C", "hit 1", "9S", "sue: correct 3 8H")
    table.refuses_order("done", "or have it stand")
    table.order("report wrong-decision 1")
    remedies = table.status()["held"]["remedies"]
    table.play("sue: continue", "sue: done")
    hands = table.status()["boxes"]["1"]["hands"]
    assert "continue" in remedies
    assert [hand["cards"][:2] for hand in hands] == ["9C", "8H"]


@pytest.mark.parametrize("rules", EVERY)
def test_what_lies_there_counts_whatever_was_keyed(rules: str) -> None:
    table = dealt("KC 7D 9H", "1 main 500", rules)
    with pytest.raises(Malformed, match="needs who and why"):
        table.order("wager 1 main 50", None, None)
    table.refuses("wager 1 main 50", "no wager may be placed")
    table.play("sue: wager 1 main 50", "stand 1", "KD")
    assert table.state == "settled"
    assert net(table) == {"1a": "50.00"}
    table.order("wager 1 main 60")
    told = [(one["outcome"], one["net"]) for one in table.status()["settlements"]]
    assert told == [("win", "50.00"), ("reversed", "-50.00"), ("win", "60.00")]
    assert [one["net"] for one in table.status()["owed"]] == ["-50.00", "60.00"]
    table.say("next", "open")
    assert table.status()["boxes"]["1"]["wagers"] == {"a": {"main": "60.00"}}


def test_a_double_above_what_lies_there_is_put_right_first() -> None:
    table = dealt("6C 7D 5H", "1 main 500", MBS).play("double 1 500")
    table.refuses_order("wager 1 main 50", "could not have been played with it: double of 500.00")
    table.play("sue: wager 1 double 50", "sue: wager 1 main 50", "9S", "keep 1", "KD")
    assert net(table) == {"1a": "100.00"}


@pytest.mark.parametrize("rules", EVERY)
def test_a_round_is_void_until_it_is_cleared(rules: str) -> None:
    table = dealt("KC 7D 9H", "1 main 10", rules).play("stand 1", "KD")
    outcome = table.order("void")
    told = [(one["outcome"], one["net"]) for one in outcome.settlements]
    assert told == [("reversed", "-10.00"), ("returned", "0.00")]
    assert table.state == "void"
    table.say("next", "open", "close")


def test_a_hand_that_was_not_asked_is_decided_about_by_name() -> None:
    table = dealt("KC 9C 7D 5H 8H", "1 main 10, 2 main 10", MBS)
    table.play("9S", "stand 2", "KD", "sue: correct 6 2S", "sue: done")
    held = table.status()["held"]
    assert held["fault"] == "not-asked"
    assert "box 1" in held["reason"]
    with pytest.raises(Refused, match="box 1 was not asked: continue needs who and why"):
        table.order("continue", None, None)
    table.order("reconstruct")
    assert table.status()["turn"] == {"box": 1, "hand": 1}
    table.say("stand 1")
    assert (table.state, net(table)) == ("settled", {"1a": "0.00", "2a": "0.00"})


def test_a_card_that_is_said_to_lie_where_it_lies_changes_nothing() -> None:
    """Division 15: also when it is taken up and put back, behind a double of three cards."""
    table = dealt("2H 9D 3S", "1 main 100", DIV).play("4C", "double 1 100", "JD", "keep 1", "KC")
    for said in ("lies 4 1", "lies 4 dealer", "lies 4 1"):
        table.order(said)
    table.order("done")
    assert (table.state, net(table)) == ("settled", {"1a": "0.00"})


def test_a_wager_behind_offers_that_the_other_sum_had_closed() -> None:
    """RWS Pontoon Plus: with the sum that lies there he might have insured for more."""
    table = dealt("8D KH AC 9S AC", "1 main 10, 2 main 10, 2b main 10", PLUS)
    table.play("surrender 1", "insure 1 5", "8H", "sue: wager 1 main 20")
    assert table.state == "settled"
    same_again(table)


def test_a_box_whose_first_player_has_surrendered_is_void_with_the_other_ones_double() -> None:
    table = dealt("2S 9C KD 9H 8H", "1 main 100, 1b main 50, 2 main 100", MBS)
    table.play("surrender 1", "double 1 50", "3C", "keep 1", "sue: report other")
    table.play("sue: void-hand 1", "stand 2", "8C")
    assert net(table) == {"1a": "0.00", "1b": "0.00", "2a": "-100.00"}


@pytest.mark.parametrize("rules", [MBS, RWS])
@pytest.mark.parametrize("moment", ["in play", "behind the end"])
def test_a_button_wager_that_nobody_keyed_gets_its_draw(rules: str, moment: str) -> None:
    """Nothing was drawn for the box, so the button is offered now; play goes on behind it."""
    table = dealt("AS 9D 7H KC 9C", "1 main 10, 2 main 10", rules)
    if moment == "behind the end":
        table.play("stand 2", "JS")
    table.order("wager 1 pandemonium 5")
    assert table.state == "jackpot.armed"
    table.win(25)
    table.say("done")
    if moment == "in play":
        table.play("stand 2", "JS")
    assert table.state == "settled"
    assert net(table) == {"1a": "140.00", "2a": "10.00"}
    same_again(table)


@pytest.mark.parametrize("rules", [MBS, RWS])
def test_a_draw_for_a_wager_that_did_not_lie_there_is_not_repeated(rules: str) -> None:
    table = dealt("AS 9D 7H KC 9C", "1 main 10, 1 pandemonium 5, 2 main 10", rules)
    table.win(25)
    table.play("done", "sue: wager 1 pandemonium 0", "stand 2", "sue: report wrong-decision 2")
    table.play("sue: reconstruct")
    assert net(table)["1a"] == "15.00"
    table.play("sue: wager 1 pandemonium 2", "stand 2", "JS")
    assert (table.state, net(table)["1a"]) == ("settled", "65.00")


@pytest.mark.parametrize(("rules", "first"), [(MBS, "AH"), (RWS, "AH"), (PLUS, "AH"), (DIV, "AH")])
def test_an_insurance_that_nobody_keyed(rules: str, first: str) -> None:
    table = dealt(f"9S {first} 9C", "1 main 10", rules).play("stand 1", "sue: wager 1 insurance 5")
    table.refuses_order("wager 1 insurance 5", "is 5.00 already")
    table.deal("9H")
    assert net(table) == {"1a": "-15.00"}
    table.order("wager 1 insurance 0")
    assert net(table) == {"1a": "-10.00"}
    table.refuses_order("wager 1 double 5", "1 has no double")


def test_of_several_buys_or_doubles_it_is_said_which() -> None:
    table = dealt("5S KD 3H", "1 main 10", FIVE)
    for amount, card in (("10", "5C"), ("10", "4D")):
        table.say(f"buy 1 {amount}")
        table.deal(card)
    table.refuses_order("wager 1 buy 5", r"has 2 of buy \(10.00, 10.00\): say which")
    table.refuses_order("wager 1 buy.3 5", "has no buy.3")
    table.refuses_order("wager 1 main.2 5", "has no main.2")
    table.play("sue: wager 1 buy.2 5", "stand 1", "9H")
    assert net(table) == {"1a": "-25.00"}
    split = dealt("6S 9D 6H", "1 main 20", MBS).play("split 1")
    for card, then in (("5C", "9S"), ("5H", "9C")):
        split.deal(card)
        split.say("double 1 20")
        split.deal(then)
    split.play("sue: wager 1 double.2 14", "KD")
    assert net(split) == {"1a": "74.00"}


def test_who_has_his_wager_back_may_not_withdraw_any_more() -> None:
    table = dealt("7D QD AC", "1 main 50, 1b main 10", PLUS)
    table.play("double 1 25", "double 1b 10", "KH", "sue: report missed-surrender 1")
    table.play("sue: continue", "sue: choose 1b return")
    assert [step for step in table.status()["permitted"] if "1b" in step] == []
    assert "withdraw 1" in table.status()["permitted"]
