"""The keypad's lists: remedies, corrections and reports with a few keys, and who may give them."""

from __future__ import annotations

import pytest

from controller.game.commands.verbs import LYING, VERBS
from controller.table.entering.choices import REASONS
from controller.table.showing.rows import QUESTIONS
from controller.table.state.entering import owed_pages
from hil_tests.benches.driven_table import LOCKED, TOGETHER
from tests.table.live.driver import (
    DIV,
    FIVE,
    MBS,
    PLUS,
    RWS,
    Live,
    dealt,
    live,
)


def notes(table: Live) -> list[str]:
    """The notes of the last event."""
    return table.outcomes[-1].notes


def listed(table: Live, *, supervisor: bool = False) -> list[str]:
    """The choices of the list that ``X`` opens, page by page; it is left again."""
    table.keys("X", supervisor=supervisor)
    found = [table.rows()]
    for _ in range(int(found[0][1].rpartition("/")[2]) - 1):
        table.keys(".", supervisor=supervisor)
        found.append(table.rows())
    table.keys("*", supervisor=supervisor)
    return [first for first, _ in found]


def test_a_misread_card_is_corrected_by_the_dealer() -> None:
    table = dealt("9C 7D 5C")
    table.keys("X")
    assert table.rows() == ("7 CORRECT A CARD", "                 1/3")
    table.keys("#")
    assert table.rows() == ("3 5C BOX 1", "                 1/3")  # the last card comes first
    table.keys(".")
    assert table.rows() == ("2 7D DEALER", "                 2/3")
    table.keys("3 #")
    assert table.rows() == ("CORRECT 3 5C:", "RANK.SUIT? 1C2D3H4S")
    assert table.keys("9 . 2") == "9.2"
    assert table.keys("#") == "OK"
    assert table.rows()[0] == "CORRECTING 1: E"
    assert table.keys("E") == "OK"
    assert table.hand() == "9C 9D"


@pytest.mark.parametrize(
    ("keys", "correction"),
    [
        ("X 8 # 3 # 2 #", "lies 3 2"),
        ("X 8 # 3 # 0 #", "lies 3 dealer"),
        ("X 8 # 4 # . #", "lies 4 out"),
        ("X 8 # 4 # 1 . 1 #", "lies 4 1.1"),
        ("X . # # 2 #", "lies 5 2"),
    ],
)
def test_where_a_card_lies(keys: str, correction: str) -> None:
    table = dealt("9C 8H 7D 5C 4C", "1 main 10, 2 main 10")
    assert table.keys(keys) == "OK"
    assert [str(step) for step in table.table.rnd.irregular.edits] == [correction]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("keys", "says"),
    [
        ("X 6 #", "NO: NO SUCH CHOICE"),
        ("X 9 . 2 #", "NO: NO SUCH CHOICE"),  # no card waits to be named
        ("X 7 # 1 # 14 . 1 #", "NO: 9.2 IS 9 DIAM."),
        ("X 7 # 1 # #", "NO: 9.2 IS 9 DIAM."),
        ("X 7 # 1 # 10 . 1 #", "NO: NO TENS"),
        ("X 8 # 1 # 10 #", "NO: NO SUCH BOX"),
        ("X 8 # 1 # 1 . 0 #", "NO: NO SUCH HAND"),
        ("X 8 # 1 # 1 . 2 #", "NO: NO SUCH HAND"),
        ("X 9 # 1 # 9 #", "NO: NO BOX 9 IN PLAY"),
        ("X 9 # 1 # 1 . 9 #", "NO: NO SUCH BETTOR"),
        ("X 1 1 1 1 1 1 1 1 1 1 1 1 1", "NO: TOO LONG"),
        ("R", "NO: SUPERVISOR ONLY"),
    ],
)
def test_what_it_answers(keys: str, says: str) -> None:
    table = dealt("9C 7D 5H")
    assert table.keys(keys) == says
    assert not table.table.rnd.irregular.edits  # type: ignore[union-attr]


def test_a_decision_is_reported_and_taken_back() -> None:
    table = dealt("9C 8C 7D 5H 6H", "1 main 10, 2 main 10")
    table.keys("S X 9 #")
    assert table.rows()[0] == "1 WRONG DECISION"
    table.keys("#")
    assert table.rows() == ("WRONG DECISION:", "BOX ?")
    assert table.keys("1 #") == "WRONG DECISION"
    assert listed(table) == ["7 CORRECT A CARD"]  # the remedy is the supervisor's
    assert listed(table, supervisor=True)[0] == "1 RECONSTRUCT"
    table.keys("R", supervisor=True)
    assert table.rows() == ("1 CARD MISREAD", "RECONSTRUCT      1/7")
    assert table.keys("4 #", supervisor=True) == "OK"
    assert notes(table)[0] == "supervisor: reconstruct by key switch: player's claim"
    assert table.rows()[0] == "BOX 1 14: CARD S D"


