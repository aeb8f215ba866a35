"""The account of a shift: figures worked out by hand, at a live table."""

from __future__ import annotations

from controller.counters.figures import BY_KEY
from controller.counters.ledger import HeldTime, SpanAccount
from controller.counters.report import report_on, shift_of
from tests.counters.kept import Kept
from tests.table.live.driver import RWS, Live, dealt, live
from tests.table.live.entering.test_voiding import drawn

HOUR = 3600


def lose(table: Live, wager: str) -> None:
    """Box 1 draws to 24: king, 5, 9."""
    table.play("open", f"wager 1 main {wager}", "close", "KC 8D 5C 9D")
    assert table.state == "settled"


def test_two_shifts_worked_out_by_hand() -> None:
    """Two hours: box 1 loses 10. The shift changes. Half an hour: it wins 20 (20 against 18), and
    loses 30 after it."""
    table, kept = live(), Kept()
    kept.follow(table)
    kept.wait(2 * HOUR)
    table.play("KC 8D 5C 9D", "next")
    table.order("shift", by="Ida", why=None)
    kept.follow(table)
    assert kept.report(0) == {
        "shift": {
            "number": 0,
            "since": "2026-11-25T02:00:00.000+00:00",
            "until": "2026-11-25T04:00:00.000+00:00",
            "by": "",
        },
        "rounds": 1,
        "void": 0,
        "rounds_per_hour": 0.5,
        "money": {
            "main": {
                "wagers": 1,
                "untold": 0,
                "wagered": "10.00",
                "paid": "0.00",
                "held": "10.00",
                "returned": 0,
                "given_back": "0.00",
            }
        },
        "hold": 100.0,
        "draws": [],
        "voids": {},
        "corrections": {},
        "second_person": {},
        "holds": [],
        "cards": 4,
        "shoes": 1,
    }
    kept.wait(HOUR / 4)
    table.play("open", "wager 1 main 20", "close", "KC 8D KH", "stand 1", "KS")
    kept.follow(table)
    kept.wait(HOUR / 4)
    table.say("next")
    lose(table, "30")
    kept.follow(table)
    told = kept.report(1)
    assert told["shift"] == {
        "number": 1,
        "since": "2026-11-25T04:00:00.000+00:00",
        "until": None,
        "by": "Ida",
    }
    assert (told["rounds"], told["rounds_per_hour"], told["cards"], told["shoes"]) == (2, 4.0, 8, 0)
    assert told["money"]["main"]["wagered"] == "50.00"
    assert told["money"]["main"]["paid"] == "40.00"
    assert told["money"]["main"]["held"] == "10.00"
    assert told["hold"] == 20.0  # 10 of 50
    kept.check_sums()


def test_a_shift_that_was_just_begun_has_nothing() -> None:
    table, kept = live(), Kept()
    table.play("KC 8D 5C 9D", "next")
    table.order("shift", by="Ida", why=None)
    kept.follow(table)
    told = kept.report(1)
    assert (told["rounds"], told["money"], told["cards"]) == (0, {}, 0)
    assert told["rounds_per_hour"] is told["hold"] is None
    assert told["shift"]["until"] is None


def test_draws_are_held_against_the_weights_that_were_in_force() -> None:
    """One draw under 4 and 96 of 100: 0.04 and 0.96 to be expected. One more under 1 and 3 of 4:
    0.25 and 0.75 besides."""
    table, kept = dealt("AC 8D KC", "1 main 10, 1 pandemonium 5"), Kept()
    table.win(25)
    kept.follow(table)
    assert kept.report(0)["draws"] == [
        {"multiplier": 100, "drawn": 0, "expected": 0.04},
        {"multiplier": 25, "drawn": 1, "expected": 0.96},
    ]
    figures = kept.shift(0).figures
    figures.draws["100=1 25=3"] = {100: 1}
    account = SpanAccount(figures=figures)
    assert report_on(account, shift_of(0, account))["draws"] == [
        {"multiplier": 100, "drawn": 1, "expected": 0.29},
        {"multiplier": 25, "drawn": 1, "expected": 1.71},
    ]


