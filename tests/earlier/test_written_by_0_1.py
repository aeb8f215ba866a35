"""Journals of 0.1.0: nobody plays on them or plays them again, and all else is still shown of them.
``0.1.0-closed-by-0.2.0`` is one that 0.2.0 has closed, as it is told to.
"""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from controller.cli.main import main
from controller.configuration.reading import load_configuration
from controller.journal.of_0_1 import NOT_PLAYED
from controller.journal.reader import JournalReader
from controller.journal.schema import FILE_NAME
from controller.replay.recovery import recover
from controller.replay.replay import Replay
from controller.upkeep import next_start
from tests.appliance.test_stored_journals import preinst, shell
from tests.daemon.process import Place
from tests.daemon.sealed import play
from tests.earlier.test_inspected import inspected
from tests.earlier.test_journals_of_before import LAST, SIGNED, lay, verify
from verifier.verify_journal import VERIFIED

OLD = "0.1.0"
CLOSED = "closed-by-0.2.0"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def altered(place: Place, kind: str, **fields: object) -> None:
    """Have the first entry of that type say something else."""
    with closing(sqlite3.connect(place.state / FILE_NAME, isolation_level=None)) as connection:
        connection.execute("DROP TRIGGER entry_no_update")
        query = "SELECT seq, body FROM entry WHERE type = ? ORDER BY seq"
        seq, body = connection.execute(query, (kind,)).fetchone()
        text = json.dumps(json.loads(body) | fields)
        connection.execute("UPDATE entry SET body = ? WHERE seq = ?", (text, seq))


