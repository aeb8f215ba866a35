"""The watch over the clock: jumps, a time that has passed, one far ahead, and who accepts it."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from controller.daemon.health import network_time
from controller.daemon.health.clock import ClockWatch
from controller.faults.catalogue import CATALOGUE
from controller.journal.model import read_written

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
        return {found.fault: found.detail for found in self.watch.look() if found.present}


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
    assert network_time.synchronised() in (True, False, None)
    monkeypatch.setattr(network_time, "_kernel", lambda: 5)
    assert network_time.synchronised(tmp_path) is False
    monkeypatch.setattr(network_time, "_kernel", lambda: 0)
    assert network_time.synchronised(tmp_path / "none") is True
    monkeypatch.setattr(network_time, "_kernel", lambda: -1)  # as within the unit
    stamp = tmp_path / "timesync" / "synchronized"
    assert network_time.synchronised(stamp) is None
    stamp.parent.mkdir()
    assert network_time.synchronised(stamp) is False
    stamp.touch()
    assert network_time.synchronised(stamp) is True
    old = stamp.stat().st_mtime - network_time.STALE_S - 60
    os.utime(stamp, (old, old))
    assert network_time.synchronised(stamp) is False


def test_every_fault_of_the_clock_is_in_the_catalogue() -> None:
    assert {*ClockWatch.faults} <= CATALOGUE.keys()
