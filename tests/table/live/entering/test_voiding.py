"""A void after a multiplier was drawn takes two people, and nothing is played meanwhile."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.counters.counting import Counters
from controller.game.commands.values import Malformed
from controller.game.round.refusal import Refused
from controller.table.entering.supervising import supervisor_commands
from controller.table.events.reading import read_event
from hil_tests.benches.driven_table import LOCKED
from tests.table.live.driver import RWS, Live, dealt, live

ASKED = (
    "sue asks for the round to be void after a multiplier was drawn: another person confirms it, "
    "or it is cancelled"
)


def drawn() -> Live:
    """A table where box 1 has drawn a multiplier and was paid."""
    table = dealt("AC 9C 7D KC 8H", "1 main 10, 1 pandemonium 5, 2 main 10", rules=RWS)
    table.win(25)
    table.say("done")
    return table


def answer(table: Live, command: str, user: str, by: str | None = "Sam") -> None:
    """A supervisor's answer."""
    table.apply("supervisor", {"command": command, "by": by, "why": None, "user": user})


def test_a_round_that_is_called_back_leaves_all_else_as_it_was() -> None:
    """Who last corrected is kept from the round before, as a snapshot of it has it."""
    table = dealt("9S 8H 9D 7S 7D", "1 main 10, 2 main 10", rules="division-15-pontoon")
    table.play("correct 1 6D", "sue: void", "next", "open", "wager 1 main 10")
    before = replace(table.table.dealing, told=0)
    table.play("close", "sue: void")
    assert (table.state, table.table.dealing) == ("betting", before)


def test_a_second_person_confirms_it() -> None:
    table = drawn()
    table.order("void")
    status = table.status()
    assert (status["held"]["fault"], status["held"]["reason"]) == ("void-unconfirmed", ASKED)
    assert ASKED in status["prompt"]
    assert "The supervisor may: confirm void, cancel void." in status["prompt"]
    assert table.rows() == ("HELD: SUPERVISOR", "VOID UNCONFIRMED")
    with pytest.raises(Refused, match="sue asked for it: another person confirms it"):
        answer(table, "confirm void", "sue", "Sam")
    with pytest.raises(Malformed, match="needs who gives it"):
        answer(table, "confirm void", "sam", None)
    answer(table, "confirm void", "sam")
    assert table.state == "void"
    assert table.status()["held"] is None
    with pytest.raises(Refused, match="no void waits"):
        answer(table, "confirm void", "sam")


def test_it_is_cancelled_and_play_goes_on() -> None:
    table = drawn()
    before = table.state
    table.order("void")
    assert table.state == f"held.{before}"
    answer(table, "cancel void", "sue", None)
    assert table.state == before
    table.say("stand 2")
    with pytest.raises(Refused, match="no void waits"):
        answer(table, "cancel void", "sue")


@pytest.mark.parametrize("command", ["void", "resume", "discard", "correct 1 2C", "done"])
def test_nothing_else_is_taken_from_the_supervisor_meanwhile(command: str) -> None:
    table = drawn()
    table.order("void")
    table.refuses_order(command, "permitted are confirm void, cancel void")


def test_nothing_is_played_meanwhile() -> None:
    table = drawn()
    table.order("void")
    assert table.wants().gate_cards == 0
    with pytest.raises(Refused, match="held"):
        table.enter("stand 2")
    table.slip("5C", LOCKED)  # it waits, and is the dealer's again when the void is cancelled
    assert table.status()["permitted"] == []
    assert table.status()["held"]["remedies"] == ["confirm void", "cancel void"]
    answer(table, "cancel void", "sue")
    table.play("sue: use", "hit 2")
    assert table.hand(2) == "9C 8H 5C"


def test_the_button_is_not_offered_meanwhile() -> None:
    wagers = "1 main 10, 1 pandemonium 5, 2 main 10, 2 pandemonium 5"
    table = dealt("AC AD 7D KC KD", wagers, rules=RWS)
    table.win(25)
    table.say("done")
    assert table.state == "jackpot.armed"
    assert table.wants().meter is not None
    table.order("void")
    assert table.wants().meter is None
    answer(table, "cancel void", "sue")
    assert table.wants().meter is not None


