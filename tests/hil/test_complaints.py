"""What a controller must never log is found, shown with the lines around it, and fails the test;
what stands at the end of a run stands there whatever process ran the tests."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hil_tests.bench.controller_process import BEFORE, BEHIND, complaints_in, evidence_in
from hil_tests.benches.virtual.virtual_bench import VirtualBench
from hil_tests.tables.reused_table import ReusedBench
from simulators.hands import Hands

ROOT = Path(__file__).resolve().parents[2]
WANTED = "(the_answer_to_hello and shoe-serial) or test_the_state_directory_is_fetched"

PLACES = ("hil_tests/conformance", "hil_tests/scenarios", "tests/hil/test_table_ssh.py")


def test_the_sections_at_the_end(tmp_path: Path) -> None:
    """One check of a device, one test whose tools are missing, and all that this bench cannot."""
    programs = Path(sys.executable).parent
    run = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-n", "1", "-p", "no:cacheprovider"),
            *("-k", WANTED, *PLACES),
        ],
        cwd=ROOT,
        env={**os.environ, "PATH": str(programs), "TABLE_CI": "", "TMPDIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    for section in ("Conformance with Table Link v1", "Not run for want of", "Not on bench"):
        assert section in run.stdout
    assert ": 1 of 1 checks hold" in run.stdout
    assert "    tests/hil/test_table_ssh.py::test_the_state_directory_is_fetched" in run.stdout


def test_checks_that_want_somebody_are_not_made_where_nobody_is(tmp_path: Path) -> None:
    """They say nothing of the device; the run is none that it has passed, all the same."""
    with Hands.start("keypad", tmp_path / "keypad"):
        run = subprocess.run(
            [
                *(sys.executable, "-m", "pytest", "-n", "0", "-p", "no:cacheprovider"),
                *("hil_tests/conformance", "-m", "conformance"),
                *("--device", str(tmp_path / "keypad")),
                *("-k", "in_flight or the_answer_to_hello"),
            ],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
            start_new_session=True,  # no terminal
        )
    assert run.returncode == 1, run.stdout + run.stderr
    assert "1 of 1 checks hold" in run.stdout
    assert "run it from a terminal, somebody must be at the devices" in run.stdout
    assert "does not hold" not in run.stdout


CRASH = "Fatal Python error: Segmentation fault"


@pytest.mark.parametrize(
    "line",
    [
        "Traceback (most recent call last):",
        "ERROR controller.daemon.owner: a device was not asked",
        "CRITICAL controller.daemon.runtime: no device is spoken to any more",
        CRASH,
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
        "WARNING controller.daemon.log_messages: note, disk-low: an ERROR is near\n"
        "Fatal Python error: Aborted\n"
    )
    assert complaints_in(log) == []


def test_a_complaint_is_shown_with_the_lines_around_it() -> None:
    before = [f"INFO link {number} is up" for number in range(BEFORE)]
    stack = [f'  File "daemon.py", line {number}' for number in range(BEHIND)]
    log = ["INFO long before", *before, CRASH, *stack, "INFO long behind"]
    assert evidence_in("\n".join(log)).splitlines() == [f"['{CRASH}']", "[...]", *log[1:-1]]
    assert evidence_in("\n".join(before)) == ""


def test_lines_around_two_complaints_are_shown_once() -> None:
    log = [CRASH, "in thread 1", "Traceback (most recent call last):", "in thread 2"]
    assert evidence_in("\n".join(log)).splitlines() == [str([log[0], log[2]]), *log]


def crash(bench: VirtualBench) -> None:
    """Have the controller die of the signal that a library of C dies of."""
    assert bench.controller.pid
    bench.control.status()  # the last thing that it logs as it starts is logged
    bench.hang_up()
    os.kill(bench.controller.pid, signal.SIGSEGV)
    assert bench.controller.wait() == -signal.SIGSEGV


def shows_the_stack(told: str) -> bool:
    """Whether it is that crash, with the call in which it came and what was logged before."""
    return CRASH in told and 'main.py", line' in told and "INFO controller.daemon.app: " in told


def test_a_crash_fails_the_scenario_in_which_it_came() -> None:
    made: list[VirtualBench] = []

    def opened() -> VirtualBench:
        made.append(VirtualBench())
        return made[-1]

    lasting = ReusedBench(opened)
    lasting.strategy()
    lasting.rest()
    crash(made[0])
    with pytest.raises(AssertionError) as failed:
        lasting.rest()
    assert shows_the_stack(str(failed.value))
    lasting.strategy()  # at a new table, whose log has nothing of it
    lasting.rest()
    lasting.close()
    assert len(made) == 2


def test_a_test_that_fails_shows_what_the_controller_complained_of() -> None:
    bench = VirtualBench().set_up()
    crash(bench)
    failed = ConnectionError("the controller has hung up")
    bench.__exit__(type(failed), failed, None)
    assert shows_the_stack(failed.__notes__[0])
