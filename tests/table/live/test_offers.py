"""Insurance, surrender and the withdrawal window: what closes them, and what waits for it."""

from __future__ import annotations

import pytest

from hil_tests.tables.scripted import hands_of
from tests.table.live.driver import MBS, RWS, dealt
from tests.table.live.grid import check_permitted


def test_a_card_closes_the_offers_and_is_the_first_hands() -> None:
    table = dealt("9C 8C AD 5H 7H", "1 main 10, 2 main 10").play("insure 1 5", "surrender 2")
    assert table.status()["turn"] == {"box": 1, "hand": 1}
    table.deal("3C")
    assert table.hand() == "9C 5H 3C"
    assert table.state == "play.decide"
    table.refuses("insure 2 5", "not permitted now")


def test_a_decision_closes_the_offers() -> None:
    table = dealt("9C 8C AD 5H 7H", "1 main 10, 2 main 10").play("stand 1")
    assert (table.state, table.status()["turn"]) == ("play.decide", {"box": 2, "hand": 1})


def test_a_decision_that_may_not_be_leaves_the_offers_open() -> None:
    table = dealt("9C 8C AD 5H 7H", "1 main 10, 2 main 10")
    table.refuses("stand 2", "box 1 is in turn")
    assert table.state == "offers.open"
    table.say("insure 2 5")


def test_done_closes_the_offers() -> None:
    table = dealt("9C 8C KD 5H 7H", "1 main 10, 2 main 10")
    assert table.rows()[0] == "SURRENDER? THEN E"
    table.say("done")
    assert table.state == "play.decide"


def test_the_last_offer_taken_up_closes_them() -> None:
    table = dealt("9C KD 5H", rules=RWS).play("surrender 1")
    assert table.state == "dealer.second_card"


def test_when_all_have_surrendered_the_dealer_says_so_before_his_card() -> None:
    table = dealt("9C 8C AD 5H 7H", "1 main 10, 2 main 10")
    table.say("surrender 1", "surrender 2")  # insurance is still open
    assert (table.state, table.wants().gate_cards) == ("offers.open", 0)
    assert table.status()["prompt"].endswith("open against the dealer's AD. Done closes.")
    assert table.rows()[0] == "INSURE? THEN E"
    check_permitted(table.table)
    table.say("done")
    assert (table.state, table.wants().gate_cards) == ("dealer.second_card", 1)


def test_insurance_taken_up_from_another() -> None:
    table = dealt("9C 8C AD 5H 7H", "1 main 10, 1b main 20, 2 main 10")
    table.say("insure 2@1b 4", "insure 1@1b 6")
    table.refuses("insure 1@2 6", "at most half")
    table.refuses("insure 1b 5", "declined and another has taken it up")
    check_permitted(table.table)


def test_each_bettor_for_himself_or_the_box_as_one() -> None:
    table = dealt("9C 8C KD 5H 7H", "1 main 10, 1b main 20, 2 main 10", MBS).play("surrender 1b")
    check_permitted(table.table)
    table = dealt("9C 8C KD 5H 7H", "1 main 10, 1b main 20, 2 main 10", RWS)
    table.refuses("surrender 1b", "1a decides for the box")
    table.say("surrender 1")
    assert table.status()["permitted"][0] == "surrender 2"


# Doubled and withdrawn ---------------------------------------------------------------------------


def test_a_standing_bettor_may_double_too() -> None:
    table = dealt("6C 8C 7D 5H 7H", "1 main 10, 1b main 10, 2 main 10")
    check_permitted(table.table)
    table.say("double 1 10")
    assert table.status()["awaiting"] == "dealer"  # 1b may follow
    assert "a standing bettor may double first" in table.status()["prompt"]
    check_permitted(table.table)
    table.say("double 1b 10")
    assert table.status()["awaiting"] == "card"
    table.deal("4S")
    assert table.state == "play.withdraw"


