"""The daemon and a second meter that only shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from drivers.api import LinkDown
from tests.daemon.draws.generated import offered, press
from tests.daemon.house import SETTINGS, House, open_house

NAME = "left-meter"
ONLY = {"SHOW", "BLANK"}


def told(house: House) -> list[str]:
    """The names of the display's commands."""
    return [name for name, _ in house.commands(NAME)]


async def test_it_shows_what_the_unit_shows_and_is_sent_nothing_else(tmp_path: Path) -> None:
    async with open_house(tmp_path, displays=(NAME,)) as house:
        await house.all_up()
        offer = await offered(house)
        assert told(house) == ["BLANK"]
        await press(house, offer)
        [draw] = house.entries("draw")
        figure = {"multiplier": draw["multiplier"], "spin_ms": SETTINGS.spin_ms}
        show = ("SHOW", {"offer_id": offer, **figure})
        assert house.commands(NAME)[-1] == house.commands("jackpot")[-1] == show
        house.links["jackpot"].event("SHOWN", offer_id=offer, multiplier=draw["multiplier"])
        await house.quiet()
        await house.dealer("done")
        assert told(house) == ["BLANK", "SHOW", "BLANK"]
    assert house.verified()


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
