"""What stands at the end of a run stands there whatever process ran the tests."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from simulators.hands import Hands

ROOT = Path(__file__).resolve().parents[2]
WANTED = "(test_the_answer_to_hello and shoe-serial) or test_the_state_directory_is_fetched"

PLACES = ("hil_tests/conformance", "hil_tests/scenarios", "tests/hil/test_table_ssh.py")


@pytest.mark.parametrize("processes", ["0", "1"])
def test_the_sections_at_the_end(processes: str, tmp_path: Path) -> None:
    """One check of a device, one test whose tools are missing, and all that this bench cannot."""
    programs = Path(sys.executable).parent
    run = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-n", processes, "-p", "no:cacheprovider"),
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
                *("-k", "test_events or test_the_answer_to_hello"),
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
