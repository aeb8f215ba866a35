"""A disk that is slow: when it is told, when that is over, and what is told while it hangs."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path

import pytest

from controller.daemon.commit_thread import waits_for_a_disk
from controller.daemon.health.pace import (
    LONG_S,
    QUIET_LOOKS,
    SLOW_S,
    TICK_S,
    WAITS,
    PaceWatch,
    Waiting,
)
from controller.table.state.entering import ROW_LENGTH


class Disk:
    """Commits whose times the test sets."""

    def __init__(self) -> None:
        self.took_s = 0.0
        self.waits_s = 0.0
        self.watch = PaceWatch(lambda: self.took_s, lambda: self.waits_s)

    def looks(self, *took_s: float) -> list[bool | None]:
        """What each look said: there, over, or nothing."""
        return list(self._looks(took_s))

    def _looks(self, took_s: Iterable[float]) -> Iterable[bool | None]:
        for self.took_s in took_s:
            found = self.watch.findings()
            yield found[0].present if found else None


def test_one_hiccup_is_no_slow_disk() -> None:
    assert Disk().looks(0.01, SLOW_S, 0.01, 1.9, 0.01, 0.0) == [None] * 6


def test_a_disk_that_stays_slow_is_told_until_it_is_quick_again() -> None:
    disk = Disk()
    assert disk.looks(SLOW_S, SLOW_S) == [None, True]
    assert disk.looks(*[0.01] * (QUIET_LOOKS - 1)) == [None] * (QUIET_LOOKS - 1)
    assert disk.looks(0.45) == [True], "nearly as slow as before"
    assert disk.looks(*[0.01] * QUIET_LOOKS)[-1] is False


def test_a_long_wait_is_told_at_once() -> None:
    disk = Disk()
    assert disk.looks(LONG_S) == [True]
    disk.waits_s = 9.0
    [found] = disk.watch.findings()
    assert found.detail == "an entry took 9.0 s to be stored, expected less than 0.5"


def test_a_table_at_which_nothing_is_stored_tells_nothing() -> None:
    disk = Disk()
    assert disk.looks(LONG_S, *[0.0] * 20) == [True] + [None] * 20


def test_one_that_was_slow_before_the_start_is_over_once_it_is_seen_to_be_quick() -> None:
    assert Disk().looks(*[0.01] * QUIET_LOOKS)[-1] is False


class Clock:
    """A loop whose timers the test runs."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.age_s = 0.0
        self.shown: list[str] = []
        self.states: list[str] = []
        self.waiting = Waiting(self.loop, lambda: self.age_s, self.shown.append)
        self.waiting.state = self.states.append

    def look(self, age_s: float) -> None:
        self.age_s = age_s
        self.waiting.report_waiting()


def test_what_waits_is_told_on_the_keypad_and_to_the_service_manager(
    caplog: pytest.LogCaptureFixture,
) -> None:
    clock = Clock()
    with caplog.at_level("INFO"):
        for age_s in (0.0, 1.9, LONG_S, 3.0, 64.0, 0.0, 0.0):
            clock.look(age_s)
    clock.waiting.close()
    clock.loop.close()
    assert clock.shown == [WAITS] * 3, "a commit between two looks takes it away"
    said = "the journal's disk has not stored for {} s what was entered"
    assert clock.states == [said.format(2), said.format(3), said.format(64), ""]
    assert [record.levelname for record in caplog.records] == ["WARNING", "WARNING", "INFO"]
    assert len(WAITS) <= ROW_LENGTH
    assert TICK_S < LONG_S


def test_a_thread_that_can_be_woken_waits_for_no_disk() -> None:
    assert not waits_for_a_disk(int(Path("/proc/thread-self").readlink().name))
    assert not waits_for_a_disk(0)
