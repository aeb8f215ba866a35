"""A time zone that is not known is told at a start and while the table runs, and ends by itself."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.daemon.health.clock import BOOTS, newest_written
from controller.journal.model import Draft
from controller.local_time import LocalZone
from tests.daemon.journaling.aged import NOW, awake, outside
from tests.daemon.process import Place
from tests.daemon.sealed import play
from tests.journal.helpers import opened


def written(state: Path, boot_id: str, *times: datetime, kind: str = "note") -> None:
    with opened(state, boot_id=boot_id) as journal:
        for time in times:
            journal.append([Draft(kind, {})], 1, time.isoformat())


def newest(state: Path) -> datetime | None:
    with opened(state, boot_id="now") as journal:
        return newest_written(journal)


def test_an_empty_journal_knows_none(tmp_path: Path) -> None:
    assert newest(tmp_path / "state") is None


def test_the_last_entry_of_an_earlier_boot_is_newer_than_what_a_wrong_clock_wrote(
    tmp_path: Path,
) -> None:
    state = tmp_path / "state"
    written(state, "boot-1", NOW - timedelta(days=60), NOW)
    wrong = datetime(1970, 1, 1, tzinfo=UTC)
    for boot in range(2, BOOTS + 1):
        written(state, f"boot-{boot}", wrong, wrong)
    assert newest(state) == NOW


def test_a_snapshot_is_where_the_clock_went_wrong_within_a_boot(tmp_path: Path) -> None:
    state = tmp_path / "state"
    written(state, "boot-1", NOW - timedelta(days=60))
    written(state, "boot-1", NOW, kind="snapshot")
    written(state, "boot-1", NOW - timedelta(days=30), NOW - timedelta(days=29))
    assert newest(state) == NOW


@pytest.mark.parametrize("boot_id", ["boot-1", "boot-2"])
def test_a_wrong_clock_is_told_at_the_second_start_too(
    tmp_path: Path, mocker: MockerFixture, boot_id: str
) -> None:
    """Found in review: the first start's own entry silenced it."""
    place, wrong = Place(tmp_path), NOW - timedelta(days=300)
    clock = mocker.patch("controller.daemon.committer.datetime")
    clock.now.return_value = NOW
    play(place, outside=outside(NOW))
    clock.now.return_value = wrong
    for _ in range(3):
        told = play(place, outside=outside(wrong, boot_id))
        assert "the journal has an entry of 2027-03-01" in told["conditions"]["clock-unset"]


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
