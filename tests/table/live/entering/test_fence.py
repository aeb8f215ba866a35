"""The fence: an entry is judged when the gate is locked and every card before it is taken."""

from __future__ import annotations

import pytest

from controller.game.round.refusal import Refused
from hil_tests.benches.driven_table import LOCKED
from hil_tests.tables.scripted import hands_of
from tests.table.live.driver import RWS, Live, dealt, live


def test_an_entry_waits_for_the_gate() -> None:
    table = dealt("9C 7D 9H")
    outcome = table.enter("stand 1")
    assert (outcome.entry, outcome.answered) == (table.table.entering.entries, [])
    assert table.state == "play.decide"
    assert (table.status()["awaiting"], table.wants().gate_cards) == ("device", 0)
    assert table.wants().lock_for == outcome.entry
    [answer] = table.lock().answered
    assert (answer.entry, answer.refused) == (outcome.entry, "")
    assert (table.state, table.wants().gate_cards) == ("dealer.second_card", 1)


def test_entries_between_cards_do_not_wait() -> None:
    table = Live()
    assert table.enter("open").entry is None
    assert table.enter("wager 1 main 10").entry is None
    assert table.enter("close").entry is None
    assert table.enter("undo").entry is not None  # cards may leave now


def test_a_card_that_crossed_comes_first() -> None:
    table = dealt("9C 7D 5H")
    table.enter("stand 1")
    table.slip("3C")  # left before the gate was locked
    assert table.status()["boxes"]["1"]["hands"][0]["total"] == 17
    outcome = table.lock()
    [answer] = outcome.answered
    assert "3C left the shoe before it" in answer.refused
    assert answer.code == "card-came-first"
    stored = outcome.as_body()["answered"]
    assert stored == [{"entry": answer.entry, "refused": answer.refused}]  # as in earlier journals
    assert table.state == "play.decide"
    table.say("stand 1")


def test_the_answer_waits_for_events_still_on_the_line() -> None:
    table = dealt("9C 7D 5H")
    table.enter("stand 1")
    assert table.lock(last_event=table.numbers["shoe"] + 1).answered == []
    assert table.status()["awaiting"] == "device"
    [answer] = table.slip("3C").answered
    assert "3C left the shoe before it" in answer.refused


def test_another_event_on_the_line_lets_the_entry_pass() -> None:
    table = dealt("9C 7D 5H")
    table.enter("stand 1")
    table.lock(last_event=table.numbers["shoe"] + 1)
    [answer] = table.device("shoe", "CUTTING_CARD", remaining=30).answered
    assert answer.refused == ""
    assert table.state == "dealer.second_card"


def test_a_lock_for_another_entry_says_nothing() -> None:
    table = dealt("9C 7D 5H")
    pending = table.enter("stand 1").entry
    assert pending is not None
    table.lock(entry=pending - 1)
    assert table.status()["awaiting"] == "device"
    table.lock(entry=pending)
    assert table.state == "dealer.second_card"


def test_a_second_entry_is_refused_meanwhile() -> None:
    table = dealt("9C 7D 5H")
    table.enter("stand 1")
    with pytest.raises(Refused, match="still waits"):
        table.enter("hit 1")


def test_hit_does_not_wait_and_the_card_is_the_hit() -> None:
    table = dealt("9C 7D 5H")
    assert table.enter("hit 1").entry is None
    assert table.wants().gate_cards == 1
    table.play("3C", "2C")
    assert hands_of(table.status(), 1)[0] == ("9C 5H 3C 2C", 19)


def test_undo_of_the_close_waits_and_a_card_forbids_it() -> None:
    table = live("1 main 10, 2 main 10")
    table.enter("undo")
    table.slip("9C")
    [answer] = table.lock().answered
    assert "nothing can be taken back" in answer.refused
    assert table.state == "deal.first_cards"
    assert table.wants().gate_cards == 4


def test_a_card_from_the_locked_gate_holds_what_waits() -> None:
    table = dealt("9C 7D 5H")
    table.enter("stand 1")
    table.slip("3C", LOCKED)
    [answer] = table.lock().answered
    assert "the table is held: 3C was drawn while the gate was locked" in answer.refused


def test_the_shoe_lost_while_an_entry_waits() -> None:
    table = dealt("9C 7D 5H")
    table.enter("stand 1")
    table.lock(last_event=table.numbers["shoe"] + 1)  # and before that event comes:
    table.down("shoe", "unplugged")
    assert "the card shoe is not connected: unplugged" in table.status()["prompt"]
    table.up("shoe")
    assert table.status()["awaiting"] == "device"
    [answer] = table.lock().answered
    assert answer.refused == ""


