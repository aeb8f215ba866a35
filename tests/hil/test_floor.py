"""The floor with tables at play, as a person starts it: ``make floor-demo``."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest

from hil_tests.process_tree import descendants
from tests.hil.demos import start_demo, told_by

pytestmark = pytest.mark.needs("postgresql")

WAIT_S = 120.0
KILLED_WITHIN_S = 50.0
"""Less than one wait for a floor that does not answer any more."""
NOTHING = "Nothing is left behind."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the floor is to be: PostgreSQL may run as another user."""
    for above in (tmp_path, *tmp_path.parents[:2]):
        above.chmod(0o755)
    return tmp_path


def test_all_that_six_tables_play_is_in_the_database(folder: Path) -> None:
    with start_demo("hil_tests.floor", folder, "--seconds", "12", "--json") as demo:
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
    with start_demo("hil_tests.floor", folder) as demo:
        assert demo.stdout is not None
        lines = iter(demo.stdout.readline, "")
        assert any("Ctrl-C" in line for line in lines)
        demo.send_signal(signal.SIGINT)
        out, err = demo.communicate(timeout=WAIT_S)
    assert demo.returncode == 0, err
    assert NOTHING in out
    assert list(folder.iterdir()) == []


def test_a_collector_that_is_killed_ends_it_at_once_and_is_named(folder: Path) -> None:
    with start_demo("hil_tests.floor", folder) as demo:
        assert demo.stdout is not None
        assert any("Ctrl-C" in line for line in iter(demo.stdout.readline, ""))
        [collector] = [one for one in descendants(demo.pid) if logs_to(one) == "floor-1.log"]
        os.kill(collector, signal.SIGKILL)
        _, err = demo.communicate(timeout=KILLED_WITHIN_S)
    assert demo.returncode == 1
    assert err.count("NOT WELL") == 1
    assert "floor.main collector --config" in err
    assert "has ended" in err
    assert list(folder.iterdir()) == []


def logs_to(process: int) -> str:
    """The name of the file that its output goes to; "" of one that has ended meanwhile."""
    try:
        return Path(f"/proc/{process}/fd/1").readlink().name
    except (FileNotFoundError, ProcessLookupError):
        return ""


def test_what_is_missing_is_named(folder: Path) -> None:
    script = (
        "import sys; from pathlib import Path; import hil_tests.postgresql as it;"
        "it.programs = lambda: None; from hil_tests.floor.__main__ import main; sys.exit(main())"
    )
    told = told_by(script, folder)
    assert told.returncode == 2
    assert "apt install --no-install-recommends postgresql" in told.stderr
    assert list(folder.iterdir()) == []
