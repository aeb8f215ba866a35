"""What a key pressed at the wrong moment must not do: clear a round, drop what was begun, say
nothing."""

from __future__ import annotations

import pytest

from controller.table.state.entering import owed_pages
from hil_tests.benches.driven_table import TOGETHER
from tests.table.live.driver import DIV, MBS, PLUS, dealt
from tests.table.live.driver import Live as Table

SWAP = "9C 8D 7D 5H 6S"


def _settled() -> Table:
    table = dealt("9C 7D 9H", rules=MBS).play("stand 1", "KD")
    assert table.state == "settled"
    return table


@pytest.mark.parametrize("keys", ["X", "X 9 #", "X 7 #"])
def test_e_inside_a_list_never_clears_the_round(keys: str) -> None:
    table = _settled()
    table.keys(keys, supervisor=True)
    shown = table.rows()[0]
    assert table.keys("E", supervisor=True) == "NO: * LEAVES IT"
    assert (table.state, table.rows()[0]) == ("settled", shown)
    table.keys("*", supervisor=True)
    table.keys("E")
    assert table.state == "idle"


@pytest.mark.parametrize("letter", "SLNOBMVFRX")
def test_what_was_begun_is_not_lost_by_a_letter(letter: str) -> None:
    table = dealt(SWAP, "1 main 100, 2 main 10")
    table.deal("7H")  # 21: settled, so that a correction takes the key and a reason
    table.keys("X 7 # 6 # 8.3 #", supervisor=True)
    asked = table.rows()[0]
    assert table.keys(letter, supervisor=True) == "NO: * LEAVES IT"
    assert table.rows()[0] == asked
    table.keys("1 #", supervisor=True)
    assert table.table.rnd
    assert len(table.table.rnd.irregular.edits) == 1


def test_the_reason_is_asked_once_for_a_whole_correction() -> None:
    """Two cards changed places behind a settlement (5.6.2): one reason, then ``E`` ends it."""
    table = dealt(SWAP, "1 main 100, 2 main 10").play("7H")
    table.keys("X 8 # 4 # 2 #", supervisor=True)
    assert table.rows()[0].startswith("1 CARD MISREAD")
    table.keys("2 #", supervisor=True)
    assert table.keys("X 8 # 5 # 1 #", supervisor=True).startswith("OK")
    assert table.table.rnd
    assert [str(step) for step in table.table.rnd.irregular.edits] == ["lies 4 2", "lies 5 1"]
    table.keys("E", supervisor=True)
    assert not table.table.rnd.irregular.edits
    hands = table.status()["boxes"]
    assert hands["1"]["hands"][0]["cards"].startswith("9C 6S")
    assert hands["2"]["hands"][0]["cards"].startswith("8D 5H")


def test_a_correction_that_only_the_supervisor_may_end_says_so_once() -> None:
    table = dealt(SWAP, "1 main 100, 2 main 10").play("7H")
    table.keys("X 7 # 6 # 8.3 #")
    assert table.rows() == ("NO: SUPERVISOR ONLY", "KEY E, OR * BACK")
    assert table.keys("E") == "NO: SUPERVISOR ONLY"
    table.keys("* *")
    assert table.table.rnd
    assert not table.table.rnd.irregular.edits


@pytest.mark.parametrize("key", ["S", "R", "E", "L", "N"])
def test_while_held_every_key_is_answered(key: str) -> None:
    table = dealt("9C 7D 9H")
    table.up("jackpot", new_session=True)
    assert table.rows()[1] == "DEVICE RESTARTED"
    assert table.keys(key).startswith("NO: ")


def test_what_is_owed_outranks_an_old_answer() -> None:
    """The box pays 25 times its 5: the sum is said, and the answer to the last key gives way."""
    table = dealt("AC 9C AD KD 7H", "1 main 10, 1 pandemonium 5, 2 main 10")
    table.keys("A #")
    table.win(25)
    assert table.rows() == ("BOX 1 PAY 125: E", "OWED: KEY .")


def test_entries_are_repeated_and_what_is_taken_back_likewise() -> None:
    table = Table(MBS)
    assert table.keys("O B3.2 P5#") == "OK 3B PAIR 5"
    assert table.keys("P 0 #") == "OK 3B PAIR OUT"
    assert table.keys("*") == "BACK: 3B PAIR OUT"
    assert table.keys("*") == "BACK: 3B PAIR 5"


@pytest.mark.parametrize(
    ("keys", "done", "back"),
    [
        ("B2.4 I B2 #", "OK 2D@2 INSURE 2500", "BACK: INSU 2D@2 2500"),
        ("B1.4 I 30.5 B1.2 #", "OK 1D@1B INSUR 30.50", "BACK: IN 1D@1B 30.50"),
        ("B1.2 I #", "OK 1B INSURE 30.50", "BACK: INSUR 1B 30.50"),
    ],
)
def test_a_sum_is_never_cut_off(keys: str, done: str, back: str) -> None:
    """``BACK: INSURE 2D@2 25`` was told of 2,500."""
    table = dealt("8C 9D AD 8H 2D", "1 main 100, 1b main 61, 2 main 5000")
    assert table.keys(keys) == done
    assert table.keys("*") == back


def test_half_of_a_wager_over_the_maximum_is_half_of_what_counts() -> None:
    """MBS 3.26, 5.27: the keypad offered half of what was placed, and was refused."""
    table = dealt("8C 9D AD 8H 2D", "1 main 100, 2 main 50").play("sue: report over-maximum 1 80")
    assert table.keys("B1 I #") == "OK 1 INSURE 40"


def test_a_choice_does_not_hide_what_is_taken_back() -> None:
    """A double was told to be paid, then a card drawn together with it took that back: ``E`` behind
    ``WAGERS BACK? X E`` forgot it."""
    table = dealt("6S 9C KD 5H 8C", "1 main 100, 2 main 50").play("done", "double 1 100")
    table.slip("KH")
    table.slip("2S", TOGETHER)
    table.say("report together 2S", "use 2S")
    assert table.rows() == ("BOX 1 13: W OR E", "OWED . BACK? X E")
    said = [table.keys(".") for _ in range(5)]
    assert said[2:] == ["TAKE BACK 100", "TAKE BACK 100", "PAY 200 TAKE 200"]


def test_what_is_offered_late_to_one_bettor_names_him() -> None:
    """Division 15, 16.11: ``LATE INSURE B1? E`` was shown, and bettor a was refused."""
    table = dealt("8S AD 8H", "1 main 100, 1b main 50", DIV)
    table.say("done", "stand 1", "report missed-insurance 1b")
    assert table.rows()[0] == "LATE INSURE 1B? E"
    assert table.status()["prompt"].startswith("Insurance is offered late to box 1b:")


def test_a_stand_off_without_an_amount_is_nothing_either_way() -> None:
    """``WHAT THE ODDS SAY`` was told, but a stand-off has none."""
    table = dealt("9C 8D 8C", "1 main", PLUS).play("stand 1", "9D")
    [_, (_, now), *_] = owed_pages(table.table.rnd, table.table.dealing.owed)
    assert (table.status()["owed"][0]["outcome"], now) == ("stand_off", "nothing either way")
