"""Misread cards, mis-keyed decisions, cards that nobody asked for: put right in mid-round."""

from __future__ import annotations

import pytest

from controller.replay.replay import _round
from hil_tests.benches.driven_table import LOCKED, TOGETHER
from tests.table.live.driver import DIV, EVERY, FIVE, MBS, PLUS, RWS, dealt

TWO = "1 main 10, 2 main 10"


# A card misread ----------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", EVERY)
def test_a_card_is_corrected_before_it_has_decided_anything(rules: str) -> None:
    table = dealt("9C 8D 7D 5H", TWO, rules)
    assert table.order("correct 1 JC").notes == ["supervisor: correct 1 JC by Sue: seen"]
    assert table.hand().startswith("JC")
    assert table.say("done").notes == ["card 1 of the round was read 9C, it is JC"]
    assert table.hand().startswith("JC")
    assert [str(card) for card in table.table.dealing.drawn] == ["JC", "8D", "7D", "5H"]
    assert _round(table.table)["shoe"] == "JC 8D 7D 5H"
    counted = {str(card): count for card, count in table.table.shoe.used.items() if count}
    assert counted == {"JC": 1, "8D": 1, "7D": 1, "5H": 1}
    table.check_replay()


def test_a_correction_that_changes_what_was_paid_is_the_supervisors() -> None:
    table = dealt("AC 8D 7D KC 5H", TWO)  # box 1 has its Pontoon paid
    assert [one["net"] for one in table.status()["owed"]] == ["15.00"]
    table.say("correct 1 9C")
    table.refuses("done", "this takes settlements back: the supervisor gives it")
    table.play("undo", "sue: correct 1 9C", "sue: correct 2 9D")
    told = table.say("done").settlements
    assert [(one["outcome"], one["net"]) for one in told] == [("reversed", "-15.00")]
    assert (table.hand(1), table.hand(2)) == ("9C KC", "9D 5H")
    assert table.status()["turn"] == {"box": 1, "hand": 1}
    table.check_replay()


def test_a_round_that_was_cleared_away_is_corrected_until_bets_are_opened() -> None:
    table = dealt("9C 8D 7D KC 5H", TWO).play("stand 1", "stand 2")
    table.deal("KD")  # 17 against 19 and 13
    table.say("next")
    table.order("correct 6 AD")  # soft 18
    table.order("done")
    assert table.state == "ended" or table.table.rnd is not None
    said = [(one["box"], one["outcome"], one["clause"]) for one in table.status()["owed"]]
    assert said == []
    table.say("next", "open")
    table.refuses_order("correct 6 KD", "not permitted now")


@pytest.mark.parametrize("power_cut", [False, True])
def test_a_correction_is_judged_before_what_does_not_wait_for_it(power_cut: bool) -> None:
    table = dealt("9C 7D 5C").play("correct 3 6C")
    told = (table.start("boot-2") if power_cut else table.slip("2C")).notes
    assert told[0] == "card 3 of the round was read 5C, it is 6C"
    assert table.hand() == ("9C 6C" if power_cut else "9C 6C 2C")
    assert str(table.table.dealing.drawn[2]) == "6C"
    table.check_replay()


@pytest.mark.parametrize("power_cut", [False, True])
def test_a_correction_that_may_not_be_judged_then_is_dropped(power_cut: bool) -> None:
    table = dealt("AC 8D 7D KC 5H", TWO)  # box 1 has its Pontoon paid
    table.say("correct 1 9C")
    told = (table.start("boot-2") if power_cut else table.slip("2C")).notes
    assert told[0] == (
        "the correction is dropped: this takes settlements back: the supervisor gives it, "
        "with name and reason"
    )
    assert (table.hand(1), table.table.shoe.used.total()) == ("AC KC", 5 + (not power_cut))
    assert [one["net"] for one in table.status()["settlements"]] == ["15.00"]
    table.check_replay()


@pytest.mark.parametrize("rules", [MBS, RWS, PLUS, DIV])
def test_a_card_that_lies_elsewhere_is_the_same_card(rules: str) -> None:
    table = dealt("9C 8D 7D 5H 6S 2C", TWO, rules).play("lies 6 2", "correct 6 3C", "done")
    assert (table.hand(), table.hand(2)) == ("9C 5H", "8D 6S 3C")
    counted = {str(card): count for card, count in table.table.shoe.used.items() if count}
    assert counted == dict.fromkeys(["9C", "8D", "7D", "5H", "6S", "3C"], 1)
    table.check_replay()


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("correct 1 8D", "all 1 of this shoe have come"),
        ("correct 1 TC", "the set has no tens"),
        ("correct 5 2C", "there is no card 5: 4 have left"),
    ],
)
def test_a_card_that_cannot_be(command: str, why: str) -> None:
    table = dealt("9C 8D 7D 5H", TWO, decks=1)
    table.refuses_order(command, why)


def test_a_correction_needs_who_and_why_and_a_round() -> None:
    table = dealt("9C 8D", TWO)
    with pytest.raises(Exception, match="correct needs who and why"):
        table.order("correct 1 JC", None, None)
    table.order("void")
    table.refuses_order("correct 1 JC", "not permitted now")


def test_one_too_many_of_its_kind_was_misread() -> None:
    table = dealt("9C 8D 7D", TWO, decks=1)
    table.slip("9C")
    assert table.status()["held"]["fault"] == "card-excess"
    table.order("correct 4 9S")
    assert (table.hand(), table.status()["held"]) == ("9C 9S", None)
    table.deal("5H")
    assert table.state == "play.decide"
    table.check_replay()


