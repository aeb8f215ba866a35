"""Nights at a table that is played by day: verified, taken to another medium, removed."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import shutil
import sqlite3
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest
from pytest_mock import MockerFixture

from controller.cli.main import main as tablectl
from controller.configuration.reading import load_configuration
from controller.evidence.heads import beside
from controller.journal.errors import NoJournal
from controller.journal.schema import FILE_NAME
from controller.upkeep import night_report as reports
from controller.upkeep.night.night import Night
from controller.upkeep.night_report import NightJournal, NightReport
from exporter import catalogue as names
from exporter import nightly as monitored
from tests.daemon.journaling.aged import closes, well
from tests.daemon.process import Place, running
from tests.daemon.sealed import play

NOW: Final = datetime.now(UTC)


def night(place: Place, after_days: float = 0, to: Path | None = None) -> NightReport:
    config = load_configuration(place.configuration)
    wall = NOW + timedelta(days=after_days)
    return Night(config, place.folder / "report.json", to, lambda: wall).run()


def close(place: Place, after_days: float = 40) -> Path:
    return closes(place, NOW + timedelta(days=after_days))[-1]


def history(place: Place) -> list[str]:
    lines = (place.folder / reports.HISTORY).read_text("utf-8").splitlines()
    return [json.loads(line)["what"] for line in lines]


def verified(report: NightReport) -> NightJournal:
    """What it says of the journal in force."""
    assert report["journal"] is not None
    return report["journal"]


def test_the_first_night_verifies_all_and_the_next_what_is_new(place: Place) -> None:
    first = night(place)
    assert (first["well"], first["problems"], first["well_at"]) == (True, [], first["ended"])
    begun = verified(first)
    assert (begun["from"], begun["whole"]) == (1, True)
    play(place, "open", "wager 2 main 20")
    second = night(place, 1)
    new = verified(second)
    assert (new["from"], new["to"]) == (begun["to"] + 1, well(place.state))
    assert (new["whole"], second["well"], new["whole_at"]) == (False, True, begun["whole_at"])
    assert verified(night(place, 30))["whole"], "all of it again after a month"


def test_a_night_beside_play(place: Place) -> None:
    with running(place):
        report = night(place)
    assert (report["well"], report["problems"]) == (True, [])


def test_what_was_found_is_told_where_the_report_cannot_be_written(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    """A wrong path must not hide a finding."""
    command = ["nightly", "--config", str(place.configuration)]
    nowhere = place.folder / "none" / "report.json"
    assert tablectl([*command, "--report", str(nowhere)]) == 1
    told = capsys.readouterr().out
    assert "verified (whole), well" in told
    assert f"problem: the report {nowhere} cannot be written, and the next night" in told
    assert f"knows nothing of this one: there is no {nowhere.parent}" in told


def test_a_medium_that_cannot_be_written(place: Place, medium: Path, mocker: MockerFixture) -> None:
    file = close(place)
    read_only = OSError(errno.EROFS, os.strerror(errno.EROFS))
    mocker.patch("controller.upkeep.night.medium.copy_compared", side_effect=read_only)
    [problem] = night(place, 41, medium)["problems"]
    assert f"{medium / file.name}: its file system is read-only: " in problem


def test_a_state_directory_that_may_not_be_looked_at(place: Place, mocker: MockerFixture) -> None:
    """It is not one of a table that was never started."""
    no = PermissionError(errno.EACCES, "Permission denied", str(place.state))
    mocker.patch("controller.upkeep.night.night.closed_files", side_effect=no)
    mocker.patch("pathlib.Path.exists", side_effect=no)
    mocker.patch("controller.upkeep.night.night.verify_own", side_effect=NoJournal("not readable"))
    report = night(place)
    assert not report["well"]
    assert report["problems"] == [
        "the journal cannot be verified: not readable",
        f"the closed journals in {place.state} may not be read by this user; be root",
    ]


def test_two_nights_at_once(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    """They would copy to the same names."""
    report = place.folder / "report.json"
    command = ["nightly", "--config", str(place.configuration), "--report", str(report)]
    with (place.folder / "report.json.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert tablectl(command) == 3
        assert "another night is at work" in capsys.readouterr().err
        assert not report.exists()
    assert tablectl(command) == 0
    assert "verified (whole), well" in capsys.readouterr().out
    assert tablectl(command) == 0
    assert "journal: nothing new since entry " in capsys.readouterr().out
    shutil.rmtree(place.state)
    report.unlink()
    assert tablectl(command) == 0
    assert f"there is none in {place.state}" in capsys.readouterr().out


def test_a_monitor_reads_the_report_of_a_night_at_its_usual_place(place: Place) -> None:
    """It knows place and form for itself, since it is no part of the controller."""
    close(place)
    report = night(place, 41)
    read = monitored.read_report(place.folder / "report.json")
    assert read[names.NIGHTLY_WELL] is True
    assert read[names.NIGHTLY_VERIFIED] == verified(report)["to"]
    closed = (names.CLOSED, names.CLOSED_WAITING, names.CLOSED_REMOVED)
    assert [read[name] for name in closed] == [1, 1, 0]
    assert reports.USUAL == monitored.USUAL


def test_a_night_that_could_read_nothing_forgets_nothing(place: Place, tmp_path: Path) -> None:
    shutil.copytree(place.state, tmp_path / "kept")
    play(place, "open", "wager 1 main 10")
    seen = verified(night(place))
    shutil.rmtree(place.state)
    blind = night(place, 1)
    assert (blind["well"], blind["journal"]) == (False, seen)
    shutil.copytree(tmp_path / "kept", place.state)
    assert [one["seq"] for one in verified(night(place, 2))["findings"]] == [seen["to"]]


def alter(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("DROP TRIGGER entry_no_update")
        connection.execute("UPDATE entry SET wall = 'x' WHERE seq = 2")
        connection.commit()


def test_a_changed_entry_is_found_in_a_whole_night(place: Place) -> None:
    alter(place.state / FILE_NAME)
    report = night(place)
    assert not report["well"]
    assert any(one["seq"] == 2 for one in verified(report)["findings"])


def test_a_journal_that_is_gone_is_not_well_and_one_that_never_was_is(tmp_path: Path) -> None:
    place = Place(tmp_path)
    assert night(place)["well"]
    play(place)
    seen = night(place)
    assert seen["well"]
    (place.state / FILE_NAME).unlink()
    for _ in range(3):
        report = night(place)
        assert (report["well"], report["journal"]) == (False, seen["journal"])
        assert "cannot be verified" in report["problems"][0]


def test_a_closed_file_is_verified_taken_kept_and_removed(place: Place, medium: Path) -> None:
    file = close(place)
    first = night(place, 41, medium)
    (one,) = first["closed"]
    assert (one["well"], one["name"], first["removed"]) == (True, file.name, [])
    assert one["taken"] is not None
    assert (medium / file.name).read_bytes() == file.read_bytes()
    assert sorted(path.suffix for path in medium.iterdir()) == [".jsonl", ".sqlite3"]
    kept = night(place, 47, medium)
    assert (kept["removed"], file.exists()) == ([], True)
    last = night(place, 48, medium)
    assert (last["removed"], last["closed"]) == ([file.name], [])
    assert list(file.parent.iterdir()) == []
    assert history(place) == ["taken", "removed"]
    state, archive = str(place.state), str(medium)
    assert tablectl(["journal", "verify", "--state", state, "--archive", archive]) == 0


def test_the_second_copys_file_goes_along_or_both_stay(
    place: Place, medium: Path, mocker: MockerFixture
) -> None:
    """Its medium may not be one that the night may write to."""
    file = close(place)
    copy = place.folder / "copy"
    text = place.configuration.read_text("utf-8")
    place.configuration.write_text(text.replace("[control]", f'copy = "{copy}"\n[control]'))
    copy.mkdir()
    last = int(file.stem.rpartition("-")[2])
    its, anothers = copy / f"journal-to-{last}.sqlite3", copy / f"journal-to-{last + 1}.sqlite3"
    for name in (its, anothers):
        shutil.copy(file, name)
    night(place, 41, medium)
    removes = Path.unlink

    def refused(path: Path, missing_ok: bool = False) -> None:
        if path.parent == copy:
            raise OSError(30, "Read-only file system")
        removes(path, missing_ok)

    mocker.patch.object(Path, "unlink", refused)
    report = night(place, 48, medium)
    assert "cannot be removed" in report["problems"][0]
    assert (report["removed"], file.exists(), its.exists()) == ([], True, True)
    mocker.stopall()
    assert night(place, 49, medium)["removed"] == [file.name]
    assert (its.exists(), anothers.exists()) == (False, True)
    assert history(place) == ["taken", "removed"]


def test_every_time_in_the_report_is_utc(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "<+08>-8")  # as the C library has it, whatever zones are installed
    time.tzset()
    close(place)
    (one,) = night(place, 41)["closed"]
    monkeypatch.undo()
    time.tzset()
    assert datetime.fromisoformat(one["closed"]).utcoffset() == timedelta(0)


def test_what_was_not_taken_is_never_removed(place: Place, medium: Path) -> None:
    file = close(place)
    for day in (41, 400, 4000):
        report = night(place, day)
        assert (report["removed"], len(report["closed"])) == ([], 1)
    gone = medium / "not-mounted"
    report = night(place, 4001, gone)
    assert "put the medium in" in report["problems"][0]
    assert report["well"]
    assert file.exists()


def test_a_directory_on_the_journals_own_disk_is_no_medium(place: Place) -> None:
    file, to = close(place), place.folder / "to"
    to.mkdir()
    assert "is its medium mounted?" in night(place, 41, to)["problems"][0]
    assert (list(to.iterdir()), file.exists()) == ([], True)


def test_a_copy_that_is_gone_is_taken_again_and_nothing_is_removed(
    place: Place, medium: Path
) -> None:
    """Another stick is in by now."""
    file = close(place)
    night(place, 41, medium)
    (medium / file.name).unlink()
    report = night(place, 60, medium)
    assert (report["removed"], report["problems"]) == ([], [])
    assert (medium / file.name).exists()
    assert report["closed"][0]["taken"] is not None
    assert report["closed"][0]["taken"]["at"].startswith(
        (NOW + timedelta(days=60)).strftime("%Y-%m-%d")
    )
    assert night(place, 67, medium)["removed"] == [file.name]


def rot(file: Path) -> None:
    file.chmod(0o600)
    with file.open("r+b") as bytes_:
        bytes_.seek(5000)
        bytes_.write(b"rot")


def test_a_copy_that_rots_keeps_the_file_here(place: Place, medium: Path) -> None:
    file = close(place)
    night(place, 41, medium)
    rot(medium / file.name)
    report = night(place, 60, medium)
    assert "is not what was taken any more" in report["problems"][0]
    assert (report["removed"], file.exists()) == ([], True)


def test_a_closed_file_that_is_not_well_is_neither_taken_nor_removed(
    place: Place, medium: Path
) -> None:
    file = close(place)
    file.chmod(0o600)
    alter(file)
    for day in (41, 400):
        report = night(place, day, medium)
        assert not report["well"]
        assert "is not well, is not taken and stays" in report["problems"][0]
        assert (list(medium.iterdir()), file.exists()) == ([], True)
    assert report["closed"][0]["findings"]


def test_a_medium_without_room_is_said(place: Place, medium: Path, mocker: MockerFixture) -> None:
    file = close(place)
    mocker.patch("controller.upkeep.night.medium.SPARE_BYTES", 1 << 60)
    report = night(place, 41, medium)
    assert "has no room for" in report["problems"][0]
    assert (list(medium.iterdir()), file.exists()) == ([], True)


def test_a_journal_without_its_heads_is_verified_and_that_is_said(place: Place) -> None:
    """So is a closed file."""
    file = close(place)
    beside(file).unlink()
    (place.state / "heads.jsonl").unlink()
    report = night(place, 41)
    assert (report["well"], len(report["problems"])) == (True, 2)
    assert f"{beside(file)} is not there" in str(report["problems"])
    assert "without its signed heads" in str(report["problems"])


@pytest.mark.needs("root")
def test_what_root_makes_by_hand_belongs_to_the_controllers_user(
    place: Place, medium: Path
) -> None:
    file = close(place)
    for there in (place.folder, file, beside(file)):
        os.chown(there, 12345, 12346)
    night(place, 41, medium)
    made = [*medium.iterdir(), place.folder / "report.json", place.folder / reports.HISTORY]
    assert {(path.stat().st_uid, path.stat().st_gid) for path in made} == {(12345, 12346)}


def test_the_command_says_what_it_did(
    place: Place, medium: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = close(place)
    report = place.folder / "report.json"
    words = ["nightly", "--config", str(place.configuration), "--report", str(report)]
    assert tablectl([*words, "--to", str(medium)]) == 0
    told = capsys.readouterr().out
    assert f"closed: {file.name}" in told
    assert f"well, taken to {medium}" in told
    assert report.stat().st_mode & 0o777 == 0o644
    assert tablectl([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(report.read_text("utf-8"))
    assert tablectl([*words, "--to", str(place.folder)]) == 1
    assert "problem:" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": 1}', "\x00", '{"closed": [1]}'])
def test_a_report_that_cannot_be_read_is_none(place: Place, text: str) -> None:
    (place.folder / "report.json").write_text(text, "utf-8")
    report = night(place)
    assert report["well"]
    assert "cannot be read and was put aside" in report["problems"][0]
    assert verified(report)["whole"]