def test_a_shoe_started_anew_ends_the_wait() -> None:
    table = dealt("9C 7D 5H")
    table.enter("stand 1")
    table.down("shoe")
    [answer] = table.up("shoe", new_session=True, since="21:04:07").answered
    assert "started anew" in answer.refused
    assert table.table.entering.pending is None
    assert table.status()["held"]["fault"] == "device-restarted"


def test_nothing_is_decided_while_the_shoe_is_out_of_sight() -> None:
    table = dealt("9C 7D 5H")
    table.down("shoe", "unplugged")
    assert table.status()["permitted"] == ["shuffle 1", "shuffle 2"]
    for command in ("stand 1", "hit 1"):
        with pytest.raises(Refused, match="a card may still be on its way"):
            table.enter(command)
    table.up("shoe")
    table.say("stand 1")


def test_a_start_while_an_entry_waits() -> None:
    table = dealt("9C 7D 5H")
    table.enter("stand 1")
    table.start()
    assert table.wants().lock_for == table.table.entering.entries
    table.up("shoe")
    [answer] = table.lock().answered
    assert answer.refused == ""


def test_a_shuffle_does_not_wait() -> None:
    table = dealt("9C 7D 5H")
    assert table.enter("shuffle 2").entry is None
    assert table.wants().shuffle == 2
    assert table.wants().gate_cards == 1


# Keys typed meanwhile ----------------------------------------------------------------------------


def test_keys_typed_meanwhile_are_worked_off() -> None:
    table = dealt("9C 7D 5D 5H 6H", "1 main 10, 2 main 10")
    table.key("S")
    table.key("D")
    table.key("#")
    assert table.table.entering.pending is not None
    table.lock()
    assert table.table.entering.pending is not None  # the double waits in its turn
    table.lock()
    assert table.state == "play.double_card"


def test_keys_typed_after_an_entry_that_was_refused_are_forgotten() -> None:
    table = dealt("9C 7D 5D 5H 6H", "1 main 10, 2 main 10")
    table.key("S")
    table.key("S")  # for box 2, as he thought
    table.slip("2C")
    table.lock()
    assert table.table.entering.pending is None
    assert table.state == "play.decide"
    assert table.status()["turn"] == {"box": 1, "hand": 1}
    assert table.rows()[1] == "NO: CARD CAME FIRST"


def test_keys_typed_while_the_shoe_is_gone_are_not_kept() -> None:
    table = dealt("9C 7D 5D 5H 6H", "1 main 10, 2 main 10")
    table.key("S")
    table.key("S")
    table.down("shoe")
    assert table.rows()[1] == "NO: KEYS LOST, AGAIN"
    table.key("S")
    assert table.rows()[1] == "NO: WAIT FOR SHOE"
    table.up("shoe")
    table.lock()
    assert table.status()["turn"] == {"box": 2, "hand": 1}
    assert table.table.entering.pending is None


def test_no_more_keys_are_kept_than_anybody_types() -> None:
    table = dealt("9C 7D 5H")
    table.key("S")
    for _ in range(20):
        table.key("F")
    table.key("F")
    assert table.rows()[1] == "NO: WAIT FOR SHOE"
    table.lock()
    assert table.rows()[1] == "NO: NO BUTTON NOW"


def test_what_left_for_a_void_round_is_not_dealt_in_the_next() -> None:
    table = dealt("9C 7D 5H", rules=RWS)
    table.down("shoe")
    table.play("sue: void", "next", "open", "close")
    table.up("shoe")
    assert (table.status()["awaiting"], table.wants().gate_cards) == ("device", 0)
    number = table.wants().lock_for
    table.lock(entry=99)  # for an entry of before
    table.lock(last_event=table.numbers["shoe"] + 1)  # one is still on the line
    assert table.wants().lock_for == number
    table.slip("4C")
    held = table.status()["held"]
    assert held["remedies"] == ["use", "discard", "void"]
    assert "4C left the shoe for the round that is void" in held["reason"]
    table.order("discard")
    assert not table.hand()
    table.deal("2C")
    assert table.hand() == "2C"


def test_a_lock_of_before_the_shoe_was_lost_says_nothing_of_a_void_round() -> None:
    table = dealt("9C 7D 5H").play("sue: void")
    table.lock(last_event=table.numbers["shoe"] + 1)
    table.down("shoe")
    table.up("shoe")
    table.slip("4C")
    table.play("sue: discard", "next", "open", "close")
    assert table.wants().gate_cards == 0
    table.lock()
    assert table.wants().gate_cards == 3


def test_a_leftover_card_may_be_used() -> None:
    table = dealt("9C 7D 5H").play("sue: void", "next", "open", "close")
    table.slip("4C")
    table.order("use")
    assert table.hand() == "4C"
