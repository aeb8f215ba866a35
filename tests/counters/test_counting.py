"""Counting at a live table: nothing twice, nothing with the wrong sign, whatever is taken back."""

from __future__ import annotations

import json
from typing import Any

import pytest

from controller.counters.counting import Counters
from controller.counters.figures import (
    BY_KEY,
    KEYPAD,
    LONGEST_NAME,
    MOST_NAMES,
    OTHERS,
    Figures,
    Money,
)
from controller.counters.report import report
from controller.game.commands.values import Malformed
from controller.table.apply import apply
from controller.table.events.reading import read_event
from controller.table.outcome import Outcome
from controller.table.snapshot import BadSnapshot
from controller.table.state.table import Table
from hil_tests.benches.driven_table import TOGETHER
from tests.table.live.driver import Live, dealt, live


def counted(table: Live) -> Counters:
    """The counters of all that has happened, by a replay, written down and taken up again after
    every event."""
    replayed, straight, counters = Table(), Counters(), Counters()
    for line in table.events:
        event = read_event(**json.loads(line))
        outcome = apply(replayed, event)
        straight.count_event(event, outcome, replayed)
        counters.count_event(event, outcome, replayed)
        counters = Counters.load(json.loads(json.dumps(counters.dump())))
    assert counters.dump() == straight.dump()
    return counters


def lost() -> Live:
    """A round that box 1 has lost with 10 dollars."""
    table = dealt("KC 8D 5C 9D")
    assert table.state == "settled"
    return table


LOST = {"main": Money(1, 0, 1000, 0)}


def test_a_round_is_counted_once() -> None:
    table = lost()
    assert counted(table).total == counted(table).shift
    assert (counted(table).total.rounds, counted(table).total.money) == (1, LOST)
    table.say("next")
    assert (counted(table).total.rounds, counted(table).total.money) == (1, LOST)
    table.say("undo", "next", "open", "undo", "open")
    assert (counted(table).total.rounds, counted(table).total.money) == (1, LOST)
    table.say("wager 1 main 20", "close")
    assert (counted(table).total.rounds, counted(table).total.money) == (1, LOST)
    table.deal("KC 8D 5C 9D")
    total = counted(table).total
    assert (total.rounds, total.money["main"]) == (2, Money(2, 0, 3000, 0))


def test_a_round_that_is_gone_back_to_over_the_next_close_is_counted_once() -> None:
    table = lost()
    entries = ("next", "open", "wager 1 main 20", "close")
    table.say(*entries)
    kept = counted(table).kept
    assert (kept.number, kept.last.rounds) == (1, 1)
    table.say(*("undo" for _ in entries))
    assert table.state == "settled"
    assert (counted(table).total.rounds, counted(table).total.money) == (1, LOST)
    table.say(*entries)
    table.deal("KC 8D 5C 9D")
    total = counted(table).total
    assert (total.rounds, total.money["main"]) == (2, Money(2, 0, 3000, 0))


def test_a_void_round_gives_back_what_it_had_counted() -> None:
    table = dealt("KC KD 8D 5C 6C 9D", "1 main 10, 2 main 20")
    assert counted(table).total.money == {"main": Money(1, 0, 1000, 0)}
    assert counted(table).total.rounds == 0
    table.order("void")
    total = counted(table).total
    assert total.money == {"main": Money(returned=2, given_back=3000)}
    assert (total.rounds, total.void) == (0, 1)
    assert total.voids == {"Sue": 1}
    assert total.orders == {"void": {"Sue": 1}}


def test_a_void_is_his_who_ordered_it_whatever_is_taken_back_behind_it() -> None:
    table = dealt("KC KD 8D 5C 6C 9D", "1 main 10, 2 main 20")
    table.play("sue: void", "next", "undo", "next", "undo", "next", "open", "undo", "open")
    table.say("wager 3 main 10", "close", "undo", "undo", "undo", "undo")
    assert table.state == "void"
    total = counted(table).total
    assert (total.void, total.voids) == (1, {"Sue": 1})


