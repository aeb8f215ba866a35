"""The jackpot unit's steward: what is sent, by what the unit does and what the table wants."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.daemon.devices.jackpot_steward import JackpotSteward
from controller.daemon.devices.stewards import DeviceCommand
from controller.table.showing.wanted import Arm, MeterShow, Wants
from drivers.api import Answer, Identity, LinkUp

UNIT = Identity("jackpot", "J1", (1, 0, 0), "00", 0)
METER = DeviceCommand("METER")
DARK = Wants()
ARMED = Wants(meter=Arm(7, 3))
SHOWN = Wants(meter=MeterShow(7, 3, 25, 4000))
ARM = DeviceCommand("ARM", {"offer_id": 7, "box": 3})
SHOW = DeviceCommand("SHOW", {"offer_id": 7, "multiplier": 25, "spin_ms": 4000})
IDLE, ARMED_STATE, SPINNING, SHOWING = range(4)


def up(last_event: int = 0) -> LinkUp:
    return LinkUp("jackpot", UNIT, 9, False, last_event, 0)


def reading(state: int, offer: int = 0, multiplier: int = 0, pressed: int = 0) -> Answer:
    fields = {"state": state, "offer_id": offer, "box": 3, "multiplier": multiplier}
    return Answer("METER", {**fields, "pressed": pressed})


def looked(answer: Answer) -> JackpotSteward:
    """A steward that has just read the unit."""
    steward = JackpotSteward()
    steward.link_up(up())
    assert steward.next_command(DARK) == METER
    steward.answered(METER, answer)
    return steward


def test_the_unit_is_read_first_and_only_when_its_events_are_taken() -> None:
    steward = JackpotSteward()
    assert steward.next_command(ARMED) is None
    steward.link_up(up(last_event=4))
    assert steward.next_command(replace(ARMED, unit_taken=3)) is None
    assert steward.next_command(replace(ARMED, unit_taken=4)) == METER
    steward.link_down()
    assert steward.next_command(replace(ARMED, unit_taken=4)) is None


@pytest.mark.parametrize(
    ("read", "wants", "expected"),
    [
        (reading(IDLE), ARMED, ARM),
        (reading(IDLE, 6), ARMED, ARM),
        (reading(ARMED_STATE, 6), ARMED, ARM),
        (reading(ARMED_STATE, 7), ARMED, None),
        (reading(IDLE, 7, pressed=1), ARMED, None),  # its press is on the way
        (reading(IDLE, 7, pressed=1), replace(DARK, draw=(7, 3)), None),
        (reading(SHOWING, 6, 10), replace(DARK, draw=(7, 3)), None),
        (reading(IDLE, 7, pressed=1), SHOWN, SHOW),
        (reading(IDLE), SHOWN, SHOW),
        (reading(ARMED_STATE, 7), SHOWN, SHOW),
        (reading(SPINNING, 7), SHOWN, None),
        (reading(SHOWING, 7, 25, 1), SHOWN, None),
        (reading(SHOWING, 7, 10, 1), SHOWN, DeviceCommand("BLANK")),  # else it would change nothing
        (reading(SHOWING, 7, 0, 1), SHOWN, DeviceCommand("BLANK")),
        (reading(SHOWING, 6, 25, 1), SHOWN, SHOW),
        (reading(ARMED_STATE, 7), DARK, DeviceCommand("DISARM", {"offer_id": 7})),
        (reading(SHOWING, 7, 25), DARK, DeviceCommand("BLANK")),
        (reading(SPINNING, 7), DARK, None),
        (reading(IDLE), DARK, None),
    ],
)
def test_what_is_sent(read: Answer, wants: Wants, expected: DeviceCommand | None) -> None:
    assert looked(read).next_command(wants) == expected


def test_what_the_unit_refuses_twice_is_not_sent_again_until_something_else_is_wanted() -> None:
    steward = looked(reading(IDLE))
    for _ in range(2):
        assert steward.next_command(SHOWN) == SHOW
        steward.answered(SHOW, Answer("SHOW", nak=3))
        assert steward.next_command(SHOWN) == METER  # looked at before anything else
        steward.answered(METER, reading(IDLE))
    for _ in range(3):
        assert steward.next_command(SHOWN) is None
    assert steward.next_command(ARMED) == ARM


def test_a_meter_that_cannot_be_read_is_not_asked_for_ever() -> None:
    steward = JackpotSteward()
    steward.link_up(up())
    asked = 0
    while asked < 10 and steward.next_command(DARK) is not None:
        steward.answered(METER, Answer("METER", nak=5))
        asked += 1
    assert asked == 2
    steward.look_again()
    assert steward.next_command(DARK) == METER


def test_a_press_before_the_answer_to_arm_is_not_forgotten() -> None:
    steward = looked(reading(IDLE))
    assert steward.next_command(ARMED) == ARM
    steward.reported("PRESS", 7)
    steward.answered(ARM, Answer("ARM", {}))  # its first frame was lost
    assert steward.next_command(ARMED) is None


def test_shown_before_the_answer_to_show_is_not_forgotten() -> None:
    steward = looked(reading(IDLE, 7, pressed=1))
    assert steward.next_command(SHOWN) == SHOW
    steward.reported("SHOWN", 7, 25)
    steward.answered(SHOW, Answer("SHOW", {}))
    assert steward.next_command(SHOWN) is None
    assert steward.next_command(DARK) == DeviceCommand("BLANK")


def test_another_look_is_had_before_a_silent_meter_is_told_again() -> None:
    steward = looked(reading(IDLE, 7, pressed=1))
    steward.next_command(SHOWN)
    steward.answered(SHOW, Answer("SHOW", {}))
    assert steward.next_command(SHOWN) is None
    steward.look_again()
    assert steward.next_command(SHOWN) == METER
    steward.answered(METER, reading(IDLE))
    assert steward.next_command(SHOWN) == SHOW


def test_an_event_before_the_first_look_does_not_replace_it() -> None:
    steward = JackpotSteward()
    steward.link_up(up())
    steward.reported("PRESS", 7)
    assert steward.next_command(SHOWN) == METER


def test_a_press_that_only_the_unit_knows_of_is_told_once() -> None:
    steward = JackpotSteward()
    steward.link_up(up())
    waits = replace(DARK, offered=7)  # held: the button is not offered, but a press counts
    assert steward.next_command(waits) == METER
    steward.answered(METER, reading(IDLE, 7, pressed=1))
    assert steward.press_read == 7
    other = JackpotSteward()
    other.link_up(up())
    other.next_command(waits)
    other.answered(METER, reading(IDLE, 6, pressed=1))
    assert other.press_read is None


def test_what_the_unit_refused_is_tried_again_after_a_resume() -> None:
    steward = looked(reading(IDLE))
    for _ in range(2):
        assert steward.next_command(ARMED) == ARM
        steward.answered(ARM, Answer("ARM", nak=5))
        assert steward.next_command(ARMED) == METER
        steward.answered(METER, reading(IDLE))
    assert steward.next_command(ARMED) is None
    assert steward.next_command(replace(ARMED, resumed=1)) == METER
    steward.answered(METER, reading(IDLE))
    assert steward.next_command(replace(ARMED, resumed=1)) == ARM


def test_a_meter_that_shows_another_figure_is_told_anew_once() -> None:
    steward = looked(reading(IDLE, 7, pressed=1))
    for resumed in range(3):
        wants = replace(SHOWN, resumed=resumed, unreported=7)
        if resumed:
            assert steward.next_command(wants) == METER
            steward.answered(METER, reading(SHOWING, 7, 10, 1))
            assert steward.next_command(wants) == DeviceCommand("BLANK")
            steward.answered(DeviceCommand("BLANK"), Answer("BLANK", {}))
        assert steward.next_command(wants) == SHOW
        steward.answered(SHOW, Answer("SHOW", {}))
        assert steward.next_command(wants) is None
        steward.reported("SHOWN", 7, 10)
        assert steward.next_command(wants) is None
        steward.look_again()
        assert steward.next_command(wants) == METER
        steward.answered(METER, reading(SHOWING, 7, 10, 1))
        assert steward.next_command(wants) is None


def test_a_settled_figure_that_it_showed_otherwise_is_made_dark_and_not_shown_again() -> None:
    steward = looked(reading(IDLE, 7, pressed=1))
    assert steward.next_command(SHOWN) == SHOW  # it is paid, and the unit is back
    steward.answered(SHOW, Answer("SHOW", {}))
    steward.reported("SHOWN", 7, 10)
    assert steward.next_command(SHOWN) is None  # the supervisor looks at it
    after = replace(SHOWN, resumed=1)
    assert steward.next_command(after) == METER
    steward.answered(METER, reading(SHOWING, 7, 10, 1))
    assert steward.next_command(after) == DeviceCommand("BLANK")
    steward.answered(DeviceCommand("BLANK"), Answer("BLANK", {}))
    assert steward.next_command(after) is None
    steward.link_up(up())
    assert steward.next_command(after) == METER
    steward.answered(METER, reading(IDLE))
    assert steward.next_command(after) is None
    other = replace(after, meter=MeterShow(8, 3, 25, 4000))
    assert steward.next_command(other) == DeviceCommand("SHOW", {**SHOW.fields, "offer_id": 8})


def test_what_one_unit_showed_otherwise_is_shown_by_another_or_once_it_was_right() -> None:
    for serial, later in (("J2", 10), ("J1", 25)):
        steward = looked(reading(SHOWING, 7, 25, 1))
        steward.next_command(SHOWN)
        steward.reported("SHOWN", 7, 10)
        steward.reported("SHOWN", 7, later)
        steward.link_up(replace(up(), identity=replace(UNIT, serial=serial)))
        assert steward.next_command(SHOWN) == METER
        steward.answered(METER, reading(IDLE))
        assert steward.next_command(SHOWN) == SHOW


@pytest.mark.parametrize(
    ("wants", "report"),
    [
        (ARMED, ("SHOWN", 7, 25)),  # nothing was drawn
        (ARMED, ("PRESS", 6)),
        (SHOWN, ("SHOWN", 6, 25)),
        (SHOWN, ("PRESS", 7)),
        (DARK, ("SHOWN", 7, 25)),
    ],
)
def test_after_a_report_that_nobody_waits_for_the_unit_is_looked_at(
    wants: Wants, report: tuple[str, int]
) -> None:
    steward = looked(reading(IDLE, 7))
    steward.next_command(wants)
    steward.reported(*report)
    assert steward.next_command(wants) == METER


@pytest.mark.parametrize(
    ("read", "unreported", "told"),
    [
        (reading(SHOWING, 7, 25, 1), 7, (7, 25)),
        (reading(SHOWING, 7, 25, 1), None, None),  # the table has heard of it
        (reading(SHOWING, 7, 10, 1), 7, None),
        (reading(SHOWING, 6, 25, 1), 7, None),
        (reading(SPINNING, 7, 0, 1), 7, None),
        (reading(IDLE, 7, 25, 1), 7, None),
    ],
)
def test_what_only_a_look_finds_shown_is_told(
    read: Answer, unreported: int | None, told: tuple[int, int] | None
) -> None:
    steward = JackpotSteward()
    steward.link_up(up())
    assert steward.next_command(replace(SHOWN, unreported=unreported)) == METER
    steward.answered(METER, read)
    assert steward.shown_read == told


def test_play_waits_for_a_unit_that_refuses_until_its_figure_is_settled() -> None:
    waited = replace(SHOWN, unreported=7)
    steward = looked(reading(IDLE))
    for refusals in range(2):
        assert steward.next_command(waited) == SHOW
        steward.answered(SHOW, Answer("SHOW", nak=3))
        assert steward.given_up(SHOW) == (refusals == 1)
        steward.next_command(waited)
        steward.answered(METER, reading(IDLE))
    assert steward.is_needed()
    steward.next_command(SHOWN)  # it was paid from the screen
    assert not steward.is_needed()
    steward.next_command(ARMED)
    assert steward.is_needed()
    steward.next_command(DARK)
    assert not steward.is_needed()
