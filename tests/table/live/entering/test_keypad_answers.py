"""What the keypad keeps and drops: a question whose last value is refused, and the answer to a key
once the table is another."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hil_tests.benches.driven_table import LIMITS
from tests.table.live.driver import (
    ALL,
    EVERY,
    PLUS,
    Live,
    dealt,
    live,
    missing_dealers_card,
)

TWO_BOXES = "1 main 100, 2 main 10"


@pytest.mark.parametrize("rules", EVERY)
@pytest.mark.parametrize("supervisor", [False, True])
def test_a_question_whose_last_value_is_refused_stays(rules: str, *, supervisor: bool) -> None:
    table = dealt("9C 8D 7D 5H 6S 2C", TWO_BOXES, rules).play("stand 1", "2S")
    table.keys("X 9 # 1 #", supervisor=supervisor)
    assert table.rows() == ("WRONG DECISION:", "BOX ?")
    assert table.keys("8 #", supervisor=supervisor) == "NO: NO BOX 8 IN PLAY"
    assert table.rows()[0] == "WRONG DECISION:"
    assert table.keys("2", supervisor=supervisor) == "2"
    table.keys("#", supervisor=supervisor)
    assert table.table.rnd
    assert table.table.rnd.irregular.irregularity
    assert table.table.rnd.irregular.irregularity.box == 2
    assert table.table.entering.keypad.menu is None


def test_it_is_not_shown_while_its_command_waits_for_the_gate() -> None:
    """Pontoon Plus; what was keyed before the value was lost with it."""
    table = dealt("9C 8D 7D 5H 6S", TWO_BOXES, PLUS)
    table.keys("X 9 # 8 # 8 #", lock=False)
    assert table.rows()[0] == "WAIT: SHOE"
    table.lock()
    assert table.rows() == ("WRONG PAYMENT:", "NO: NO BOX 8 IN PLAY")
    table.keys("2 #", lock=False)
    table.lock()
    assert table.rows() == ("BOX 1 14: CARD S D", "OK")
    assert table.keys("X 9 # 8 # 8 # *") == ""


def test_a_card_on_its_way_closes_it_with_its_command() -> None:
    table = dealt("9C 8D 7D 5H 6S", TWO_BOXES, PLUS)
    table.keys("X 9 # 8 # 8 #", lock=False)
    table.slip("2C")
    table.lock()
    assert table.rows() == ("BOX 1 16: CARD S", "NO: CARD CAME FIRST")


def test_a_refused_correction_asks_for_its_value_again_and_no_reason_twice() -> None:
    table = dealt("9C 8D 7D 5H 6S", TWO_BOXES)
    assert table.keys("X 7 # 5 # 10.1 #") == "NO: NO TENS"
    assert table.rows()[0] == "CORRECT 5 6S:"
    table.keys("8.3 #")
    assert table.rows()[0] == "CORRECTING 1: E"
    table.keys("* X 7 # 5 # 10.1 #", supervisor=True)
    assert table.rows()[0] == "1 CARD MISREAD"
    assert table.keys("1 #", supervisor=True) == "NO: NO TENS"
    assert table.rows()[0] == "BOX 1 14: CARD S D"


@pytest.mark.parametrize("rules", EVERY)
def test_an_answer_goes_when_somebody_else_changes_the_table(rules: str) -> None:
    """``BACK:`` or ``NO:`` stood beside what it was no answer to."""
    table = Live(rules)
    assert table.keys("O B1 M10# *") == "BACK: 1 MAIN 10"
    table.say("wager 1 main 10")
    assert table.rows()[1] == "BOX 1"  # which is chosen still
    assert table.keys("P999999#").startswith("NO: ")
    table.say("close")
    assert table.rows()[1] == "BOX 1"
    table.deal("9C 7D 8H")
    assert table.keys("W").startswith("NO: ")
    table.say("stand 1")  # it waits for the gate
    assert table.rows()[1] == ""


def test_an_answer_goes_by_a_supervisors_command_and_stays_by_a_refused_one() -> None:
    table = live("1 main 100").play("9C 7D 5H")
    answer = table.keys("W")
    table.refuses_order("reconstruct", "nothing is wrong")
    assert table.rows()[1] == answer
    table.order("void")
    assert table.rows()[1] == "OWED: KEY ."


@pytest.mark.parametrize("rules", EVERY)
def test_what_is_taken_for_the_dealers_pontoon_says_so(rules: str) -> None:
    table = dealt("9C KD 8C", "1 main 100", rules).play("stand 1", "AD")
    assert table.keys(".") == "TAKE 100: PONTOON"
    table = dealt("9C KD 8C", "1 main 100", rules).play("stand 1", "9D")
    assert table.keys(".") == "TAKE 100"


def test_a_reason_never_cuts_the_sum() -> None:
    assert _lost("4999.50").keys(".") == "TAKE 4999.50"
    assert _lost("").keys(".") == "TAKE WAGER: PONTOON"


def _lost(amount: str) -> Live:
    """Box 1 loses its wager to the dealer's Pontoon."""
    table = dealt("9C KD 8C", f"1 main {amount}".strip(), limits=replace(LIMITS, increment=1))
    table.play("stand 1", "AD")
    return table


