"""Options behind a remedy: whose they are, how long they stay, what comes back with a bet."""

from __future__ import annotations

import pytest

from tests.table.live.driver import DIV, MBS, PLUS, RWS, Live, dealt, live


def told(table: Live) -> list[tuple[int, str, str, int | None]]:
    """Every settlement as it was told."""
    assert table.table.rnd
    return [(s.box, s.kind, s.outcome, s.net) for s in table.table.rnd.all_settlements]


def bust_by_error(*reports: str) -> Live:
    """Box 1 is bust by a card that it had not asked for, and the cards stay (Plus 5.10.1)."""
    table = live("1 main 10, 2 main 10, 3 main 10", PLUS)
    table.play("KC KD 9D 7D 8C 8H 6D", "hit 1", "9H", "report wrong-decision 1", "sue: continue")
    table.say(*reports)
    return table


def test_the_bet_that_the_error_has_lost_is_the_supervisors_to_return() -> None:
    table = bust_by_error()
    permitted = table.status()["permitted"]
    assert [step for step in permitted if step.startswith("choose")] == [
        "choose 2 return",
        "choose 3 return",
    ]
    table.refuses("choose 1 return", "takes settlements back")
    table.order("choose 1 return")
    assert told(table) == [
        (1, "main", "lose", -1000),
        (1, "main", "reversed", 1000),
        (1, "main", "returned", 0),
    ]


def test_its_insurance_goes_back_with_it() -> None:
    table = live("1 main 10, 2 main 10", PLUS)
    table.play("KC 9D AD 8C 8H", "insure 1 5", "done", "hit 1", "9H", "report wrong-decision 1")
    table.play("sue: continue", "sue: choose 1 return")
    assert told(table)[-2:] == [(1, "main", "returned", 0), (1, "insurance", "returned", 0)]


def test_a_later_report_of_something_else_moves_it_to_nobody() -> None:
    table = bust_by_error("report wrong-payment 2")
    table.refuses_order("choose 2b return", "permitted: choose 1 return, choose 2 return")
    table.play("stand 2", "stand 3", "6S 7S")
    table.refuses_order("choose 2 return")


@pytest.mark.parametrize("report", ["late-bet 2", "bet-taken-back 2"])
def test_a_report_that_needs_nobody_leaves_the_options_open(report: str) -> None:
    table = bust_by_error(f"report {report}")
    assert "choose 2 return" in table.status()["permitted"]
    table.order("choose 1 return")


def test_a_report_in_between_does_not_cut_off_what_is_void() -> None:
    """Division 15, 16.5(a): one hand after the other."""
    table = live("1 main 10, 2 main 10", DIV)
    table.play("9C 9D 7D 8C 8H", "report misdeal", "sue: void-hand 1", "report late-bet 2")
    table.play("sue: void-hand 2")
    assert {outcome for _, _, outcome, _ in told(table)} == {"returned"}


def test_nothing_is_permitted_twice() -> None:
    table = live("1 main 10, 2 main 10, 2 pandemonium 5, 2b main 10, 3 main 10", MBS)
    table.deal("8H JC 8H QS 4H AH AH")
    table.slip("5C")
    table.press()
    table.draw(25)
    table.play("choose 1 refuse", "sue: choose 3 refuse")
    table.shown(25)
    table.play("sue: lies 2 1", "sue: choose 2 return")
    permitted = table.status()["permitted"]
    assert permitted.count("done") == 1


def test_every_player_lost_by_an_error_has_the_option() -> None:
    """Plus 5.7: all players; two errors, one after the other."""
    table = bust_by_error()
    table.play("done", "hit 2", "9C", "report wrong-decision 1", "sue: continue")
    table.play("report wrong-decision 2", "sue: continue")
    prompt, rows = table.status()["prompt"], table.rows()
    assert prompt.endswith("The supervisor may: choose 1 return, choose 2 return.")
    assert rows[1] == "OWED . BACK? X E"
    table.play("sue: choose 1 return", "sue: choose 2 return")
    assert [row[2] for row in told(table)] == ["lose", "lose", *(["reversed", "returned"] * 2)]


def test_a_remedy_in_between_does_not_end_what_is_void() -> None:
    """Division 15, 16.5(a)."""
    table = live("1 main 10, 2 main 10", DIV)
    table.play("9C 9D 7D 8C 8H", "report misdeal", "sue: void-hand 1", "report shoe-empty")
    table.play("sue: reshuffle")
    assert "The supervisor may: void-hand 2, continue." in table.status()["prompt"]
    assert table.rows()[1] == "OWED . KEY: X, E"
    table.order("void-hand 2")
    assert table.state == "settled"


def test_a_misread_card_that_waits_is_named_as_it_is() -> None:
    table = live("1 main 10, 2 main 30", MBS)
    table.play("3H 5D AH 7S 2D", "done", "4C", "report empty-box 4", "sue: reconstruct")
    table.say("correct 6 QC", "done")
    assert table.rows()[0] == "BOX 1: QC? X S D"


@pytest.mark.parametrize("correction", ["correct 2 KD", "lies 2 dealer"])
def test_a_correction_waits_for_its_end_also_where_a_card_waits(correction: str) -> None:
    table = live("1 main 10, 1b main 10, 2 main 10", RWS).play("KS KC QD 9S 7H", "hit 1")
    table.slip("2C")
    table.play("report wrong-decision 1", "sue: reconstruct", "double 1 10")
    assert table.rows() == ("BOX 1: DOUBLE CARD", "OWED . CARD: E")
    table.say(correction)
    assert table.rows()[0] == "CORRECTING 1: E"
    table.say("undo")
    assert table.rows() == ("BOX 1: DOUBLE CARD", "OWED . CARD: E")


