"""The keypad: every key of the grammar, whole rounds without a console, and what it answers."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import controller.game.round
import controller.table
from controller.table.entering.keys import AT_ONCE, COLLECTING, PUT_RIGHT, READS
from hil_tests.benches.driven_table import LOCKED
from pages.table.keypad import GRAMMAR
from tests.table.live.driver import MBS, RWS, Live, dealt, live

SHORTEST = 16


def test_a_whole_round() -> None:
    table = Live()
    assert table.rows() == ("OPEN BETS: O", "BURN FIRST: E")
    assert table.keys("O") == "OK"
    assert table.rows()[0] == "BETS OPEN: 0 BOXES"
    assert table.keys("B") == "BOX ?"
    assert table.keys("1") == "BOX 1"
    assert table.keys("M 10") == "BOX 1 M10"
    assert table.keys("#") == "OK 1 MAIN 10"
    assert table.keys("J 5 #") == "OK 1 PAN 5"
    assert table.keys("P 2.00 #") == "OK 1 PAIR 2"
    assert table.keys("B 2.2") == "BOX 2.2"
    assert table.keys("M #") == "OK 2B MAIN"
    assert table.status()["boxes"]["2"]["wagers"] == {"b": {"main": None}}
    assert table.wants().lamps == 0b11
    assert table.keys("N") == "2 BOX 1 PAIR 1 PAN"
    table.deal("AC 9C AD KD 7H")
    assert table.rows()[0] == "BUTTON TO BOX 1"
    assert table.keys("F") == "BUTTON: BOX 1"
    assert table.keys("A 2.2 #") == "OK 1 TO 2B"
    assert "2b presses" in table.status()["prompt"]
    assert table.keys("A #") == "OK 1 TO STAFF"
    table.win(25)
    assert table.rows()[0] == "BOX 1 PAY 125: E"
    assert table.keys("E") == "OK"
    assert table.rows()[0] == "INSURE/SURRENDER? E"
    assert table.keys("B 2.2 I 5 #") == "OK 2B INSURE 5"
    assert table.keys("E") == "OK"
    assert table.rows()[0] == "BOX 2 16: CARD S D"
    assert table.keys("S") == "OK 2 STAND"
    assert table.rows()[0] == "CARD TO DEALER 11"
    table.deal("QC")
    assert table.rows()[0] == "PAY, CLEAR, THEN E"
    assert table.keys("E") == "OK"
    assert table.state == "idle"
    assert table.keys("O N") == "2 BOX 0 PAIR 0 PAN"
    assert table.status()["round"] == 2


def test_split_followed_doubled_and_withdrawn() -> None:
    table = dealt("8C 7D 8H", "1 main 10, 1b main 20")
    assert table.keys("L") == "OK 1 SPLIT"
    assert table.keys("B1.2 L") == "OK 1B FOLLOW"
    assert table.keys("L") == "NO: MAY NOT ADD"
    table.deal("2C")
    assert table.keys("D") == "D"
    assert table.keys("#") == "OK 1 DOUBLE 10"  # as much as the wager
    assert table.keys("B1.2 D 15 #") == "OK 1B DOUBLE 15"
    table.deal("3C")
    assert table.rows()[0] == "B1/1 13: W OR E"
    assert table.keys("B1.2 W") == "OK, OWED: KEY ."
    assert table.keys("E") == "OK 1 KEEP"
    assert table.rows()[0] == "B1/2: SECOND CARD"
    table.deal("KC")
    assert table.keys("S") == "OK 1 STAND"
    settled = [
        (made["bettor"], made["hand"], made["kind"], made["net"], made["outcome"])
        for made in table.deal("KD").settlements
    ]
    assert ("a", 1, "double", "-10.00", "lose") in settled
    assert ("b", 2, "split", "20.00", "win") in settled


def test_the_box_stays_chosen_until_a_card_comes() -> None:
    table = Live()
    table.keys("O B3 M10# P1# J1#")
    assert sorted(table.status()["boxes"]["3"]["wagers"]["a"]) == ["main", "pair", "pandemonium"]
    table.keys("N")
    table.deal("9C")
    assert table.keys("U#") == "NO: B AND BOX FIRST"


def test_insurance_by_halves_and_from_another() -> None:
    table = dealt("9C 8C AD 5H 7H", "1 main 10, 2 main 30, 2c main 10")
    assert table.keys("B1 I B2 #") == "OK 1@2 INSURE 15"
    assert table.keys("B1 I5 B2.3") == "BOX 1 I5B2.3"
    assert table.keys("#") == "OK 1@2C INSURE 5"
    assert table.keys("B1 I #") == "OK 1 INSURE 5"
    assert [str(amount) for amount in table.table.rnd.insurance.values()] == ["1500", "500", "500"]  # type: ignore[union-attr]
    assert table.keys("I B9.9 #") == "NO: NO SUCH BOX"
    assert table.keys("B2 U#") == "OK 2 SURRENDER"


def test_clear_and_undo() -> None:
    table = Live()
    table.keys("O B3 M10#")
    assert table.keys("M 2 5 *") == "BOX 3"
    assert table.keys("*") == "BACK: 3 MAIN 10"  # the wager is taken back
    assert table.status()["boxes"] == {}
    assert table.keys("*") == "BACK: OPEN"
    assert table.keys("*") == "NO: NOTHING TO UNDO"
    table.keys("O")
    assert table.keys("B 4 *") == "BURN FIRST: E"
    assert table.keys("M10#") == "NO: B AND BOX FIRST"


def test_clearing_a_refusal_takes_nothing_back() -> None:
    table = Live()
    assert table.keys("O B3 M10#") == "OK 3 MAIN 10"
    assert table.keys("M5001#") == "NO: MOST 5000"
    assert table.keys("*") == "BOX 3"  # clears the refusal
    assert table.status()["boxes"]["3"]["wagers"] == {"a": {"main": "10.00"}}
    assert table.keys("*") == "BACK: 3 MAIN 10"
    assert table.status()["boxes"] == {}


def test_an_answer_from_before_does_not_hide_why_the_table_is_held() -> None:
    table = Live()
    assert table.keys("O B1 M10# N") == "1 BOX 0 PAIR 0 PAN"
    table.slip("??")
    assert table.rows() == ("HELD: SUPERVISOR", "CARD UNREAD")
    table.down("shoe")
    assert table.rows()[1] == "CARD UNREAD"


@pytest.mark.parametrize(
    ("pressed", "says"),
    [
        (".", "NO: NOTHING OWED"),
        ("R", "NO: CLOSE BETS: N"),
        ("Q", "NO: UNKNOWN KEY"),
        ("\u00ff", "NO: UNKNOWN KEY"),
        ("5", "NO: LETTER FIRST"),
        ("#", "BURN FIRST: E"),
        ("B8", "NO: NO SUCH BOX"),
        ("B0", "NO: NO SUCH BOX"),
        ("B.", "NO: NO SUCH BOX"),
        ("B12", "NO: NO SUCH BOX"),
        ("B1.4", "BOX 1.4"),
        ("B1.9", "NO: NO SUCH BOX"),
        ("B1.4M10#", "NO: NO SUCH BETTOR"),
        ("B1#", "BOX 1"),
        ("B1M#", "OK 1 MAIN"),
        ("B1M9#", "OK: BELOW MIN 10"),
        ("B1M5001#", "NO: MOST 5000"),
        ("B1M10.50#", "NO: STEPS OF 1"),
        ("B1M1.5.5#", "NO: NO SUCH AMOUNT"),
        ("B1M1234567890123", "NO: TOO LONG"),
        ("B1D#", "NO: NO HAND IN TURN"),
        ("S", "NO: NO HAND IN TURN"),
        ("E", "OK"),  # the first card of the shoe is asked for, and burned
        ("F", "NO: NO BUTTON NOW"),
        ("A#", "NO: NO BUTTON NOW"),
        ("O", "NO: BETS ARE OPEN"),
        ("B2P5# N", "NO: NO MAIN WAGER"),
        ("B1M10# B2P5# N", "NO: BOX 2: NO MAIN"),
        ("V#", "NO: SUPERVISOR'S KEY"),
        ("X", "NO: SUPERVISOR'S KEY"),
    ],
)
def test_what_it_answers_while_bets_are_open(pressed: str, says: str) -> None:
    table = Live()
    table.keys("O")
    assert table.keys(pressed) == says


def test_the_first_card_is_burned_once() -> None:
    table = Live()
    table.keys("O E")
    assert table.rows()[0] == "BURN ONE CARD"
    table.slip("5C")
    assert table.keys("E") == "NO: CLOSE BETS: N"


@pytest.mark.parametrize(
    ("rules", "cards", "pressed", "says"),
    [
        (MBS, "9C 7D 5H", "L", "NO: NOT EQUAL VALUE"),
        (MBS, "9C 7D 5H", "W", "NO: NOTHING DOUBLED"),
        (MBS, "9C 7D 5H", "E", "NO: HAND FIRST"),
        (MBS, "9C 7D 5H", "B1 U#", "NO: DEALER HAS 7D"),
        (MBS, "9C 7D 5H", "D 11 #", "NO: MOST 10"),
        (MBS, "9C 7D 5H", "D 5 #", "NO: LEAST 10"),
        (MBS, "9C 7D 5H", "D . #", "NO: NO SUCH AMOUNT"),
        (MBS, "9C 7D 5H", "N", "NO: BETS NOT OPEN"),
        (MBS, "9C 7D 5H", "B1M20#", "NO: BETS NOT OPEN"),
        (MBS, "9C 7D 5H", "*", "NO: NOTHING TO UNDO"),
        (MBS, "9C 7D 5H", "O", "NO: ROUND NOT OVER"),
        (RWS, "9C 7D 2H", "S", "NO: 11, NEEDS 12"),
        (MBS, "9C KD 5H", "B1 I 5 #", "NO: DEALER HAS KD"),
        (MBS, "9C KD 5H", "B3 U #", "NO: NO BOX 3 IN PLAY"),
        (MBS, "9C AD 5H", "B1 I 6 #", "NO: MOST IS HALF"),
        (MBS, "9C", "S", "NO: DEAL FIRST"),
    ],
)
def test_what_it_answers_in_a_round(rules: str, cards: str, pressed: str, says: str) -> None:
    assert dealt(cards, rules=rules).keys(pressed) == says


def test_every_reason_fits() -> None:
    found = [
        keyword.value
        for package in (controller.game.round, controller.table)
        for path in sorted(Path(str(package.__file__)).parent.rglob("*.py"))
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call)
        for keyword in call.keywords
        if keyword.arg == "short"
    ]
    plain = [node.value for node in found if isinstance(node, ast.Constant)]
    assert len(plain) > 40
    assert all(len(str(text)) <= SHORTEST and str(text).isupper() for text in plain), plain


def test_the_grammar_names_every_key() -> None:
    named = {char for keys, *_ in GRAMMAR for char in keys if char.isalpha() or char in "#*."}
    assert named == {*AT_ONCE, *COLLECTING, *PUT_RIGHT, READS, "#", "*"}


def test_what_is_owed_is_read_page_by_page() -> None:
    table = dealt("AC 9D 7D KC 8S", "1 main 10, 2 main 20")
    assert table.keys(".") == "PAY 15 AT 3:2"
    assert table.table.entering.keypad.page == 1
    assert table.wants().rows == ("1A/1 MAIN 1/3", "PAY 15 AT 3:2")
    table.keys(".")
    assert table.wants().rows == ("BOX 1 NOW 2/3", "PAY 15")
    table.keys(".")
    assert table.wants().rows == ("1A IN THE ROUND 3/3", "+15")
    table.keys(".")
    assert table.wants().rows[0] == "BOX 2 17: CARD S D"
    table.keys(". S")  # any other key does what it does
    assert table.table.entering.keypad.page == 0
    table.deal("KD")
    assert [s["net"] for s in table.status()["owed"]] == ["0.00"]
    assert table.keys(".") == "STAND-OFF"
    table.keys("E")
    assert table.status()["owed"] == []
    assert table.keys(".") == "NO: NOTHING OWED"


# Held --------------------------------------------------------------------------------------------


def test_the_supervisors_key() -> None:
    table = dealt("9C 7D")
    table.up("jackpot", new_session=True)
    assert table.rows() == ("HELD: SUPERVISOR", "DEVICE RESTARTED")
    assert table.keys("E") == "NO: DEVICE RESTARTED"
    assert table.keys("S") == "NO: DEVICE RESTARTED"
    table.slip("??", LOCKED)
    assert table.keys("E", supervisor=True) == "NO: CARD COMES FIRST"
    assert table.keys("X 6 #", supervisor=True) == "NO: NO SUCH CHOICE"
    assert table.keys("10.1 #", supervisor=True) == "NO: NO TENS IN SET"
    assert table.keys("X 14.1 #", supervisor=True) == "NO: 9.2 IS 9 DIAM."
    assert table.keys("9.2 #", supervisor=True) == "CARD LOCKED"  # named, and still loose
    assert table.outcomes[-1].notes[-1] == "supervisor: card 9D by key switch"
    assert table.keys("X 9.2 #", supervisor=True) == "NO: NO SUCH CHOICE"
    assert table.keys("1 #", supervisor=True) == "DEVICE RESTARTED"
    assert table.keys("E", supervisor=True) == "OK"
    assert table.hand() == "9C 9D"
    assert table.state == "play.decide"
    assert table.keys("V 5 #", supervisor=True) == "VOID             1/7"
    assert table.keys("5 #", supervisor=True) == "OK, OWED: KEY ."
    assert table.state == "void"
    assert table.keys("V #", supervisor=True) == "NO: NO ROUND TO VOID"
    assert table.keys("E", supervisor=True) == "OK"  # the round is cleared


def test_what_the_dealer_may_put_right_needs_no_key() -> None:
    table = dealt("9C 7D 5C")
    table.slip("2C", LOCKED)
    assert table.rows() == ("HELD: SEE SCREEN", "CARD LOCKED")
    assert table.keys("X 1 # E") == "OK"  # and nobody refuses it
    table.say("hit 1")
    assert table.hand() == "9C 5C 2C"
    table.play("stand 1", "KD")
    table.slip("2C")
    assert table.keys("X 1 #") == "OK"
    assert table.state == "settled"


def test_a_device_that_is_missing() -> None:
    table = live()
    table.down("shoe")
    assert table.rows() == ("SHOE NOT READY", "SHOE DOWN")
    assert table.keys("S") == "NO: SHOE NOT READY"
    table.up("shoe")
    table.down("jackpot")
    table.order("void")
    table.keys("E O B1")
    assert table.keys("J5#") == "NO: JACKPOT IS DOWN"