def test_a_sum_is_asked_for_wagers_above_the_maximum() -> None:
    table = dealt("9C 7D 5H", "1 main 100", rules=DIV)
    table.keys("X 9 #")
    while "OVER MAXIMUM" not in table.rows()[0]:
        table.keys(".")
    table.keys("# 1 #")
    assert table.rows() == ("OVER MAXIMUM 1:", "SUM ?")
    assert table.keys(". #") == "NO: NO SUCH AMOUNT"
    assert table.keys("50 . 123 #") == "NO: NO SUCH AMOUNT"
    table.keys("50 #")
    assert table.status()["held"]["fault"] == "over-maximum"


def test_a_letter_leaves_the_list_and_does_what_it_does() -> None:
    table = dealt("9C 7D 8H")
    assert table.keys("X S") == "OK 1 STAND"
    assert table.rows()[0] == "CARD TO DEALER 7"
    table.keys("X 7 # 2")
    assert table.keys("*") == "                 1/3"  # what was keyed is cleared first
    assert table.keys("*") == ""
    assert table.keys("3") == "NO: LETTER FIRST"


def test_a_card_or_another_state_closes_the_list() -> None:
    table = dealt("9C 7D 2H")
    table.keys("X")
    table.deal("3C")
    assert table.rows()[0] == "BOX 1 14: CARD S"
    table.keys("X 7 # 2")
    table.slip("2C", LOCKED)
    assert table.rows() == ("HELD: SEE SCREEN", "CARD LOCKED")
    assert table.keys("#") == "CARD LOCKED"


def test_without_a_card_there_is_none_to_correct() -> None:
    table = live()
    assert listed(table) == ["9 REPORT"]
    table.say("report misdeal")  # something has happened, but no card
    assert listed(table, supervisor=True) == ["1 RECONSTRUCT", "20 VOID"]
    table = live()
    table.slip("??")
    assert listed(table, supervisor=True) == ["1 CARD", "9 REPORT", "10 A WAGER'S SUM", "20 VOID"]


@pytest.mark.parametrize("number", [7, 8, 9])
def test_a_list_about_a_round_that_is_gone_since_has_nothing_to_choose_from(number: int) -> None:
    table = dealt("9C 7D 9D").play("stand 1", "KD", "next")
    table.keys("X", supervisor=True)
    table.play("open", "wager 1 main 10", "close", "sue: void", "next")
    assert table.keys(f"{number} #", supervisor=True) == "NO: NO SUCH CHOICE"


def test_one_of_several_cards_is_used_or_put_away() -> None:
    table = dealt("9C 7D 5H", rules=RWS)
    table.slip("2C", TOGETHER)
    table.slip("3C", TOGETHER)
    given = listed(table, supervisor=True)
    assert given[:6] == [
        "1 USE 5H",
        "2 USE 2C",
        "3 USE 3C",
        "4 DISCARD",
        "5 DISCARD 5H",
        "6 DISCARD 2C",
    ]
    table.keys("X 3 #", supervisor=True)
    assert "3C" in table.hand()


def test_those_that_a_person_has_seen_are_said_one_by_one() -> None:
    table = dealt("9C 8D 7D 5H 6S 2C", "1 main 10, 2 main 10", rules=PLUS)
    table.slip("3C", TOGETHER)
    assert listed(table)[4:6] == ["5 TOGETHER 2C", "6 TOGETHER 3C"]
    table.keys("X 5 #")
    assert listed(table)[4:6] == ["5 TOGETHER 3C", "7 CORRECT A CARD"]
    table.keys("X 2 #")
    assert table.hand() == "9C 5H 3C"


@pytest.mark.parametrize("supervisor", [False, True])
def test_players_who_may_choose_behind_a_remedy_do(supervisor: bool) -> None:
    table = dealt("9C 8D 7D 5H 6S 2C", "1 main 10, 2 main 10", rules=PLUS)
    table.slip("3C", TOGETHER)
    table.say("choose 1 3C")
    found = listed(table, supervisor=supervisor)
    [choice] = [row for row in found if row.endswith("CHOOSE 2 RETURN")]
    assert any(row.endswith("CHOOSE 1 RETURN") for row in found)
    assert table.keys(f"X {choice[0]} #", supervisor=supervisor) == "OK, OWED: KEY ."
    told = [(one["box"], one["outcome"]) for one in table.status()["settlements"]]
    assert told == [(2, "returned")]