# ---- nobody plays on it -------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["stopped", "killed"])
def test_a_start_refuses_it_and_leaves_it_as_it_is(place: Place, end: str) -> None:
    lay(place, OLD, end)
    before = contents(place.state)
    command = [sys.executable, "-m", "controller.daemon.main", "--config", str(place.configuration)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert "written by 0.1: install 0.2.0, close it" in done.stderr
    left = contents(place.state)
    assert {name: left[name] for name in before} == before
    assert f"{FILE_NAME}-wal" not in left, "0.2.0 closes none that has a log beside it"


def test_a_start_that_is_asked_to_close_it_refuses_it_too(place: Place) -> None:
    lay(place, OLD, "stopped")
    with JournalReader(place.state) as reader:
        next_start.ask(place.state, reader.identity)
    before = contents(place.state)
    command = [sys.executable, "-m", "controller.daemon.main", "--config", str(place.configuration)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert contents(place.state)[FILE_NAME] == before[FILE_NAME]
    assert f"{FILE_NAME}-wal" not in contents(place.state)


@pytest.mark.parametrize(("command", "status"), [(["counters"], 2), (["journal", "archive"], 1)])
def test_what_needs_the_table_as_it_is_now_refuses_it(
    place: Place, capsys: pytest.CaptureFixture[str], command: list[str], status: int
) -> None:
    lay(place, OLD, "stopped")
    (archive := place.folder / "archive").mkdir()
    key = place.configuration.with_name("journal.vkey")
    more = ["--to", str(archive), "--key", str(key)] if "archive" in command else []
    assert main([*command, *more, "--state", str(place.state)]) == status
    assert "written by 0.1: install 0.2.0, close it" in capsys.readouterr().err


def test_the_package_refuses_it_before_it_unpacks(place: Place) -> None:
    lay(place, OLD, "killed")
    refused = preinst(place.state / FILE_NAME, 2)
    assert refused.returncode == 1
    assert "was written by 0.1: install 0.2.0, close it" in refused.stderr


@pytest.mark.parametrize(
    ("version", "end", "kind", "fields", "says"),
    [
        ("0.2.0", "killed", "snapshot", {}, "1 idle\n"),
        ("0.2.0", "killed", "start", {"versions": {"engine": "2"}}, "0.1 idle\n"),
        (OLD, CLOSED, "snapshot", {}, "1 closed\n"),
        (OLD, CLOSED, "snapshot", {"format": 7}, "0.1 closed\n"),
        (OLD, CLOSED, "snapshot", {"engine": "2"}, "0.1 closed\n"),
    ],
)
def test_whose_a_journal_is_is_known_by_its_beginning(
    place: Place, version: str, end: str, kind: str, fields: dict[str, object], says: str
) -> None:
    lay(place, version, end)
    altered(place, kind, **fields)
    assert shell("journal_says", place.state / FILE_NAME).stdout == says
    with JournalReader(place.state) as reader:
        replay = Replay()
        replay.take(next(iter(reader.iterate(reader.begins))))
    assert replay.of_0_1 is says.startswith("0.1")


# ---- what is shown of it ------------------------------------------------------------------------


def test_its_chain_and_its_heads_are_verified_and_it_is_not_played_again(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    lay(place, OLD, "stopped")
    status, told = verify(place, capsys)
    assert (status, told["findings"]) == (0, [])
    assert told["remarks"] == [f"entries 1 to 5: {NOT_PLAYED}"]
    assert (told["replayed"], told["heads"], told["sealed_to"]) == (False, 3, 5)


def test_an_end_that_no_head_covers_is_wrong(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    lay(place, OLD, "killed")
    status, told = verify(place, capsys)
    assert status == 1
    [found] = told["findings"]
    assert f"entries {SIGNED[OLD] + 1} to {LAST[OLD]} are covered by no signature" in found["what"]


def test_an_entry_that_was_changed_is_found(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    lay(place, OLD, "killed")
    altered(place, "dealer", command="open ")
    status, told = verify(place, capsys)
    assert status == 1
    assert any(found["seq"] == 11 for found in told["findings"])


@pytest.mark.parametrize(("end", "last"), [("stopped", 5), ("killed", SIGNED[OLD])])
def test_the_verifier_reads_its_export(place: Place, end: str, last: int) -> None:
    lay(place, OLD, end)
    status, said = inspected(place, "evidence")
    assert (status, said["findings"], said["last"]) == (VERIFIED, [], last)


@pytest.mark.parametrize("which", ["2", "last"])
def test_a_round_is_told_from_its_entries(
    place: Place, capsys: pytest.CaptureFixture[str], which: str
) -> None:
    lay(place, OLD, "killed")
    assert main(["round", "show", which, "--json", "--state", str(place.state)]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["not_played"], told["outcome"]) == (NOT_PLAYED, "settled")
    if which == "2":
        assert (told["round"], told["shoe"], told["net"]) == (2, "KS JS QH KS", {"7a": "-84.00"})
        assert [one["kind"] for one in told["settlements"]] == ["main", "double"]
        assert [one["what"] for one in told["entries"]][:3] == ["open", "close", "KS"]
    else:
        assert (told["round"], told["net"]) == (3, {"7a": "-42.00"})
    assert main(["round", "show", which, "--state", str(place.state)]) == 0
    assert NOT_PLAYED in capsys.readouterr().out.splitlines()[0]


@pytest.mark.parametrize("form", [["--json", "--course"], ["--html", "page.html"]])
def test_a_round_has_no_course(
    place: Place, capsys: pytest.CaptureFixture[str], form: list[str]
) -> None:
    lay(place, OLD, "killed")
    page = [str(place.folder / one) if one == "page.html" else one for one in form]
    assert main(["round", "show", "1", *page, "--state", str(place.state)]) == 2
    assert f"round 1 has no course: it is {NOT_PLAYED}" in capsys.readouterr().err


def test_a_round_that_it_does_not_have_is_not_told(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    lay(place, OLD, "killed")
    assert main(["round", "show", "4", "--state", str(place.state)]) == 2
    assert "no round 4" in capsys.readouterr().err


def test_entries_of_a_round_are_found(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    lay(place, OLD, "killed")
    assert (
        main(["journal", "find", "--round", "2", "--card", "QH", "--state", str(place.state)]) == 0
    )
    [line] = capsys.readouterr().out.splitlines()
    assert json.loads(line)["seq"] == 43


@pytest.mark.parametrize(
    "command", [["journal", "prove", "2", "--out", "proof"], ["shift", "report", "--shift", "1"]]
)
def test_what_would_play_it_again_says_why_not(
    place: Place, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    lay(place, OLD, "stopped" if "shift" in command else "killed")
    words = [str(place.folder / one) if one == "proof" else one for one in command]
    assert main([*words, "--state", str(place.state)]) == 3
    assert NOT_PLAYED in capsys.readouterr().err


# ---- behind one that 0.2.0 has closed -----------------------------------------------------------


@pytest.fixture
def closed(place: Place) -> Place:
    lay(place, OLD, CLOSED)
    return place


def test_play_goes_on_behind_it(closed: Place, capsys: pytest.CaptureFixture[str]) -> None:
    assert preinst(closed.state / FILE_NAME, 2).returncode == 0
    assert play(closed, resume=True)["round"] == 3
    assert verify(closed, capsys)[0] == 0
    _, told = verify(closed, capsys, "--archive", str(closed.state / "archive"))
    assert f"entries 1 to {LAST[OLD]}: {NOT_PLAYED}" in told["remarks"]
    assert [found for found in told["findings"] if "no signature" not in found["what"]] == []


def test_its_rounds_are_told_from_the_archive(
    closed: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    play(closed, resume=True)
    archive = ["--archive", str(closed.state / "archive")]
    assert main(["round", "show", "1", "--json", "--state", str(closed.state), *archive]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["round"], told["not_played"]) == (1, NOT_PLAYED)
    assert told["net"] == {"7a": "1019.00", "7e": "-21.00"}


def test_a_day_on_which_it_was_played_is_not_reported(
    closed: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["shift", "report", "--day", "2026-11-20", "--state", str(closed.state)]
    assert main([*words, "--archive", str(closed.state / "archive")]) == 3
    told = capsys.readouterr().err
    assert "was before what can be told" in told
    assert NOT_PLAYED in told


def test_the_table_is_as_it_was_left(closed: Place) -> None:
    config = load_configuration(closed.configuration)
    with JournalReader(config.state_directory) as reader:
        table = recover(reader, reader.iterate).counted.table
    assert (table.round_number, str(table.phase)) == (3, "idle")