def test_each_withdraws_or_keeps_until_the_next_card() -> None:
    table = dealt("6C 8C 7D 5H 7H", "1 main 10, 1b main 10, 2 main 10")
    table.play("double 1 10", "double 1b 10", "4S")
    assert table.rows()[0] == "BOX 1 15: W OR E"
    check_permitted(table.table)
    table.say("withdraw 1b")
    assert table.state == "play.withdraw"
    table.deal("2S")  # closes the window, and is box 2's hit
    assert table.hand(2) == "8C 7H 2S"
    table.refuses("withdraw 1")


@pytest.mark.parametrize("closing", ["done", "keep 1", "stand 2", "hit 2"])
def test_what_else_closes_the_window(closing: str) -> None:
    table = dealt("6C 8C 7D 5H 7H", "1 main 10, 2 main 10").play("double 1 10", "4S")
    table.say(closing)
    assert table.state == ("play.decide" if closing != "stand 2" else "dealer.second_card")
    table.say("undo")
    assert table.state == "play.withdraw"


def test_a_standing_bettor_follows_a_split() -> None:
    table = dealt("8C 7D 8H", "1 main 10, 1b main 10, 1c main 10").play("split 1", "follow 1b")
    check_permitted(table.table)
    assert "a standing bettor may add first" in table.status()["prompt"]
    table.deal("2C")
    assert table.rows()[0] == "B1/1 10: CARD S D"
    table.say("stand 1")
    assert table.rows()[0] == "B1/2: SECOND CARD"
    assert table.status()["turn"] == {"box": 1, "hand": 2}
    assert hands_of(table.status(), 1) == [("8C 2C", 10), ("8H", 8)]
    first, second = table.status()["boxes"]["1"]["hands"]
    assert first["stakes"] == {b: {"main": "10.00"} for b in "abc"}
    assert second["stakes"] == {b: {"main": "10.00"} for b in "ab"}
    assert first["marks"] == second["marks"] == ["split"]


def test_a_draw_on_which_nothing_depends() -> None:
    table = dealt("9C 7D 9H", rules=RWS).play("9S")
    assert table.status()["prompt"] == "Nothing depends on the dealer's hand: draw, or done."
    table.deal("2D")
    assert table.status()["awaiting"] == "dealer"
    table.say("done")
    assert table.state == "settled"
    table = dealt("9C 7D 9H", rules=MBS).play("9S")
    assert table.state == "settled"


def test_who_has_taken_over_does_not_raise_a_hand_without_a_wager_of_his() -> None:
    table = dealt("8C 7D 8H", "1 main 10, 1b main 10").play("split 1", "2C", "stand 1")
    table.deal("8S")  # the second hand is 1a's alone
    table.say("absent 1")
    assert table.state == "play.decide"
    for raised in ("double 1 10", "split 1"):
        table.refuses(raised, "1b has no wager on the hand in turn")
    check_permitted(table.table)
    table.say("stand 1")
    assert table.state == "dealer.second_card"


def test_who_is_not_there_is_told_and_who_decides_instead() -> None:
    table = dealt("5S 9D 6H", "1 main 10, 1b main 20, 1c main 30")
    assert table.status()["prompt"].startswith("Box 1 has 11:")
    table.say("absent 1")
    status = table.status()
    assert status["boxes"]["1"]["absent"] == ["a"]
    assert status["prompt"].startswith("Box 1 (without 1a) has 11:")
    assert status["keypad"][0].startswith("BOX 1B 11: CARD S D")
    for _ in "bc":
        table.say("absent 1")
    status = table.status()
    assert status["boxes"]["1"]["absent"] == ["a", "b", "c"]
    assert status["prompt"] == "Box 1 (without 1a and 1b and 1c) has 11 and must draw."
    assert status["keypad"][0] == "BOX 1 11: CARD"


def test_nothing_is_offered_against_two_cards_of_the_dealer() -> None:
    """The ace that was box 1's lies there, behind the button that it had brought (RWS 5.1.2)."""
    table = dealt("AS 9D 4S KS 7D", "1 main 10, 1 pandemonium 5, 2 main 10", RWS)
    assert table.state == "jackpot.armed"
    table.play("sue: lies 1 dealer", "sue: done")
    assert table.status()["dealer"]["cards"] == "AS 4S"
    assert (table.state, table.status()["held"]["fault"]) == ("held.play.split_card", "one-card")
