"""What ``preinst`` reads out of a real journal: how it is stored, and the table's state."""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from controller import STORES
from tests.appliance.scripts import Box
from tests.daemon.journaling.aged import closes, with_archive
from tests.daemon.process import Place, running
from tests.daemon.sealed import play

DEBIAN = Path(__file__).parents[2] / "debian"


def shell(call: str, journal: Path) -> subprocess.CompletedProcess[str]:
    functions = (DEBIAN / "between-rounds.sh").read_text("utf-8")
    script = f"{functions}\nJOURNAL='{journal}'\n{call}\n"
    return subprocess.run(["sh"], input=script, capture_output=True, text=True, check=False)


def preinst(journal: Path, stores: int) -> subprocess.CompletedProcess[str]:
    """What the package that reads up to the number ``stores`` says."""
    text = (DEBIAN / "table-controller.preinst").read_text("utf-8").replace("#STORES#", str(stores))
    body = text.partition("#BETWEEN_ROUNDS#")[2].partition("case $1 in")[0]
    return shell(f"set -e\n{body}\ncan_read_the_journal", journal)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_a_journal_is_read_beside_the_controller_and_without_it(place: Place) -> None:
    journal = place.state / "journal.sqlite3"
    with running(place):
        beside = shell("journal_says", journal)
    stopped = shell("journal_says", journal)
    assert beside.stdout == stopped.stdout == f"{STORES} idle\n", beside.stderr + stopped.stderr
    left = {path.name for path in place.state.iterdir()}
    assert left.isdisjoint({"journal.sqlite3-wal", "journal.sqlite3-shm"}), left


def test_an_earlier_version_is_refused(place: Place) -> None:
    with running(place):
        pass
    journal = place.state / "journal.sqlite3"
    assert preinst(journal, STORES).returncode == 0
    refused = preinst(journal, STORES - 1)
    assert refused.returncode == 1
    assert "cannot read what a later one has stored" in refused.stderr


def test_an_earlier_version_is_refused_a_journal_that_was_just_closed(place: Place) -> None:
    """Nobody has started on it yet, so no start says by which number it is stored."""
    with_archive(place)
    play(place, "open", "undo")
    closes(place, datetime.now(UTC) + timedelta(days=400))
    journal = place.state / "journal.sqlite3"
    assert shell("journal_says", journal).stdout.split()[0] == str(STORES)
    assert preinst(journal, STORES).returncode == 0
    assert preinst(journal, STORES - 1).returncode == 1


def test_a_file_that_is_no_journal_is_refused(place: Place) -> None:
    place.state.mkdir(parents=True)
    journal = place.state / "journal.sqlite3"
    journal.write_bytes(b"no journal at all")
    refused = preinst(journal, STORES)
    assert (refused.returncode, "cannot be read" in refused.stderr) == (1, True)


@pytest.mark.parametrize(
    ("state", "between"),
    [
        ("closed", True),
        ("held.idle", True),
        ("service", True),
        ("betting", False),
        ("playing.deal", False),
        ("held.playing.deal", False),
        ("ended", False),
        ("", False),
    ],
)
def test_which_states_are_between_rounds(state: str, between: bool, tmp_path: Path) -> None:
    done = shell(f"between_rounds '{state}'", tmp_path)
    assert done.returncode == (0 if between else 1)


def test_the_state_is_that_of_the_table_and_of_no_device(tmp_path: Path) -> None:
    """A status has more than one "state"."""
    status = '{"shoe": {"state": "idle"}, "state": "jackpot.armed", "z": {"state": "closed"}}'
    box = Box(tmp_path)
    box.program(box.bin / "tablectl", f"#!/bin/sh\necho '{status}'\n")
    assert box.shell("state_now").stdout == "jackpot.armed\n"
    box.program(box.bin / "tablectl", "#!/bin/sh\nexit 4\n")
    assert box.shell("state_now").stdout == ""
