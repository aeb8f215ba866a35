"""The meter: what it reports, what it does not, and a multiplier paid without it."""

from __future__ import annotations

import pytest

from controller.game.commands.values import Malformed
from controller.table.showing.wanted import MeterShow
from hil_tests.benches.driven_table import LOCKED
from tests.table.live.driver import ALL, Live, button, spinning


def _won(table: Live) -> list[str | None]:
    """What Pandemonium wagers have won so far."""
    made = [settled for outcome in table.outcomes for settled in outcome.settlements]
    return [settled["net"] for settled in made if settled["kind"] == "pandemonium"]


@pytest.mark.parametrize(("read", "words"), [(50, "reads 50x"), (0, "cannot be read")])
def test_a_meter_that_shows_something_else(read: int, words: str) -> None:
    table = spinning()
    table.shown(read)
    held = table.status()["held"]
    assert held["fault"] == "meter-differs"
    assert f"box 1 drew 25x, but the meter {words}" in held["reason"]
    assert held["remedies"] == ["resume", "seen 25", "pay 25", "void"]
    assert table.status()["meter"] is None
    assert table.wants().meter == MeterShow(1, 1, 25, 4000)  # it is told again
    table.shown(25)
    assert (table.state, table.status()["held"]) == ("jackpot.paying", None)


def test_a_card_that_is_corrected_while_the_multiplier_is_paid_leaves_it_paid() -> None:
    table = button()
    table.win(25)
    table.play("sue: correct 2 8D", "sue: done")
    assert (table.state, table.rows()[0]) == ("jackpot.paying", "BOX 1 PAY 125: E")
    assert _won(table) == ["125.00"]
    assert "125.00" in [one["net"] for one in table.status()["owed"]]
    table.say("done")
    assert table.status()["owed"] == []


def test_a_meter_that_says_nothing() -> None:
    table = spinning()
    table.apply("overdue", {"offer": 7})
    assert table.status()["held"] is None
    table.apply("overdue", {"offer": 1})
    assert table.status()["held"]["fault"] == "meter-silent"
    assert table.wants().meter_due is None
    table.order("resume")
    assert table.wants().meter_due == 1  # and is waited for once more
    table.apply("overdue", {"offer": 1})
    table.shown(25)
    table.apply("overdue", {"offer": 1})
    assert (table.state, table.status()["held"]) == ("jackpot.paying", None)


@pytest.mark.parametrize("fails", ["overdue", "cannot be read", "reads another"])
def test_a_meter_that_was_seen_to_show_it(fails: str) -> None:
    table = button()
    table.press()
    table.refuses_order("seen 25", "no multiplier that the meter was to report")
    table.draw(25)
    table.refuses_order("seen 25", "no multiplier that the meter was to report")
    if fails == "overdue":
        table.apply("overdue", {"offer": 1})
    else:
        table.shown(0 if fails == "cannot be read" else 50)
    assert table.status()["held"]["remedies"] == ["resume", "seen 25", "pay 25", "void"]
    table.refuses_order("seen 50", "drew 25x, not 50x")
    for by, why in ((None, "seen"), ("Sue", None), ("", "")):
        with pytest.raises(Malformed, match="seen needs who and why"):
            table.order("seen 25", by, why)
    outcome = table.order("seen 25", "Sue", "read off the meter")
    assert outcome.notes == ["supervisor: seen 25 by Sue: read off the meter"]
    [made] = outcome.settlements
    assert (made["kind"], made["net"]) == ("pandemonium", "125.00")
    assert (table.state, table.status()["held"]) == ("jackpot.paying", None)
    assert table.status()["meter"] is None  # the unit has reported nothing
    table.refuses_order("seen 25")
    table.say("done")


def test_a_report_that_comes_late_agrees_or_holds() -> None:
    table = spinning()
    table.apply("overdue", {"offer": 1})
    table.order("seen 25")
    table.shown(50, 9)
    assert (table.status()["held"], table.status()["meter"]) == (None, None)
    table.shown(25)
    assert table.status()["meter"] == {"offer": 1, "box": 1, "multiplier": 25}
    outcome = table.shown(50)
    assert outcome.notes == ["box 1 drew 25x, but the meter reads 50x"]  # as it always was
    _is_told_that_nothing_more_is_to_be_paid(table)
    table.play("sue: resume", "done")
    assert _won(table) == ["125.00"]


def _is_told_that_nothing_more_is_to_be_paid(table: Live) -> None:
    """What a supervisor is told to do he may do; what he may not do he is not told to."""
    held = table.status()["held"]
    assert held["fault"] == "meter-differs-later"
    assert "is settled: it is paid once, as the screen says, and nothing more" in held["next_step"]
    assert held["remedies"] == ["resume", "void"]
    for order in ("seen", "pay"):
        assert f"`{order} N`" not in held["next_step"]
        table.refuses_order(f"{order} 25")


