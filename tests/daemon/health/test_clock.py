"""The watch over the clock: jumps, a time that has passed, one far ahead, and who accepts it; a
time zone that is not known."""

from __future__ import annotations

import asyncio
import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from pytest_mock import MockerFixture

from controller.control.handler import RequestRefused
from controller.control.protocol import Request
from controller.daemon.health import clock
from controller.daemon.health.clock import BOOTS, EARLIEST, ClockWatch, newest_written
from controller.game.commands.values import Malformed
from controller.game.round.refusal import Refused
from controller.journal.model import Draft, read_written
from controller.journal.reader import JournalReader
from controller.local_time import LocalZone
from tests.daemon.house import DEALER
from tests.daemon.journaling.aged import NOW, awake, outside
from tests.daemon.process import Place
from tests.daemon.sealed import play
from tests.journal.helpers import opened
from tests.table.live.driver import Live


def written(state: Path, boot_id: str, *times: datetime, kind: str = "note") -> None:
    with opened(state, boot_id=boot_id) as journal:
        for time in times:
            journal.append([Draft(kind, {})], 1, time.isoformat())


def newest(state: Path) -> datetime | None:
    with opened(state, boot_id="now") as journal:
        return newest_written(journal)


def test_the_last_entry_of_an_earlier_boot_is_newer_than_what_a_wrong_clock_wrote(
    tmp_path: Path,
) -> None:
    state = tmp_path / "state"
    assert newest(state) is None
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


async def test_it_ends_when_the_zones_are_installed(tmp_path: Path) -> None:
    zones = [UNKNOWN]
    async with awake(Place(tmp_path), replace(outside(NOW), zone=lambda: zones[-1])) as runtime:
        assert "zone-unknown" in (await runtime.handler.status())["conditions"]
        zones.append(LocalZone("Asia/Singapore"))
        runtime._watches._report_findings()
        await runtime.owner.settled()
        assert "zone-unknown" not in (await runtime.handler.status())["conditions"]


NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


class Clock:
    """Both clocks of a machine, moved by the test."""

    def __init__(
        self, wall: datetime = NOON, last: datetime | None = None, *, kept: bool | None = False
    ) -> None:
        self.wall, self.mono_ns, self.kept, self.last = wall, 0, kept, last
        self.watch = self.started()

    def started(self, ahead: str = "") -> ClockWatch:
        """The watch of a start now."""
        return ClockWatch(
            lambda: self.wall, lambda: self.mono_ns, self.last, lambda: self.kept, ahead
        )

    def goes(self, wall_s: float, mono_s: float | None = None) -> dict[str, str]:
        """Time passes; what is found then."""
        self.wall += timedelta(seconds=wall_s)
        self.mono_ns += round(1e9 * (wall_s if mono_s is None else mono_s))
        return {found.fault: found.detail for found in self.watch.findings() if found.present}


def test_a_clock_that_runs_is_no_news() -> None:
    clock = Clock()
    assert [clock.goes(10, 10.001) for _ in range(100)] == [{}] * 100


def test_a_jump_is_told_once_with_its_size() -> None:
    clock = Clock()
    told = clock.goes(-3590, 10)["clock-stepped"]
    assert told == "back by 1:00:00, to 2026-11-21 11:00:10 (UTC)"
    assert clock.goes(17, 10)["clock-stepped"].startswith("forward by 7.0 s, to ")
    assert clock.goes(10) == {}


def test_a_clock_behind_the_journal_is_said_until_it_is_right() -> None:
    clock = Clock(NOON - timedelta(days=3), last=NOON)
    assert "the journal has an entry of 2026-11-21 12:00:00" in clock.goes(0)["clock-unset"]
    found = clock.goes(3 * 86400, 10)
    assert set(found) == {"clock-stepped"}


def test_a_clock_that_was_never_set_is_said() -> None:
    clock = Clock(datetime(1970, 1, 1, tzinfo=UTC))
    assert clock.goes(10) == {
        "clock-unset": "it shows 1970-01-01 00:00:10 (UTC), before this program was made"
    }


def test_the_time_of_an_entry_may_be_anything() -> None:
    assert read_written("2026-11-21T12:00:00.000+00:00") == NOON
    assert read_written("2026-11-21T12:00:00") is None
    assert read_written("yesterday") is None


@pytest.mark.parametrize(
    ("kept", "jump_s", "told"),
    [
        (False, 299, False),
        (False, 3600, True),
        (None, 3 * 86400, False),  # a machine without a clock chip is set after each start
        (None, 8 * 86400, True),
        (True, 8 * 86400, False),
    ],
)
def test_a_jump_ahead_is_told_where_nothing_keeps_the_clock_right(
    kept: bool | None, jump_s: float, *, told: bool
) -> None:
    clock = Clock(kept=kept)
    found = clock.goes(jump_s, 10)
    assert ("clock-ahead" in found) is told, found
    assert ("clock-ahead" in clock.goes(10)) is told, "until something ends it"


