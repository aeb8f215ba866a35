"""Whose a remedy is, how long it may be given, and how the amount of a double is found."""

from __future__ import annotations

from dataclasses import replace

from controller.files.rules import load_rules
from tests.table.live.driver import DIV, MBS, PLUS, RWS, Live, dealt, live


def _choices(table: Live) -> list[str]:
    return [step for step in table.status()["permitted"] if step.startswith("choose")]


def test_a_bare_number_is_bettor_a_also_where_b_decides_for_the_box() -> None:
    table = live("1 main 100, 1b main 50, 2 main 50", MBS)
    table.play("9S 8C KD 3H 9C", "surrender 1", "report power", "sue: resume")
    assert _choices(table) == ["choose 1 return", "choose 1b return", "choose 2 return"]
    table.say("choose 1b return")  # nobody is left to play the box
    assert table.status()["turn"] == {"box": 2, "hand": 1}
    assert _choices(table) == ["choose 1 return", "choose 2 return"]


def test_of_a_box_with_a_standing_bettor_alone_the_letter_is_said() -> None:
    table = live("1b main 50, 2 main 50", PLUS)
    table.play("9S 8C 7D 8S 9C 2C", "report misdeal", "sue: continue")
    assert _choices(table) == ["choose 1b return", "choose 2 return"]
    table.refuses("choose 1 return", "choose 1 return is not permitted")


def test_people_outside_the_box_take_their_wagers_back_too() -> None:
    """MBS 5.29.1 with 3.26.4.5: insurance that 1d took up."""
    table = dealt("9S 8C AD 8H 9C", "1 main 100, 2 main 50", MBS).play("insure 1d@1 50")
    table.restart("boot-2")
    table.order("resume")
    assert _choices(table) == ["choose 1 return", "choose 1d return", "choose 2 return"]
    table.say("choose 1d return")
    assert [(s["bettor"], s["kind"], s["outcome"]) for s in table.status()["settlements"]] == [
        ("d", "insurance", "returned")
    ]


def test_the_right_to_withdraw_lasts_until_a_further_card() -> None:
    """MBS 5.25."""
    table = dealt("9S 9C KD 2H 8C", "1 main 100, 2 main 50", MBS)
    table.play("hit 1", "5H", "report dealer-no-card", "use", "done", "AD", "insure 1 50")
    table.say("stand 1")
    assert "choose 2 return" in _choices(table)
    table.deal("2C")  # box 2 has taken a card
    assert _choices(table) == []


def test_insurance_offered_late_to_one_bettor_is_his_alone() -> None:
    """Division 15, 16.11."""
    table = live("1 main 100, 1b main 50", DIV)
    table.play("8S AD 8H", "done", "split 1", "place 1b 2", "9C", "stand 1", "KC", "stand 1")
    table.say("report missed-insurance 1b")
    assert table.status()["permitted"][:2] == ["insure 1b AMOUNT", "done"]
    table.refuses("insure 1 50", "insurance is offered late to box 1b: insure 1b, or done")
    table.say("insure 1b 25")
    table.refuses("report missed-insurance 1b", "it cannot be offered to box 1 any more")


def test_a_double_without_an_amount_is_the_wager_of_who_doubles() -> None:
    table = dealt("6C KD 5C", "1 main 100, 1b main 50", MBS)
    table.play("double 1", "double 1b", "2S", "done", "9D")
    told = [(s["bettor"], s["kind"], s["stake"]) for s in table.status()["settlements"]]
    assert told == [
        ("a", "main", "100.00"),
        ("a", "double", "100.00"),
        ("b", "main", "50.00"),
        ("b", "double", "50.00"),
    ]


def test_one_report_takes_back_a_double_and_those_that_followed() -> None:
    table = dealt("6S 9C KD 5H 8C", "1 main 100, 1b main 50, 2 main 50", MBS)
    table.play("double 1", "double 1b", "2S", "report wrong-decision 1", "sue: reconstruct")
    assert table.status()["permitted"][0] == "hit 1"
    table.say("hit 1")
    assert table.hand() == "6S 5H 2S"


def test_what_takes_a_payment_back_is_not_in_the_dealers_list() -> None:
    """MBS 5.12: the Super Bonus against a seven that was not the dealer's."""
    table = dealt("7H 9C 7D 7H 8C", "1 main 100, 2 main 50", MBS)
    table.play("hit 1", "7H", "report dealer-no-card")
    status = table.status()
    assert status["permitted"] == ["undo"]
    assert status["held"]["remedies"] == ["use", "continue"]
    table.order("use")
    assert [(one["outcome"], one["net"]) for one in table.status()["owed"]][-1] == (
        "reversed",
        "-5000.00",
    )


def test_a_remedy_that_is_no_step_of_a_person_leaves_it_to_go_on() -> None:
    """Under rules that leave the late offer, which the table makes, to the supervisor."""
    read = load_rules(DIV)
    late = "missed-insurance"
    cases = [replace(c, by="supervisor") if c.trigger == late else c for c in read.irregularities]
    rules = replace(read, irregularities=tuple(cases))
    table = dealt("9C AD 9H", "1 main 10", rules).play("done", "report missed-insurance 1")
    assert table.status()["held"]["remedies"] == ["continue"]
    table.order("continue")
    assert (table.state, table.status()["held"]) == ("play.decide", None)


def test_a_remedy_of_the_dealers_that_the_cards_do_not_permit_is_refused() -> None:
    """Under rules that leave a missing card to the dealer: box 2 has decided on a hand that would
    be 21 with its card put back."""
    read = load_rules(RWS)
    cases = [replace(c, by="dealer") if c.trigger == "one-card" else c for c in read.irregularities]
    rules = replace(read, irregularities=tuple(cases))
    table = dealt("KC 5D 9S 6H 7H 6D 8C", "1 main 10, 2 main 10, 3 main 10", rules)
    table.play("hit 1", "4C", "hit 2", "KD", "sue: lies 6 out", "sue: done", "hit 2", "2C")
    table.play("sue: lies 7 out", "sue: done")
    assert table.status()["held"]["fault"] == "one-card"
    assert "reconstruct" in table.status()["permitted"]
    table.refuses("reconstruct", "box 2")
