"""The stewards of the keypad, the shuffler and a meter that only shows, and that meter at the
daemon; events that a device repeats because it was not told that they are stored."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from controller.daemon.devices.stewards import (
    DeviceCommand,
    DisplaySteward,
    KeypadSteward,
    ShufflerSteward,
    Steward,
)
from controller.table.events.of_devices import FigureShown
from controller.table.showing.wanted import Arm, MeterShow, Wants
from drivers.api import Answer, Identity, LinkDown, LinkUp
from tests.daemon.draws.generated import offered, press
from tests.daemon.house import House, locked, open_house, turns


async def test_a_repeated_event_is_acknowledged_though_its_link_broke_before_it_was_known(
    tmp_path: Path,
) -> None:
    """Found in review: the event had been taken by the link, so the device's repetitions of it were
    ignored there, and the acknowledgement that waited for the link's commit went with the link."""
    async with open_house(tmp_path) as house:
        await house.all_up()
        shoe = house.links["shoe"]
        number = shoe.event("CUTTING_CARD", remaining=60)
        await house.quiet()
        told = house.acknowledged("shoe").count(number)
        with locked(tmp_path):
            shoe.up(taken=number - 1)
            shoe.repeat(number, "CUTTING_CARD", remaining=60)
            shoe.answer(lost=True)
            shoe.listener.link_down(LinkDown("shoe", "torn out"))
            shoe.up(taken=number)
            await turns()
            assert house.acknowledged("shoe").count(number) == told
        await house.quiet()
        assert house.acknowledged("shoe").count(number) > told
        assert len(house.entries("CUTTING_CARD")) == 1


NAME = "left-meter"
ONLY = {"SHOW", "BLANK"}


def told(house: House) -> list[str]:
    """The names of the display's commands."""
    return [name for name, _ in house.commands(NAME)]


@pytest.mark.parametrize("fate", ["down", "refuses", "wrong", "replaced"])
async def test_whatever_becomes_of_it_play_goes_on(fate: str, tmp_path: Path) -> None:
    async with open_house(tmp_path, displays=(NAME,)) as house:
        await house.all_up()
        offer, display = await offered(house), house.links[NAME]
        if fate == "refuses":
            house.prompt.discard(NAME)
        await press(house, offer)
        multiplier = int(house.entries("draw")[0]["multiplier"])
        match fate:
            case "down":
                house.fleet.link_down(LinkDown(NAME, "it was unplugged"))
            case "refuses":
                display.answer(nak=5)
            case "wrong":
                display.event("SHOWN", offer_id=offer, multiplier=multiplier + 1)
            case "replaced":
                display.session, display.last_event = 99, 0
                display.up(new_session=True)
        await house.quiet()
        house.links["jackpot"].event("SHOWN", offer_id=offer, multiplier=multiplier)
        await house.quiet()
        status = await house.handler.status()
        assert (status["held"], status["state"]) == (None, "jackpot.paying")
        seen = status["devices"][NAME]
        assert seen["kind"] == "display"
        assert seen["link"] == ("down" if fate == "down" else "up")
        wrong = f"{multiplier}x was drawn, it reads {multiplier + 1}x"
        assert seen["faults"] == (wrong if fate == "wrong" else "")
        assert (wrong in status["prompt"]) == (fate == "wrong")
        assert bool(seen["refused"]) == (fate == "refuses")
        assert ONLY.issuperset(told(house))


async def test_a_start_knows_it_by_its_kind(tmp_path: Path) -> None:
    async with open_house(tmp_path, displays=(NAME,)) as house:
        await house.all_up()
        [start] = house.entries("start")
        assert start["settings"]["kinds"] == {NAME: "display"}
    async with open_house(tmp_path, "boot-2", house.links, displays=(NAME,)) as again:
        await again.all_up()
        assert again.differences == []
        status = await again.handler.status()
        assert status["devices"][NAME]["kind"] == "display"


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