def test_the_supervisor_names_a_card_and_gives_a_remedy() -> None:
    table = dealt("9C 7D 5C")
    table.slip("??", LOCKED)
    assert table.keys("X") == "NO: SUPERVISOR'S KEY"
    assert listed(table, supervisor=True) == [
        "1 CARD",
        "7 CORRECT A CARD",
        "8 WHERE A CARD LIES",
        "9 REPORT",
        "10 A WAGER'S SUM",
        "20 VOID",
    ]
    assert table.keys("X 9 . 2 #", supervisor=True) == "CARD LOCKED"
    assert notes(table)[-1] == "supervisor: card 9D by key switch"
    assert table.keys("X") == table.rows()[1]
    assert table.rows()[0] == "1 USE"
    assert table.keys("#") == "OK"
    table.enter("hit 1")
    assert table.hand() == "9C 5C 9D"


def test_a_correction_behind_a_settlement_takes_the_key_and_a_reason() -> None:
    table = dealt("9C 8H 7D KD 9H 2C", "1 main 10, 2 main 10")
    assert table.status()["owed"]
    assert table.keys("X 7 # 6 # 3 . 1 #") == "KEY E, OR * BACK"
    table.keys("E")
    assert table.rows()[1] == "NO: SUPERVISOR ONLY"
    table.keys("*")
    table.keys("*")
    table.keys("X 7 # 6 # 3 . 1 #", supervisor=True)
    assert table.rows() == ("1 CARD MISREAD", "CORRECT 6 3C     1/7")
    assert table.keys("#") == "NO: SUPERVISOR'S KEY"
    assert table.keys("6 #", supervisor=True) == "OK"
    assert notes(table) == ["supervisor: correct 6 3C by key switch: seen on camera"]
    assert table.keys("E", supervisor=True) == "OK, OWED: KEY ."


def test_what_the_supervisor_has_corrected_is_ended_in_the_list_too() -> None:
    table = dealt("9C 8H 7D 5C 9H", "1 main 10, 2 main 10")
    table.keys("X 7 # 5 # 3 . 1 #", supervisor=True)
    table.keys("1 #", supervisor=True)
    assert "1 DONE" not in listed(table)
    assert listed(table, supervisor=True)[0] == "1 DONE"
    assert table.keys("X 1 #", supervisor=True) == "OK"  # its reason was given before
    assert notes(table) == [
        "supervisor: done by key switch",
        "card 5 of the round was read 9H, it is 3C",
    ]
    assert table.hand(2) == "8H 3C"


def test_behind_the_round_all_is_reported_but_a_card_that_nobody_has_drawn() -> None:
    """The round lasts until it is cleared (A-74)."""
    table = dealt("9C 7D 9D")
    table.keys("S")
    table.deal("KD")
    table.keys("X 9 #")
    reports = []
    for _ in range(23):
        reports.append(table.rows()[0])
        table.keys(".")
    assert table.rows()[0] == reports[0]
    assert reports[:7] == [
        "1 WRONG DECISION",
        "2 PASSED OVER",
        "3 DRAWN AT BOX",
        "4 DRAWN BOX, SEEN",
        "5 DRAWN AT DEALER",
        "6 WRONG PAYMENT",
        "7 MISDEAL",
    ]
    assert {"8 FOREIGN", "18 COUNT", "23 OTHER"} <= {*reports}


def test_the_round_that_was_cleared_is_corrected_by_the_key_switch() -> None:
    table = dealt("9C 7D 9D")
    table.keys("S")
    table.deal("KD")
    table.keys("E")
    assert table.state == "idle"
    assert table.keys("X") == "NO: SUPERVISOR'S KEY"
    table.keys("X 7 # 4 # 9 . 3 #", supervisor=True)
    assert table.keys("1 #", supervisor=True) == "OK"
    table.keys("E", supervisor=True)
    assert table.rows()[0] == "CARD TO DEALER 16"


def test_every_row_fits() -> None:
    labels = [row.label for row in (*VERBS.values(), LYING)]
    assert all(len(label) <= 17 for label in (*labels, *REASONS))
    assert all(len(question) <= 20 for question in QUESTIONS.values())


@pytest.mark.parametrize("rules", [MBS, RWS, PLUS, DIV])
def test_every_report_of_a_document_can_be_chosen(rules: str) -> None:
    """None is malformed: what is refused is refused by the document."""
    count = 0
    number = 1
    while True:
        table = dealt("9C 7D 5H", rules=rules)
        table.keys(f"X 9 # {number} #")
        if table.rows()[1] == "NO: NO SUCH CHOICE":
            break
        pad = table.table.entering.keypad
        while pad.menu and not pad.has_refused:
            table.keys("1 #")
        assert table.rows()[1] != "NO: NO SUCH AMOUNT"
        count += bool(table.table.hold)
        number += 1
    assert count > 5


