"""What a controller must never log is heard of, and nothing else is taken for it."""

from __future__ import annotations

import pytest

from hil_tests.bench.controller_process import complaints_in


@pytest.mark.parametrize(
    "line",
    [
        "Traceback (most recent call last):",
        "ERROR controller.daemon.owner: a device was not asked",
        "CRITICAL controller.daemon.box: no device is spoken to any more",
        "Fatal Python error: Segmentation fault",
        "free(): invalid pointer",
        "malloc_consolidate(): unaligned fastbin chunk detected",
        "libusb's context has ended, and a unit is given back",
        "double free or corruption (out)",
        "corrupted size vs. prev_size",
        "table-controller: ../../libusb/io.c:2113: handle_events: Assertion `ctx' failed.",
    ],
)
def test_a_crash_and_an_error_are_heard_of(line: str) -> None:
    assert complaints_in(f"INFO before\n{line}\nINFO behind\n") == [line]


def test_what_is_none_is_left_alone() -> None:
    log = (
        "INFO controller.daemon.devices.fleet: jackpot is up\n"
        "WARNING controller.daemon.hold_log: note, disk-low: an ERROR is near\n"
        "Fatal Python error: Aborted\n"
    )
    assert complaints_in(log) == []