def test_a_start_far_behind_the_last_entry_is_told_and_at_the_next_start_too() -> None:
    clock = Clock(NOON + timedelta(days=300), last=NOON)
    detail = clock.goes(10)["clock-ahead"]
    assert detail == (
        "2027-09-17 12:00:00 (UTC), 300 days after the last entry; nothing keeps it right"
    )
    clock.last = clock.wall  # by now the journal has an entry of that time
    clock.watch = clock.started(detail)
    assert clock.goes(10)["clock-ahead"] == detail


def test_what_ends_a_jump_ahead() -> None:
    clock = Clock()
    assert "clock-ahead" in clock.goes(86400, 10)
    clock.kept = True
    assert clock.goes(10) == {}, "a time server was reached"
    clock.kept = False
    assert "clock-ahead" in clock.goes(86400, 10)
    assert "clock-ahead" not in clock.goes(-86400, 10), "it was put right"
    assert "clock-ahead" in clock.goes(86400, 10)
    assert clock.watch.accept()
    assert clock.goes(10) == {}


def test_a_time_that_was_accepted_is_right_and_one_before_this_program_cannot_be() -> None:
    clock = Clock(NOON, last=NOON + timedelta(days=300), kept=True)
    said = clock.goes(10)["clock-unset"]
    assert "the network keeps it right; the journal has an entry of 2027-09-17" in said
    assert clock.watch.accept()
    assert clock.goes(10) == {}
    clock.goes(-3 * 365 * 86400, 10)
    assert not clock.watch.accept()
    assert "clock-unset" in clock.goes(10)


def test_the_kernel_is_asked_or_the_file_of_the_time_service(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert clock.synchronised() in (True, False, None)
    monkeypatch.setattr(clock, "_kernel", lambda: 5)
    assert clock.synchronised(tmp_path) is False
    monkeypatch.setattr(clock, "_kernel", lambda: 0)
    assert clock.synchronised(tmp_path / "none") is True
    monkeypatch.setattr(clock, "_kernel", lambda: -1)  # as within the unit
    stamp = tmp_path / "timesync" / "synchronized"
    assert clock.synchronised(stamp) is None
    stamp.parent.mkdir()
    assert clock.synchronised(stamp) is False
    stamp.touch()
    assert clock.synchronised(stamp) is True
    old = stamp.stat().st_mtime - clock.STALE_S - 60
    os.utime(stamp, (old, old))
    assert clock.synchronised(stamp) is False


AHEAD = NOW + timedelta(days=300)
ACCEPT = Request(1, "supervisor", "resume", "Sue", "the clock was a year ahead until this morning")


def start(
    place: Place, mocker: MockerFixture, *, ahead: bool, accept: bool = False
) -> dict[str, Any]:
    """The conditions after a start with that clock, and after the acceptance where one is given."""
    wall = AHEAD if ahead else NOW
    mocker.patch("controller.daemon.committer.datetime").now.return_value = wall
    world = replace(outside(wall), synchronised=lambda: not ahead)

    async def live() -> dict[str, Any]:
        async with awake(place, world) as runtime:
            if accept:
                await runtime.handler.command(ACCEPT, DEALER)
            return dict((await runtime.handler.status())["conditions"])

    return asyncio.run(live())


def test_it_is_told_until_it_is_accepted_and_not_at_the_next_start(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    place = Place(tmp_path)
    assert start(place, mocker, ahead=False) == {}
    assert "nothing keeps it right" in start(place, mocker, ahead=True)["clock-ahead"]
    for _ in range(2):
        told = start(place, mocker, ahead=False)
        assert "the journal has an entry of 2027-12-26" in told["clock-unset"]
    assert start(place, mocker, ahead=False, accept=True) == {}
    assert start(place, mocker, ahead=False) == {}
    with JournalReader(place.state) as reader:
        entries = list(reader.iterate())
    [accepted] = [one for one in entries if one.type == "supervisor"]
    assert accepted.body["by"] == "Sue"
    assert accepted.body["after"] == {
        "state": "idle",
        "ended": ["clock-unset"],
        "notes": [f"supervisor: resume by Sue: {ACCEPT.why}"],
        "answered": [{"entry": 1}],
    }
    assert "clock-ahead" in start(place, mocker, ahead=True), "and looked at from then on"


def test_it_takes_a_name_a_reason_and_a_table_between_rounds() -> None:
    live = Live()
    with pytest.raises(Refused, match="not held"):
        live.order("resume", by="Sue", why="seen")
    live.apply("condition", {"fault": "clock-unset", "present": True, "detail": "it shows 1970"})
    with pytest.raises(Malformed, match="needs who and why"):
        live.order("resume", by=None, why=None)
    live.play("open", "wager 1 main 50", "close", "9C")
    with pytest.raises(Refused, match="not held"):
        live.order("resume", by="Sue", why="seen")


async def test_a_clock_that_was_never_set_is_not_accepted_and_no_entry_says_so(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    place, wall = Place(tmp_path), EARLIEST - timedelta(days=1)
    mocker.patch("controller.daemon.committer.datetime").now.return_value = wall
    async with awake(place, outside(wall)) as runtime:
        with pytest.raises(RequestRefused, match="not held"):
            await runtime.handler.command(ACCEPT, DEALER)
    with JournalReader(place.state) as reader:
        assert not any("'ended'" in str(entry.body["after"]) for entry in reader.iterate())