@pytest.mark.parametrize("read", [0, 50])
def test_a_report_that_comes_after_the_payment_asks_for_no_second_one(read: int) -> None:
    table = spinning()
    table.apply("overdue", {"offer": 1})
    table.order("pay 25")
    table.shown(read)
    _is_told_that_nothing_more_is_to_be_paid(table)
    table.shown(25)  # told again, it shows it
    assert table.status()["held"] is None
    table.say("done")
    assert _won(table) == ["125.00"]


def test_a_journal_that_has_such_a_report_is_played_again_as_it_was() -> None:
    """Earlier versions held it as ``meter-differs``: with the same words, ended by a resume."""
    table = button()
    table.win(25)
    outcomes = [
        table.shown(50),
        table.order("resume"),
        table.shown(0),
        table.order("resume"),
    ]
    assert [(outcome.state, outcome.notes) for outcome in outcomes] == [
        ("held.jackpot.paying", ["box 1 drew 25x, but the meter reads 50x"]),
        ("jackpot.paying", ["supervisor: resume by Sue: seen"]),
        ("held.jackpot.paying", ["box 1 drew 25x, but the meter cannot be read"]),
        ("jackpot.paying", ["supervisor: resume by Sue: seen"]),
    ]


def test_a_report_for_another_offer_or_of_another_figure_pays_nothing() -> None:
    table = spinning()
    for number, multiplier in ((9, 25), (0, 25), (9, 50)):
        table.shown(multiplier, number)
        assert (table.state, table.status()["held"]) == ("jackpot.drawing", None)
    table.shown(50)
    assert table.state == "held.jackpot.drawing"
    assert _won(table) == []


def test_what_the_meter_shows_is_taken_from_a_look_at_it() -> None:
    table = spinning()
    assert table.wants().unreported == 1
    outcome = table.apply("shown", {"offer_id": 1, "multiplier": 25}, device="jackpot")
    assert outcome.notes == ["what the meter shows was read from the jackpot unit"]
    assert (table.state, table.status()["meter"]["multiplier"]) == ("jackpot.paying", 25)
    assert table.wants().unreported is None
    table.shown(25)  # its event follows after all
    assert _won(table) == ["125.00"]


def test_a_look_at_a_meter_that_does_not_report_does_not_replace_the_eye() -> None:
    table = spinning()
    table.apply("overdue", {"offer": 1})
    table.start("boot-1")  # the machine starts again, and finds the unit as it is
    table.up("jackpot")
    outcome = table.apply("shown", {"offer_id": 1, "multiplier": 25}, device="jackpot")
    assert outcome.notes == ["the jackpot unit reads back 25x: the supervisor confirms"]
    assert table.status()["held"]["remedies"] == ["resume", "seen 25", "pay 25", "void"]


def test_a_meter_that_refuses_is_paid_from_the_screen() -> None:
    table = spinning()
    table.apply("refused", {"command": "SHOW", "code": 5}, device="jackpot")
    assert table.status()["held"]["remedies"] == ["resume", "pay 25", "void"]
    table.refuses_order("seen 25", "no multiplier that the meter was to report")
    table.play("sue: pay 25", "sue: resume", "done")


def test_the_meters_hold_ends_with_the_meter_and_others_stay() -> None:
    table = spinning()
    table.apply("overdue", {"offer": 1})
    table.up("keypad", new_session=True)
    table.slip("2C", LOCKED)
    table.shown(25)
    assert [hold.fault for hold in table.table.holds.standing] == [
        "card-locked",
        "device-restarted",
    ]


def test_paid_from_the_controllers_own_screen() -> None:
    table = spinning()
    table.refuses_order("pay 25", "no drawn multiplier waits")
    table.down("jackpot", "unplugged")
    assert table.status()["prompt"] == (
        "Held until it is back: the jackpot unit is not connected: unplugged. "
        "The supervisor may: pay 25."
    )
    table.refuses_order("pay 50", "drew 25x, not 50x")
    for by, why in ((None, "seen"), ("Sue", None), ("", "")):
        with pytest.raises(Malformed, match="pay needs who and why"):
            table.order("pay 25", by, why)
    outcome = table.order("pay 25", "Sue", "screen seen")
    assert outcome.notes == ["supervisor: pay 25 by Sue: screen seen"]
    [made] = outcome.settlements
    assert (made["kind"], made["net"]) == ("pandemonium", "125.00")
    assert (table.state, table.status()["meter"]) == ("jackpot.paying", None)
    table.up("jackpot")
    table.shown(25)  # it is back, and shows it after all
    assert table.status()["meter"]["multiplier"] == 25
    table.say("done")


def test_paying_leaves_other_holds_alone() -> None:
    table = spinning()
    table.start("boot-2")
    assert table.status()["held"]["remedies"] == ["resume", "pay 25"]
    for name in ALL:
        table.up(name)
    assert table.status()["held"]["remedies"] == ["resume"]
    table.apply("overdue", {"offer": 1})
    table.order("pay 25")
    assert [hold.fault for hold in table.table.holds.standing] == ["power-failure"]


def test_a_figure_before_the_draw_is_ignored() -> None:
    table = button()
    table.shown(25, 1)
    told = table.status()
    assert (table.state, told["held"], told["meter"]) == ("jackpot.armed", None, None)