def test_a_corrected_card_can_still_be_burned() -> None:
    """MBS 5.21.1: it is the only remedy."""
    table = live("1 main 10, 3 main 10", MBS)
    table.play("2H 7H 7S", "report not-burned", "sue: correct 3 2C", "sue: done")
    table.play("sue: reconstruct")
    status = table.status()
    assert (status["held"], status["boxes"]["1"]["hands"][0]["cards"]) == (None, "7H")
    assert status["boxes"]["3"]["hands"][0]["cards"] == "2C"


def test_insurance_against_an_ace_that_was_not_the_dealers_goes_back_and_may_be_made_anew() -> None:
    """MBS 5.12 with 3.26: he draws his first card, an ace again, and 5.12.2 offers insurance."""
    table = live("1 main 10, 3 main 10", MBS)
    table.play("7S 9H AD 8H 7C", "insure 1 5", "done", "2C", "report dealer-no-card", "use")
    assert told(table) == [(1, "insurance", "returned", 0)]
    table.say("choose 3 return", "done")
    assert table.state == "play.dealer_card"
    table.play("AS", "insure 1 5", "done", "stand 1", "KS")
    assert told(table)[2:] == [(1, "insurance", "win", 1000), (1, "main", "lose", -1000)]


def test_a_void_round_returns_insurance_that_went_back_before_too() -> None:
    table = live("1 main 10", MBS)
    table.play("7S AD 8H", "insure 1 5", "done", "2C", "report dealer-no-card", "use", "done", "AS")
    table.play("insure 1 4", "sue: void")
    returned = [(s.kind, s.stake, s.net) for s in table.table.rnd.all_settlements]  # type: ignore[union-attr]
    assert returned == [("main", 1000, 0), ("insurance", 400, 0), ("insurance", 500, 0)]


# Insurance and surrender that were not offered in time -------------------------------------------


TWO = "1 main 10, 2 main 10"


def _table(cards: str = "9C 8D AD 5H 6S") -> Live:
    return dealt(cards, TWO, DIV).play("done", "stand 1")


def _offered() -> Live:
    table = _table()
    table.say("report missed-insurance 1")
    return table


def test_it_is_permitted_and_shown_and_the_gate_is_locked() -> None:
    table = _offered()
    told = table.status()
    assert told["permitted"][:2] == ["insure 1 AMOUNT", "done"]
    assert told["prompt"].startswith("Insurance is offered late to box 1: take it up, or done.")
    assert told["awaiting"] == "dealer"
    assert table.rows()[0] == "LATE INSURE B1? E"
    assert table.wants().gate_cards == 0
    for other in ("stand 2", "hit 2", "insure 2 5"):
        table.refuses(other, "insurance is offered late to box 1: insure 1, or done")


@pytest.mark.parametrize("entry", ["insure 1 5", "done"])
def test_play_goes_on_when_it_is_taken_up_or_declined(entry: str) -> None:
    table = _offered()
    table.say(entry)
    assert table.wants().gate_cards == 1
    assert table.rows()[0].startswith("BOX 2 14: CARD")
    table.play("stand 2", "KC")
    kinds = [made["kind"] for made in table.status()["settlements"]]
    assert ("insurance" in kinds) is (entry != "done")


def test_each_bettor_of_the_box_may_take_it_up() -> None:
    table = dealt("9C 8D AD 5H 6S", f"{TWO}, 1b main 10", DIV)
    table.say("done", "stand 1", "report missed-insurance 1")
    assert table.status()["permitted"][:3] == ["insure 1 AMOUNT", "insure 1b AMOUNT", "done"]
    table.say("insure 1b 5")
    assert table.status()["permitted"][:2] == ["insure 1 AMOUNT", "done"]
    assert table.wants().gate_cards == 0
    table.say("insure 1 5")
    assert table.status()["turn"] == {"box": 2, "hand": 1}
    assert table.wants().gate_cards == 1


def test_while_it_is_offered_anyway_nothing_waits_for_it() -> None:
    table = dealt("9C 8D AD 5H 6S", TWO, DIV).play("report missed-insurance 1")
    assert table.wants().gate_cards == 1
    table.say("insure 1 5", "insure 2 5", "stand 1")
    assert table.status()["turn"] == {"box": 2, "hand": 1}


def test_behind_the_last_decision_the_dealers_card_waits_for_it() -> None:
    table = _table("9C 8D KD 5H 6S")
    table.say("stand 2")
    assert table.wants().gate_cards == 1
    table.say("report missed-surrender 2")
    assert table.wants().gate_cards == 0
    assert table.rows()[0] == "LATE SURRENDER B2? E"
    table.say("surrender 2")
    assert table.wants().gate_cards == 1
    table.deal("9D")
    assert [made["outcome"] for made in table.status()["settlements"]] == ["lose", "surrendered"]


def test_a_card_that_leaves_all_the_same_came_through_a_locked_gate() -> None:
    table = _offered()
    table.slip("KC")
    assert table.status()["held"]["fault"] == "card-locked"