def test_a_void_and_who_agreed_to_it() -> None:
    """A multiplier was drawn: Sue asks for the void, Sam agrees. The figures are all given back."""
    table, kept = (
        dealt("AC 9C 7D KC 8H", "1 main 10, 1 pandemonium 5, 2 main 10", rules=RWS),
        Kept(),
    )
    table.win(25)
    table.play("done", "sue: void")
    kept.follow(table)
    assert kept.report(0)["second_person"] == {}
    kept.wait(90)
    table.order("confirm void", by="Sam", user="sam")
    kept.follow(table)
    told = kept.report(0)
    assert (told["rounds"], told["void"]) == (0, 1)
    assert (told["voids"], told["second_person"]) == ({"Sam": 1}, {"Sam": 1})
    assert told["holds"] == [{"fault": "void-unconfirmed", "count": 1, "seconds": 90}]
    assert {money["wagers"] for money in told["money"].values()} == {0}
    assert told["hold"] is None


def test_a_void_that_was_cancelled_has_no_second_person() -> None:
    table, kept = drawn(), Kept()
    kept.follow(table)
    table.order("void")
    table.order("cancel void", by="Sam", user="sam")
    kept.follow(table)
    assert (kept.report(0)["second_person"], kept.report(0)["voids"]) == ({}, {})


def test_the_key_switch_agrees_without_a_name() -> None:
    table, kept = (
        dealt("AC 9C 7D KC 8H", "1 main 10, 1 pandemonium 5, 2 main 10", rules=RWS),
        Kept(),
    )
    table.win(25)
    table.play("done", "sue: void")
    kept.follow(table)
    table.keys("V# 1#", supervisor=True)
    kept.follow(table)
    assert table.state == "void"
    assert kept.report(0)["second_person"] == {BY_KEY: 1}


def test_holds_by_fault_with_their_time() -> None:
    """The generator has failed for 40 s when the shift changes: behind it the hold has its time and
    no count. For how long the controller was off no clock tells: 5 s before, 3 s after."""
    table, kept = Live(), Kept()
    kept.follow(table)
    table.apply("condition", {"fault": "generator-failed", "present": True, "detail": "stuck"})
    kept.follow(table)
    kept.wait(40)
    table.order("shift", by="Ida", why=None)
    kept.follow(table)
    fault = "generator-failed"
    assert kept.shift(0).holds == {fault: HeldTime(1, 40_000_000_000)}
    kept.wait(5)
    table.apply("stop", {})
    kept.follow(table)
    kept.at = kept.at.replace(hour=20)  # off for hours, by the wall clock
    kept.boot, kept.ran_s = 2, 7.0
    table.start("boot-2")
    kept.follow(table)
    kept.wait(3)
    table.apply("condition", {"fault": "generator-failed", "present": False, "detail": ""})
    kept.follow(table)
    assert kept.shift(1).holds[fault] == HeldTime(0, 8_000_000_000)
    assert kept.shift(1).ran_ns == 8_000_000_000


def test_a_shoe_counts_with_its_first_card() -> None:
    table, kept = Live(), Kept()
    for _ in range(3):  # told again and again, and never dealt from
        table.shoe((1, 384))
    kept.follow(table)
    assert kept.shift(0).shoes == 0
    table.play("open", "wager 1 main 10", "close", "KC 8D 5C 9D")
    kept.follow(table)
    assert kept.shift(0).shoes == 1
    table.say("next")
    table.shoe((0, 0), (1, 384))
    table.order("shift", by="Ida", why=None)
    lose(table, "10")
    kept.follow(table)
    assert (kept.shift(0).shoes, kept.shift(1).shoes) == (1, 1)