def test_from_the_moment_of_the_draw() -> None:
    table = dealt("AC 7D KC", "1 main 10, 1 pandemonium 5", rules=RWS)
    table.press()
    table.draw(25)
    table.order("void")
    assert table.status()["held"]["fault"] == "void-unconfirmed"
    table.shown(25)  # the meter was on its way
    answer(table, "cancel void", "sue")
    assert table.state == "jackpot.paying"


def test_the_key_switch_confirms_what_a_user_asked_for() -> None:
    table = drawn()
    table.order("void")
    assert table.keys("X") == "NO: SUPERVISOR'S KEY"
    table.keys("X", supervisor=True)
    assert table.rows()[0] == "1 CONFIRM VOID"
    table.keys("V #", supervisor=True)
    assert table.state == "void"
    assert table.outcomes[-1].notes[-1] == "supervisor: confirm void by key switch"


def test_the_key_switch_does_not_confirm_itself() -> None:
    table = drawn()
    table.keys("V # 4 #", supervisor=True)
    assert "key switch asks" in table.status()["prompt"]
    assert table.keys("V #", supervisor=True) == "NO: ANOTHER PERSON"
    table.keys("X", supervisor=True)
    assert table.rows()[0] == "1 CANCEL VOID"  # it is not offered what is always refused
    table.keys("#", supervisor=True)
    assert table.table.hold is None


def test_a_card_waits_for_its_supervisor_until_then() -> None:
    table = drawn()
    table.slip("??", LOCKED)
    table.play("sue: void", "sue: cancel void")
    assert table.status()["held"]["remedies"] == ["card CARD", "void"]


def test_voids_after_a_draw_are_counted_apart() -> None:
    table = live("1 main 10, 1 pandemonium 5", rules=RWS)
    counters = Counters()

    def count() -> None:
        kind = {"command": "void", "by": "Sam", "why": "x", "user": "sam"}
        counters.count_event(read_event("supervisor", kind), table.outcomes[-1], table.table)

    table.play("9C", "sue: void")
    count()
    table.lock()
    table.play("next", "open", "wager 1 main 10", "wager 1 pandemonium 5", "close", "AC 7D KC")
    table.win(25)
    table.order("void")
    count()
    answer(table, "confirm void", "sam")
    count()
    assert counters.total.voids == {"Sam": 2}
    assert counters.total.voids_after_draw == {"Sam": 1}


def test_a_hand_with_a_multiplier_is_void_by_two() -> None:
    table = drawn()
    table.play("sue: report other", "sue: void-hand 1")
    assert "asks for box 1 to be void" in table.status()["prompt"]
    assert table.status()["held"]["remedies"] == ["confirm void", "cancel void"]
    answer(table, "confirm void", "sam")
    assert [(made["box"], made["outcome"]) for made in table.status()["owed"]][-1] == (
        1,
        "returned",
    )
    assert table.status()["held"] is None


def test_a_void_that_the_document_does_not_have_is_refused_at_once() -> None:
    table = dealt("AC 9C 7D KC 8H", "1 main 10, 1 pandemonium 5, 2 main 10")
    table.win(25)
    table.play("done", "2H", "sue: report wrong-decision 2")
    table.refuses_order("void", "void is not permitted")
    assert table.table.entering.void_asked is None


def test_an_irregularity_that_comes_meanwhile_leaves_only_the_cancelling() -> None:
    table = dealt("AC 9C 7D KC 8H", "1 main 10, 1 pandemonium 5, 2 main 10")
    table.win(25)
    table.play("done", "sue: void")
    table.restart("boot-2")
    assert table.status()["held"]["remedies"][-1] == "cancel void"


def test_a_settled_round_under_correction_is_not_void() -> None:
    table = dealt("9C 7D 9D").play("stand 1", "KD", "sue: correct 1 8C")
    table.refuses_order("void", "a correction is being made: finish it")
    assert "void" not in map(str, supervisor_commands(table.table))


def test_the_name_of_the_key_switch_is_nobodys() -> None:
    table = drawn()
    table.order("void")
    with pytest.raises(Malformed, match="is the keypad's name"):
        answer(table, "confirm void", "sam", "key switch")
