"""Events that a device repeats because it was not told that they are stored."""

from __future__ import annotations

from pathlib import Path

from drivers.api import LinkDown
from tests.daemon.house import locked, open_house, turns


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