def test_a_void_by_key_switch_has_no_name() -> None:
    table = dealt("KC 8D 5C")
    table.keys("V# 5#", supervisor=True)
    assert counted(table).total.voids == {BY_KEY: 1}


def test_a_correction_changes_what_was_counted() -> None:
    """A card was another: 18 against the dealer's 18 and not 19."""
    table = dealt("KC KD 8D 5C 6C 4D", "1 main 10, 2 main 20")
    assert counted(table).total.money == {}
    table.play("sue: correct 6 3D", "stand 1", "stand 2", "KH")
    total = counted(table).total
    assert total.money == {"main": Money(2, 0, 3000, 1000)}
    assert total.orders == {"correct": {"Sue": 1}}
    assert report(counted(table))["total"]["corrections"] == {"Sue": 1}


def test_a_correction_counts_once_however_it_is_given() -> None:
    """By a supervisor of two cards, by the dealer, by keys without and with the switch."""
    table = dealt("KC KD 8D 5C 6C 4D", "1 main 10, 2 main 20")
    table.order("lies 4 2", by="Sue")
    table.order("lies 5 1", by="Ann")
    assert counted(table).total.corrections == {}
    table.order("done", by="Ida")
    assert counted(table).total.corrections == {"Ann": 1}
    table.say("correct 6 3D", "undo", "correct 6 2D", "done")
    table.keys("X 7 # 6 # 3.2 # E")
    table.keys("X 7 # 6 # 4.2 #", supervisor=True)
    table.keys("1 # E", supervisor=True)
    assert counted(table).total.corrections == {"Ann": 1, "dora": 1, KEYPAD: 1, BY_KEY: 1}


def test_a_correction_behind_the_round_is_counted_once_more_and_no_other() -> None:
    table = dealt("KC 8D 5C 9D").play("sue: correct 3 6C", "sue: done", "next")
    table.order("correct 3 7C", by="Ann")
    assert counted(table).total.corrections == {"Sue": 1}
    table.order("done", by="Ann")
    table.say("next", "undo", "next")
    assert counted(table).total.corrections == {"Sue": 1, "Ann": 1}


def test_cards_and_misreads() -> None:
    table = live()
    table.slip("KC")
    table.slip("??")
    table.order("card 8D")
    total = counted(table).total
    assert (total.cards, total.unread) == (2, 1)
    table.device("shoe", "CARD", rank=0, suit=0, flags=4, card_uid=0, remaining=0xFFFF)
    table.device("shoe", "CARD", rank=14, suit=0, flags=TOGETHER, card_uid=0, remaining=0xFFFF)
    total = counted(table).total
    assert (total.cards, total.unread) == (4, 1)  # a foreign card is no misread one


def test_presses_and_draws() -> None:
    table = dealt("AC 8D KC", "1 main 10, 1 pandemonium 5")
    assert table.state == "jackpot.armed"
    table.press(offer=999)
    table.press()
    table.press()
    table.draw(25)
    table.shown(25)
    total = counted(table).total
    assert (total.presses, total.presses_ignored) == (1, 2)
    assert total.draws == {"100=4 25=96": {25: 1}}
    assert total.money["pandemonium"] == Money(1, 0, 500, 13_000)
    told: dict[str, Any] = report(counted(table))["total"]
    assert told["draws"] == [
        {
            "draws": 1,
            "multipliers": [
                {"multiplier": 100, "weight": 4, "drawn": 0},
                {"multiplier": 25, "weight": 96, "drawn": 1},
            ],
        }
    ]
    assert told["money"]["pandemonium"] == {
        "wagers": 1,
        "untold": 0,
        "wagered": "5.00",
        "paid": "130.00",
        "held": "-125.00",
        "returned": 0,
        "given_back": "0.00",
    }