def test_a_star_leaves_a_page_and_takes_nothing_back() -> None:
    """A surrender was taken back by who only meant to read on."""
    table = dealt("9C 8D AD 7H 6S", "1 main 100, 1 pair 5, 2 main 10")
    table.keys("B1 U#")
    assert table.keys(".") == "TAKE 5"
    assert table.keys("*") == "BOX 1"
    assert table.keys("*") == "BACK: SURRENDER 1"


def test_the_prompt_for_the_dealers_missing_card_says_what_may_be_done() -> None:
    table = missing_dealers_card()
    assert table.status()["prompt"] == (
        "The dealer's first card, which is missing; before it who likes takes his wager back: "
        "choose 2 return; done when nobody else does."
    )
    table.say("done")
    assert table.status()["prompt"] == "The dealer's first card, which is missing."
    assert table.rows()[0] == "CARD TO DEALER"


def _listed(table: Live) -> list[tuple[str, str]]:
    """The supervisor's list: each choice and its clause."""
    table.keys("X", supervisor=True)
    found = [table.rows()]
    for _ in range(int(found[0][1].rpartition("/")[2]) - 1):
        table.keys(".", supervisor=True)
        found.append(table.rows())
    table.keys("*", supervisor=True)
    return [(first, second.split()[0]) for first, second in found]


@pytest.mark.parametrize(("number", "order"), [(1, "play-on"), (2, "clear-set 2")])
@pytest.mark.parametrize("rules", EVERY)
def test_cards_out_of_play_are_let_in_again_from_the_list(
    rules: str, number: int, order: str
) -> None:
    table = Live(rules, ALL)
    for card_set, state, count in ((1, 1, 384), (2, 0, 0)):
        fields = {"state": state, "set": card_set, "count": count, "progress": 0}
        table.device("shuffler", "SHUFFLER_STATE", **fields)
    table.play("open", "wager 1 main 10", "close", "9C 7D 9H")
    assert not {"PLAY ON", "CLEAR SET 2"} & {first[2:] for first, _ in _listed(table)}
    table.play("report unshuffled", "sue: void", "next")
    assert _listed(table)[:2] == [("1 PLAY ON", "A-72"), ("2 CLEAR SET 2", "A-72")]
    assert table.keys("X") == "NO: SUPERVISOR'S KEY"
    table.keys(f"X {number} #", supervisor=True)
    assert table.rows()[0] == "1 CARD MISREAD"
    assert table.keys("7 #", supervisor=True) == "OK"
    assert table.outcomes[-1].notes == [f"supervisor: {order} by key switch: other"]
    assert table.status()["shoe"]["blocked"] == {}
    assert "open" in table.status()["permitted"]