def test_one_too_many_of_its_kind_waits_while_another_card_is_corrected() -> None:
    table = dealt("9C 8D 7D", TWO, decks=1)
    table.slip("9C")
    reason = table.status()["held"]["reason"]
    table.order("correct 2 8S")
    assert table.hand(2) == "8S"
    assert table.status()["held"]["reason"] == reason
    assert table.status()["held"]["cards"] == ["9C"]
    table.check_replay()


# A decision mis-keyed ----------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [MBS, RWS, PLUS, DIV])
def test_a_decision_that_the_player_did_not_make(rules: str) -> None:
    table = dealt("9C 8D 7D 5H 6S", TWO, rules).play("stand 1")
    table.deal("2C")  # to box 2
    table.order("report wrong-decision 1")
    assert "reconstruct" in table.status()["held"]["remedies"]
    table.order("reconstruct")
    assert table.status()["turn"] == {"box": 1, "hand": 1}
    assert (table.hand(), table.hand(2)) == ("9C 5H", "8D 6S")
    assert table.wants().gate_cards == 0  # the card that is put back is the next
    if "done" in table.status()["permitted"]:
        table.say("done")
    table.say("hit 1")
    assert table.hand() == "9C 5H 2C"
    table.check_replay()


def test_what_was_discarded_since_does_not_come_back() -> None:
    table = dealt("9C 8D 7D 5H 6S", TWO, DIV).play("stand 1")
    table.slip("3C", 1)
    table.play("discard", "2C", "sue: report wrong-decision 1", "sue: reconstruct", "hit 1")
    assert table.hand() == "9C 5H 2C"
    table.order("correct 6 4C")  # the discarded one, for the count
    table.say("done")
    assert _round(table.table)["shoe"] == "9C 8D 7D 5H 6S 4C^ 2C"
    table.check_replay()


@pytest.mark.parametrize("rules", EVERY)
def test_a_decision_that_was_not_made_is_not_reported(rules: str) -> None:
    table = dealt("9C 8D 7D 5H 6S", TWO, rules)
    table.refuses_order("report wrong-decision 1", "box 1 has made no decision yet")
    assert not table.table.holds.standing
    table.check_replay()


# A card that nobody asked for --------------------------------------------------------------------


def test_a_card_drawn_in_error_while_the_button_is_offered_is_the_next() -> None:
    table = dealt("AC 9D 7H KC 8D", "1 main 10, 1 pandemonium 5, 2 main 10")
    table.slip("2C", LOCKED)
    assert table.status()["permitted"][0] == "use"
    table.press()  # on its way
    table.say("use")
    table.draw(25)
    table.shown(25)
    table.say("done")
    assert table.state == "play.decide"
    assert table.wants().gate_cards == 0
    table.say("hit 2")
    assert table.hand(2) == "9D 8D 2C"
    table.check_replay()


def test_a_player_refuses_it_and_stands_and_at_last_the_dealer_takes_it() -> None:
    table = dealt("9C 8D 7D 5H 6S", TWO)
    table.slip("2C", LOCKED)
    table.say("choose 1 refuse")
    assert table.status()["permitted"][:2] == ["use", "choose 2 refuse"]
    table.say("choose 2 refuse")
    assert table.status()["dealer"]["cards"] == "7D 2C"
    assert (table.hand(), table.hand(2)) == ("9C 5H", "8D 6S")
    table.check_replay()


def test_the_dealer_tells_that_somebody_saw_it() -> None:
    table = dealt("9C 8D 7D 5H 6S", TWO, DIV)
    table.slip("2C", LOCKED)
    assert table.status()["permitted"] == ["use", "report drawn seen", "report empty-box BOX"]
    table.say("report drawn seen")
    assert "(16.4)" in table.status()["held"]["reason"]
    assert table.status()["permitted"][:2] == ["use", "choose 1 refuse"]
    table.say("use", "hit 1")
    assert table.hand() == "9C 5H 2C"


def test_a_card_taken_out_again_because_it_was_not_asked_for() -> None:
    table = dealt("9C 8D 7D 5H 6S 2C", TWO)
    assert table.hand() == "9C 5H 2C"
    table.say("report drawn")
    assert (table.hand(), table.status()["held"]["cards"]) == ("9C 5H", ["2C"])
    table.say("use", "stand 1", "hit 2")
    assert table.hand(2) == "8D 6S 2C"
    table.check_replay()


def test_options_are_over_with_the_next_card_step_or_word() -> None:
    for closing in ("done", "stand 1", "hit 1"):
        table = dealt("9C 8D 7D 5H 6S 2C", TWO, PLUS)
        table.slip("3C", TOGETHER)
        assert table.status()["held"]["cards"] == ["2C", "3C&"]
        table.say("choose 1 3C")
        assert table.hand() == "9C 5H 3C"
        assert "choose 2 return" in table.status()["permitted"]
        table.say(closing)
        assert "choose 2 return" not in table.status()["permitted"]
        table.refuses("choose 2 return")
        table.check_replay()


def test_a_remedy_leaves_nothing_to_take_back() -> None:
    table = dealt("9C 8D 7D 5H 6S", TWO).play("stand 1")
    table.slip("2C", LOCKED)
    table.say("use")
    assert "undo" not in table.status()["permitted"]
    table.refuses("undo", "nothing can be taken back")


def test_a_hand_that_lacks_a_card_is_passed_over_where_everybody_has_surrendered() -> None:
    table = dealt("KC QC 9D 4C 5C", TWO, FIVE).play("surrender 1", "sue: lies 1 2", "sue: done")
    assert table.status()["held"]["remedies"][0] == "continue"
    table.order("continue")
    told = table.status()
    assert (told["state"], told["turn"], table.hand()) == ("dealer.second_card", None, "4C")
    assert told["boxes"]["1"]["hands"][0]["marks"] == ["settled", "surrendered"]
    table.check_replay()