def test_a_press_that_was_read_counts_once() -> None:
    table = dealt("AC 8D KC", "1 main 10, 1 pandemonium 5")
    table.apply("pressed", {"offer_id": table.offer}, device="jackpot")
    table.apply("pressed", {"offer_id": table.offer}, device="jackpot")
    total = counted(table).total
    assert (total.presses, total.presses_ignored) == (1, 0)


@pytest.mark.parametrize(
    ("kind", "body", "name"),
    [
        ("SHUFFLER_STATE", {"state": 4, "set": 2, "count": 0, "progress": 0}, "jams"),
        ("SHUFFLE_DONE", {"set": 2, "count": 384, "result": 0}, "shuffles"),
        ("SHUFFLE_DONE", {"set": 2, "count": 383, "result": 1}, "incomplete"),
    ],
)
def test_the_shuffler(kind: str, body: dict[str, Any], name: str) -> None:
    table = Live()
    table.device("shuffler", kind, **body)
    table.device("shuffler", "SHUFFLER_STATE", state=2, set=2, count=0, progress=0)
    assert getattr(counted(table).total, name) == 1


def test_refusals() -> None:
    table = live("1 main 10, 2 main 10").play("KC KD 8D 2C 3C")
    table.enter("stand 1")
    table.slip("4C")
    table.lock()
    table.apply("refused", {"command": "GATE", "code": 3}, device="shoe")
    total = counted(table).total
    assert (total.refused, total.refusals) == (1, 1)


def test_names_without_end_are_counted_together() -> None:
    table, counters = Table(), Counters()

    def order(command: str, by: str) -> None:
        body = {"command": command, "by": by, "why": "seen", "user": "sue"}
        counters.count_event(read_event("supervisor", body), Outcome(), table)

    names = [f"Ann {number}" for number in range(MOST_NAMES + 20)]
    for name in [*names, names[0], names[-1]]:
        order("resume", name)
        order("card 9D", name)
    for verb in ("resume", "card"):
        by = counters.total.orders[verb]
        assert len(by) == MOST_NAMES + 1
        assert (by[names[0]], by[names[MOST_NAMES - 1]], by[OTHERS]) == (2, 1, 21)
        assert sum(by.values()) == len(names) + 2
    assert counters.shift.orders == counters.total.orders
    order("shift", "Ida" * 100)
    assert counters.kept.by == ("Ida" * 100)[:LONGEST_NAME]
    order("resume", names[-1])  # a new shift has names of its own again
    assert counters.shift.orders == {"resume": {names[-1]: 1}}
    assert counters.total.orders["resume"][OTHERS] == 22


# ---- shifts ---------------------------------------------------------------------------------


def test_a_shift_begins_between_rounds() -> None:
    table = lost()
    table.refuses_order("shift", "clear the round first")
    table.say("next")
    with pytest.raises(Malformed, match="--by"):
        table.order("shift", by=None)
    table.order("shift", by="Ida", why=None)
    counters = counted(table)
    assert counters.total.money == LOST
    assert counters.shift == Figures()
    assert counters.total.orders == {"shift": {"Ida": 1}}
    table.say("open")
    table.refuses_order("shift", "clear the round first")
    table.play("wager 1 main 20", "close", "KC 8D 5C 9D")
    counters = counted(table)
    assert counters.shift.money == {"main": Money(1, 0, 2000, 0)}
    assert counters.total.money == {"main": Money(2, 0, 3000, 0)}
    told: dict[str, Any] = report(counters)["shift"]
    assert (told["number"], told["since"], told["by"], told["rounds"]) == (1, 2, "Ida", 1)


def test_a_shift_takes_the_way_back_into_the_round_before() -> None:
    table = lost()
    table.play("next", "sue: shift")
    table.refuses("undo", "nothing can be taken back")


def test_what_are_no_counters_is_told() -> None:
    with pytest.raises(BadSnapshot):
        Counters.load({"total": {"rounds": "many"}})
    with pytest.raises(BadSnapshot):
        Counters.load({"totals": {}})