def test_a_reason_is_its_number_and_asked_where_money_goes_back() -> None:
    table = dealt("9C 8H 7D KD 9H 2C", "1 main 10, 2 main 10", rules=DIV)
    table.keys("V #", supervisor=True)
    assert table.keys("#", supervisor=True) == "NO: KEY ITS NUMBER"
    table.keys("*", supervisor=True)
    table.keys("X 7 # 6 # 3 . 1 #")  # the dealer begins what takes a payment back
    table.keys("E", supervisor=True)
    assert table.rows() == ("1 CARD MISREAD", "DONE             1/7")
    assert table.keys("1 #", supervisor=True) == "OK, OWED: KEY ."
    assert "supervisor: done by key switch: card misread" in notes(table)


def test_the_row_names_the_card_that_waits_and_who_is_asked() -> None:
    table = dealt("KS 9S 9H 5S 3C", "1 main 10, 2 main 10", DIV)
    table.play("hit 1", "2D", "report wrong-decision 1", "sue: reconstruct")
    assert table.rows() == ("BOX 1: 2D? X S D", "")
    assert "2D waits to be taken." in table.status()["prompt"]


def test_the_second_row_says_where_wagers_may_be_taken_back() -> None:
    table = dealt("9C 9D 7D 8C 8H", "1 main 10, 2 main 10", PLUS)
    table.play("stand 1", "report passed-over 1", "sue: continue")
    assert table.rows() == ("BOX 2 17: CARD S D", "WAGERS BACK? X E")


def test_what_is_owed_by_a_command_typed_elsewhere_outranks_a_refused_key() -> None:
    """The second row kept the refusal and hid what was owed."""
    table = dealt("9C 8D 7D 2H 8S", "1 main 100, 2 main 100", PLUS).play("double 1 100", "2C")
    assert table.keys("L").startswith("NO:")
    table.say("withdraw 1")
    assert table.rows()[1] == "OWED: KEY ."


def test_no_reason_is_asked_for_a_correction_that_somebody_else_has_ended() -> None:
    """It went on asking for the reason of a correction that was made already."""
    table = dealt("9C 8D 7D 5H 6S 7H", "1 main 100, 2 main 10").play("correct 6 8H")
    table.keys("E", supervisor=True)
    assert table.rows()[0] == "1 CARD MISREAD"
    table.order("done")
    assert table.rows() == ("BOX 2 14: CARD S D", "OWED: KEY .")


def _pages(table: Live) -> list[tuple[str, str]]:
    found = []
    for _ in owed_pages(table.table.rnd, table.table.dealing.owed):
        table.keys(".")
        found.append(table.rows())
    return found


def test_the_place_of_a_page_is_never_cut_off() -> None:
    """``1A IN THE ROUND 16/1`` was shown for the sixteenth of nineteen."""
    table = dealt("8C 9D 7D 8H 2D", "1 main 100, 1b main 50, 1 pair 10, 2 main 50, 2b pair 5")
    table.play("split 1", "follow 1b", "KC", "double 1 100", "5C", "sue: void")
    pages = _pages(table)
    assert [what.rpartition(" ")[2] for what, _ in pages] == [f"{n}/19" for n in range(1, 20)]
    assert pages[15] == ("1A ROUND 16/19", "+0")


def test_totals_that_are_too_long_for_a_row_take_a_page_each() -> None:
    """``PAY 10 TAKE 505 WHAT`` hid that of one wager the odds say what it comes to."""
    wagers = "1 main 100, 1 bonus 10, 1 pair 500, 1b pair 5, 1c pair, 2 main 100"
    table = dealt("AC 9D 7D 9H 2D", wagers, PLUS)
    assert [done for what, done in _pages(table) if what.startswith("BOX 1 NOW")] == [
        "PAY 10",
        "TAKE 505",
        "WHAT THE ODDS SAY",
    ]


def test_a_sum_or_its_half_is_not_cut_off_for_the_odds_behind_it() -> None:
    """``TAKE HALF OF THE WAG``."""
    table = dealt("9C 8D 7D 9H 8S", "1 main, 2 main 10", FIVE).play("surrender 1")
    assert _pages(table)[0] == ("1A/1 MAIN 1/3", "TAKE HALF")


def test_a_card_that_nobody_has_seen_is_not_named() -> None:
    """Division 15, 16.2."""
    table = dealt("9C 9D 7D 8C 8H", "1 main 10, 2 main 10", DIV).play("stand 1")
    table.slip("2D", LOCKED)
    table.say("report drawn")
    assert table.rows()[0] == "BOX 2 17: X S D"
    assert "2D" not in table.status()["prompt"]
