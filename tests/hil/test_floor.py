"""The floor with tables at play, as a person starts it: ``make floor-demo``."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from hil_tests.bench.processes import ROOT

pytestmark = pytest.mark.needs("postgresql")

WAIT_S = 120.0
NOTHING = "Nothing is left behind."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the floor is to be: PostgreSQL may run as another user."""
    for above in (tmp_path, *tmp_path.parents[:2]):
        above.chmod(0o755)
    return tmp_path


def _start(folder: Path, *options: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "hil_tests.floor", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(folder)},
    )


def test_all_that_six_tables_play_is_in_the_database(folder: Path) -> None:
    with _start(folder, "--seconds", "12", "--json") as demo:
        out, err = demo.communicate(timeout=WAIT_S)
    assert demo.returncode == 0, err
    told = json.loads(out)
    assert told["well"]
    assert told["found"] == []
    assert len(told["entries"]) == 6
    assert min(told["entries"].values()) > 20
    assert told["delay_s"]["p99"] > 0
    assert list(folder.iterdir()) == []


def test_an_interrupt_ends_all_and_leaves_nothing(folder: Path) -> None:
    with _start(folder) as demo:
        assert demo.stdout is not None
        lines = iter(demo.stdout.readline, "")
        assert any("Ctrl-C" in line for line in lines)
        demo.send_signal(signal.SIGINT)
        out, err = demo.communicate(timeout=WAIT_S)
    assert demo.returncode == 0, err
    assert NOTHING in out
    assert list(folder.iterdir()) == []


def test_what_is_missing_is_named(folder: Path) -> None:
    script = (
        "import sys; from pathlib import Path; import hil_tests.postgresql as it;"
        "it.programs = lambda: None; from hil_tests.floor.__main__ import main; sys.exit(main())"
    )
    told = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(folder)},
    )
    assert told.returncode == 2
    assert "apt install --no-install-recommends postgresql" in told.stderr
    assert list(folder.iterdir()) == []
