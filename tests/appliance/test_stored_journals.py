"""What a package reads out of journals: real ones, and some that no controller has written."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from controller import STORES
from tests.appliance.scripts import Box, written
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


IDLE = {"after": {"state": "idle"}}
OTHER = 12345


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path)


@pytest.fixture
def open_to_all() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.mark.parametrize(
    "body",
    [
        ["after"],
        "after",
        {"after": None},
        {"after": ["idle"]},
        {"after": {"state": 3}},
        {"after": {"state": {"state": "idle"}}},
        {"before": {"after": {"state": "idle"}}},
    ],
)
def test_an_entry_of_another_form_says_nothing_about_the_table(box: Box, body: object) -> None:
    written(box.journal, {"after": {"state": "held.playing"}}, body)
    assert box.shell("journal_says").stdout == "1 playing\n"


@pytest.mark.parametrize("state", ["idle\nplaying", "idle playing", " idle", "*", "$(id)", "idle;"])
def test_a_strange_state_is_not_between_rounds(box: Box, state: str) -> None:
    written(box.journal, {"after": {"state": state}})
    done = box.script("preinst", "upgrade", "0.1.0")
    assert done.returncode == 1
    assert "a round was opened meanwhile" in done.stderr


@pytest.mark.parametrize("stores", ["2", "1 -o 1", 2.0, True, None, [1], 10**30, 2])
def test_a_number_that_is_none_or_too_high_is_refused(box: Box, stores: object) -> None:
    written(box.journal, IDLE, stores=stores)
    box.refuses("Nothing was changed")


@pytest.mark.parametrize("form", [None, 0, 2, "1", [1]])
def test_a_journal_of_another_format_is_refused(box: Box, form: object) -> None:
    written(box.journal, IDLE, form=form)
    box.refuses("is not of format 1: keep that folder, and begin a new one")


def test_the_reason_is_one_line(box: Box) -> None:
    box.journal.write_bytes(b"no journal at all")
    told = box.shell("journal_says")
    assert (told.returncode, told.stdout) == (1, "DatabaseError: file is not a database\n")
    box.journal.unlink()
    os.mkfifo(box.journal)
    assert box.shell("journal_says").stdout == "ValueError: not a file\n"


def test_a_name_that_sqlite_would_take_apart(tmp_path: Path) -> None:
    folder = tmp_path / "50%20 #1?mode=rwc"
    folder.mkdir()
    box = Box(folder)
    written(box.journal, IDLE)
    assert box.shell("journal_says").stdout == "1 idle\n"


@pytest.mark.needs("root")
def test_it_is_read_with_the_rights_of_its_owner(box: Box, open_to_all: Path) -> None:
    """Who owns it may be anybody who has taken the daemon over: root does not read for him."""
    of_root = open_to_all / "of-root.sqlite3"
    written(of_root, IDLE)
    of_root.chmod(0o600)
    journal = open_to_all / "journal.sqlite3"
    journal.symlink_to(of_root)
    call = f"JOURNAL='{journal}'; journal_says"
    assert box.shell(call).stdout == "1 idle\n"
    os.lchown(journal, OTHER, OTHER)
    refused = box.shell(call)
    assert refused.returncode == 1
    assert "unable to open database file" in refused.stdout
    os.chown(of_root, OTHER, OTHER)
    assert box.shell(call).stdout == "1 idle\n"


@pytest.mark.needs("root")
def test_a_journal_in_a_folder_of_another_is_told(box: Box, open_to_all: Path) -> None:
    """As a copy leaves it that was put back by root, or by another number of the same user."""
    place = open_to_all / "state"
    place.mkdir(mode=0o700)
    journal = place / "journal.sqlite3"
    written(journal, IDLE)
    os.chown(journal, OTHER, OTHER)
    refused = box.shell(f"JOURNAL='{journal}'; journal_says")
    assert refused.returncode == 1
    assert "give the folder, and all in it, to one user" in refused.stdout


@pytest.mark.needs("root")
def test_a_journal_after_a_power_cut_keeps_its_owner(box: Box, open_to_all: Path) -> None:
    """With a -wal beside it, SQLite makes a -shm: not one that the daemon could not open."""
    journal = open_to_all / "journal.sqlite3"
    written(journal, IDLE)
    with sqlite3.connect(journal) as db:
        db.execute("PRAGMA journal_mode=WAL")
    db.execute(
        'INSERT INTO entry (type, body) VALUES (\'shown\', \'{"after": {"state": "betting"}}\')'
    )
    db.commit()
    cut = open_to_all / "cut"
    cut.mkdir()
    for name in ("journal.sqlite3", "journal.sqlite3-wal"):
        (cut / name).write_bytes((open_to_all / name).read_bytes())
    db.close()
    for path in (cut, *cut.iterdir()):
        os.chown(path, OTHER, OTHER)
    assert box.shell(f"JOURNAL='{cut}/journal.sqlite3'; journal_says").stdout == "1 betting\n"
    assert {path.stat().st_uid for path in cut.iterdir()} == {OTHER}
