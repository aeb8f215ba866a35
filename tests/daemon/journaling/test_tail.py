"""A journal that has lost its end: the devices know what they were told was stored."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.daemon.house import open_house

STEPS = ("open", "wager 1 main 10", "close")


@pytest.mark.parametrize("cards", [1, 3])
@pytest.mark.parametrize("mid_round", [False, True])
async def test_events_that_a_device_was_told_are_stored_hold_the_table(
    tmp_path: Path, cards: int, mid_round: bool
) -> None:
    async with open_house(tmp_path / "state") as house:
        await house.all_up()
        unit = house.links["jackpot"]
        unit.event("COVER", open=0)
        await house.quiet()
        if mid_round:
            await house.dealer(*STEPS)
        shutil.copytree(tmp_path / "state", tmp_path / "left")  # and then the end is lost
        for number in range(cards):
            unit.event("COVER", open=number % 2)
            await house.quiet()
    async with open_house(tmp_path / "left", known=house.links) as again:
        assert not again.differences
        unit = again.links["jackpot"]
        for name, link in again.links.items():
            if name != "jackpot":
                link.up()
        assert (await again.handler.status())["held"] is None
        # Its answer to HELLO: nothing is left to send, and its last event is beyond ours.
        unit.up(new_session=True)
        await again.quiet()
        held = (await again.handler.status())["held"]
        assert held is not None
        assert held["fault"] == "journal-cut"
        which = "event 2" if cards == 1 else f"events 2 to {1 + cards}"
        assert f"jackpot unit: {which} of its session" in held["reason"]
        # What it reports from now on is taken and acknowledged.
        number = unit.event("COVER", open=1)
        await again.quiet()
        assert again.acknowledged("jackpot")[-1] == number == 2 + cards
    assert again.verified()


async def test_a_session_that_the_journal_does_not_know_has_lost_nothing(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        house.links["shoe"].session = 5
        house.links["shoe"].last_event = 40
        house.links["shoe"].up(new_session=True)
        await house.quiet()
        assert (await house.handler.status())["held"] is None
