"""A time zone that is not known is told at a start and while the table runs, and ends by itself."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

from controller.local_time import LocalZone
from tests.daemon.journaling.aged import NOW, awake, outside
from tests.daemon.process import Place
from tests.daemon.sealed import play

UNKNOWN = LocalZone(trouble="/etc/localtime names 'Mars', which is not to be found")


def test_it_is_told_at_a_start_and_holds_nothing(tmp_path: Path) -> None:
    place, world = Place(tmp_path), outside(NOW)
    told = play(place, "open", outside=replace(world, zone=lambda: UNKNOWN))
    assert told["conditions"]["zone-unknown"] == UNKNOWN.trouble
    assert told["held"] is None
    told = play(place, outside=replace(world, zone=LocalZone))
    assert "zone-unknown" not in told["conditions"]


def test_it_ends_when_the_zones_are_installed(tmp_path: Path) -> None:
    zones = [UNKNOWN]

    async def live() -> None:
        async with awake(Place(tmp_path), replace(outside(NOW), zone=lambda: zones[-1])) as runtime:
            assert "zone-unknown" in (await runtime.handler.status())["conditions"]
            zones.append(LocalZone("Asia/Singapore"))
            runtime._watches._report_findings()
            await runtime.owner.settled()
            assert "zone-unknown" not in (await runtime.handler.status())["conditions"]

    asyncio.run(live())
