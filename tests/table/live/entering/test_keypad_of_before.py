"""The keypad in rounds opened under version 2 of the engine: keys mean what they did then."""

from __future__ import annotations

from dataclasses import replace

from controller.rules.engine import BEFORE
from tests.table.live.driver import LOCKED, Live, settings


def begun_before() -> Live:
    """A table whose rules are read for version 2."""
    return Live(rules=replace(settings().rules, engine=BEFORE))


def dealt_before(cards: str) -> Live:
    """The same with a wager of 10 on box 1, and cards."""
    table = begun_before()
    table.say("open", "wager 1 main 10", "close")
    table.deal(cards)
    return table


def test_the_supervisors_key() -> None:
    table = dealt_before("9C 7D")
    table.up("jackpot", new_session=True)
    assert table.rows() == ("HELD: SUPERVISOR", "DEVICE RESTARTED")
    assert table.keys("E") == "NO: DEVICE RESTARTED"
    assert table.keys("S") == "NO: DEVICE RESTARTED"
    table.slip("??", LOCKED)
    assert table.keys("E", supervisor=True) == "NO: CARD COMES FIRST"
    assert table.keys("X 9 #", supervisor=True) == "NO: X 9.2 IS 9 DIAM."
    assert table.keys("X 1 #", supervisor=True) == "NO: CANNOT BE USED"
    assert table.keys("X 0 #", supervisor=True) == "NO: CANNOT DISCARD"
    assert table.keys("X 10.1 #", supervisor=True) == "NO: NO TENS IN SET"
    assert table.keys("X 14.1 #", supervisor=True) == "NO: X 9.2 IS 9 DIAM."
    assert table.keys("X 9.2 #", supervisor=True) == "CARD LOCKED"  # named, and still loose
    assert table.outcomes[-1].notes[-1] == "supervisor: card 9D by key switch"
    assert table.keys("X 9.2 #", supervisor=True) == "NO: REMEDY FIRST"
    assert table.keys("X 1 #", supervisor=True) == "DEVICE RESTARTED"
    assert table.keys("E", supervisor=True) == "OK"
    assert table.status()["boxes"]["1"]["hands"][0]["cards"] == "9C 9D"
    assert table.state == "play.decide"
    assert table.keys("X 1 #", supervisor=True) == "NO: NO CARD WAITS"
    assert table.keys("V #", supervisor=True) == "OK"
    assert table.state == "void"
    assert table.keys("V #", supervisor=True) == "NO: NO ROUND TO VOID"
    assert table.keys("E", supervisor=True) == "OK"  # the round is cleared


def test_what_the_dealer_may_put_right_needs_no_key() -> None:
    table = dealt_before("9C 7D 5C")
    table.slip("2C", LOCKED)
    assert table.rows() == ("HELD: SEE SCREEN", "CARD LOCKED")
    assert table.keys("X 0 #") == "NO: NOT PERMITTED"
    assert table.keys("X 9.2 #") == "NO: SUPERVISOR'S KEY"
    assert table.keys("X 1 # E") == "OK"  # and nobody refuses it
    table.say("hit 1")
    assert table.status()["boxes"]["1"]["hands"][0]["cards"] == "9C 5C 2C"
    table.say("stand 1")
    table.deal("KD")
    table.slip("2C")
    assert table.keys("X 0 #") == "OK"
    assert table.state == "settled"


def test_a_card_put_away_by_key() -> None:
    table = begun_before()
    table.slip("5C")
    assert table.keys("X 0 #", supervisor=True) == "OK"
    assert table.state == "idle"


def test_keys_that_came_later() -> None:
    table = dealt_before("9C 7D 5H")
    assert table.keys("R") == "NO: NOT ON A KEYPAD"
    assert table.keys(".") == "NO: LETTER FIRST"
    assert table.keys("X") == "X"
    assert table.keys("1 #") == "NO: SUPERVISOR'S KEY"
