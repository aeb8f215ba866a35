"""The stewards of the keypad and the shuffler."""

from __future__ import annotations

from dataclasses import replace

from controller.daemon.devices.stewards import (
    DeviceCommand,
    DisplaySteward,
    KeypadSteward,
    ShufflerSteward,
    Steward,
)
from controller.table.events.of_devices import FigureShown
from controller.table.showing.wanted import Arm, MeterShow, Wants
from drivers.api import Answer, Identity, LinkUp


def up(kind: str) -> LinkUp:
    return LinkUp(kind, Identity(kind, "1", (1, 0, 0), "00", 0), 1, False, 0, 0)


def sent(steward: Steward, wants: Wants, *, nak: int | None = None) -> list[DeviceCommand]:
    """Everything it sends until it is content."""
    commands: list[DeviceCommand] = []
    while (command := steward.next_command(wants)) is not None:
        assert len(commands) < 10
        commands.append(command)
        steward.answered(command, Answer(command.name, None if nak else {}, nak))
    return commands


def test_the_keypad_is_told_what_differs_and_all_after_a_new_link() -> None:
    steward = KeypadSteward()
    wants = Wants(rows=("OPEN BETS (O)", ""), lamps=3)
    assert sent(steward, wants) == []
    steward.link_up(up("keypad"))
    rows = [
        DeviceCommand("TEXT", {"row": 0, "text": "OPEN BETS (O)"}),
        DeviceCommand("TEXT", {"row": 1, "text": ""}),
    ]
    assert sent(steward, wants) == [*rows, DeviceCommand("LAMPS", {"lit": 3})]
    assert sent(steward, replace(wants, lamps=5)) == [DeviceCommand("LAMPS", {"lit": 5})]
    steward.link_down()
    assert sent(steward, wants) == []
    steward.link_up(up("keypad"))
    assert len(sent(steward, wants)) == 3


def test_what_the_keypad_refuses_is_not_sent_again_until_it_changes() -> None:
    steward = KeypadSteward()
    steward.link_up(up("keypad"))
    assert len(sent(steward, Wants(lamps=1), nak=5)) == 3
    assert sent(steward, Wants(lamps=2), nak=5) == [DeviceCommand("LAMPS", {"lit": 2})]


def test_a_shuffle_is_started_once_and_again_after_a_new_link() -> None:
    steward = ShufflerSteward()
    wants = Wants(shuffle=2)
    assert sent(steward, wants) == []
    steward.link_up(up("shuffler"))
    assert sent(steward, wants) == [DeviceCommand("START", {"set": 2})]
    steward.link_up(up("shuffler"))
    assert sent(steward, wants) == [DeviceCommand("START", {"set": 2})]
    assert sent(steward, Wants()) == []
    assert sent(steward, wants, nak=3) == [DeviceCommand("START", {"set": 2})]
    assert sent(steward, wants) == []


def test_a_shuffle_is_not_begun_before_the_shufflers_events_are_taken() -> None:
    steward = ShufflerSteward()
    back = LinkUp("shuffler", up("shuffler").identity, 1, False, 7, 5)
    wants = Wants(shuffle=2, shuffler_taken=5)
    steward.link_up(back)
    assert sent(steward, wants) == []
    assert sent(steward, Wants(shuffler_taken=7)) == []  # it was begun before the link was lost
    steward.link_up(back)
    assert sent(steward, replace(wants, shuffler_taken=7)) == [DeviceCommand("START", {"set": 2})]


FIGURE = Wants(figure=MeterShow(7, 1, 25, 20))
SHOW = DeviceCommand("SHOW", {"offer_id": 7, "multiplier": 25, "spin_ms": 20})
BLANK = DeviceCommand("BLANK")


def test_a_display_shows_what_was_drawn_and_is_dark_otherwise() -> None:
    steward = DisplaySteward()
    assert sent(steward, FIGURE) == []
    steward.link_up(up("display"))
    assert sent(steward, Wants(meter=Arm(7, 1), offered=7)) == [BLANK]
    assert sent(steward, FIGURE) == [SHOW]
    steward.link_up(up("display"))
    assert sent(steward, FIGURE) == [SHOW]
    assert sent(steward, Wants()) == [BLANK]
    steward.link_down()
    assert sent(steward, FIGURE) == []


def test_a_display_that_shows_another_figure_is_blanked_first_and_once() -> None:
    steward = DisplaySteward()
    steward.link_up(up("display"))
    assert steward.next_command(FIGURE) == SHOW
    steward.answered(SHOW, Answer("SHOW", nak=3))
    assert sent(steward, FIGURE) == [BLANK, SHOW]
    steward.link_up(up("display"))
    assert sent(steward, FIGURE, nak=3) == [SHOW, BLANK]
    assert sent(steward, replace(FIGURE, resumed=1)) == [SHOW]


def test_a_display_that_spins_when_the_round_is_void_is_blanked_once_it_shows() -> None:
    steward = DisplaySteward()
    steward.link_up(up("display"))
    assert sent(steward, FIGURE) == [SHOW]
    assert sent(steward, Wants(), nak=4) == [BLANK, BLANK]
    shown = FigureShown(device="left-meter", session=1, event_no=1, offer_id=7, multiplier=25)
    steward.has_reported(shown)
    assert sent(steward, Wants()) == [BLANK]
