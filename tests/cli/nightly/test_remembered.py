"""What a night knows of the one before: a journal that was exchanged, a report that is wrong."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from controller.cli.exits import DONE, NOT_PERMITTED, WRONG_USE
from controller.cli.main import main
from controller.files import night_report as reports
from controller.journal.copies.closing import ARCHIVE
from tests.cli.nightly.test_night import close, night
from tests.daemon.process import Place
from tests.daemon.sealed import play


def found(place: Place, after_days: float) -> str:
    report = night(place, after_days)
    assert not report["well"]
    assert report["journal"] is not None
    return report["journal"]["findings"][0]["what"]


@pytest.fixture
def kept(place: Place, tmp_path: Path) -> Path:
    """The state before something more was played, which a night has verified."""
    shutil.copytree(place.state, tmp_path / "kept")
    play(place, "open", "wager 1 main 10")
    assert night(place)["well"]
    return tmp_path / "kept"


def put_back(place: Place, kept: Path) -> None:
    shutil.rmtree(place.state)
    shutil.copytree(kept, place.state)


@pytest.mark.parametrize("after_days", [1, 40])
@pytest.mark.parametrize("another", [True, False])
def test_what_the_last_night_saw_is_missed_before_anything_is_played_on_what_is_there(
    place: Place, kept: Path, after_days: int, another: bool
) -> None:
    """An older state of the journal is put back, or another table's is put there; whole, both."""
    before = night(place)["journal"]
    assert before is not None
    put_back(place, kept)
    if another:
        shutil.rmtree(place.state)
        play(place, "open", "wager 1 main 10", "wager 2 main 20")
    for later in (0, 1):
        report = night(place, after_days + later)
        assert (report["well"], report["well_at"] == report["ended"]) == (False, False)
        assert report["journal"] is not None
        assert report["journal"]["whole"]
        seen = [one["seq"] for one in report["journal"]["findings"]]
        assert seen == [None if another else before["to"]]


def test_another_journal_is_found_in_a_night_that_reads_all_of_it(place: Place, kept: Path) -> None:
    put_back(place, kept)
    play(place, "open", "wager 3 main 30", "wager 4 main 40")
    assert "than was verified here before" in found(place, 31)


def test_a_closed_journal_that_is_another_one_is_found(place: Place, kept: Path) -> None:
    put_back(place, kept)
    play(place, "open", "undo", "open", "undo")
    close(place)
    assert "than was verified here before" in found(place, 41)


def test_what_is_missing_is_said_every_night_until_it_is_back(place: Place, kept: Path) -> None:
    shutil.copytree(place.state, kept.with_name("genuine"))
    put_back(place, kept)
    play(place, "open", "undo")
    for day in (1, 2, 33):
        assert "than was verified here before" in found(place, day)
    put_back(place, kept.with_name("genuine"))
    report = night(place, 34)
    assert (report["well"], "missing" in report) == (True, False)


def test_what_is_missing_can_be_accepted_by_somebody_who_says_why(
    place: Place, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = place.folder / "report.json"
    asked = ("nightly", "--config", str(place.configuration), "--report", str(path), "--accept")
    who = ("--by", "Novak", "--why", "the disk was replaced")
    assert main([*asked, *who]) == NOT_PERMITTED
    assert "nothing is missing" in capsys.readouterr().err
    put_back(place, kept)
    night(place, 1)
    missing = json.loads(path.read_text("utf-8"))["missing"]
    assert main(asked) == WRONG_USE
    assert "--by NAME" in capsys.readouterr().err
    assert main([*asked, *who]) == DONE
    assert "missing" not in json.loads(path.read_text("utf-8"))
    noted = json.loads(path.with_name(reports.HISTORY).read_text("utf-8"))
    assert (noted["by"], noted["why"]) == ("Novak", "the disk was replaced")
    assert {key: noted[key] for key in ("journal", "to", "digest")} == {
        key: missing[key] for key in ("journal", "to", "digest")
    }
    assert night(place, 2)["well"]


def test_what_is_missing_stays_missing_while_it_cannot_be_told(place: Place, kept: Path) -> None:
    put_back(place, kept)
    found(place, 1)
    for number in (1, 2):
        play(place, "open", "undo")
        close(place, 40 * number)
    shutil.rmtree(place.state / ARCHIVE)
    assert "missing" in night(place, 82)


def test_a_journal_that_goes_on_from_what_was_verified_is_well(place: Place) -> None:
    assert night(place)["well"]
    close(place)
    play(place, "open", "undo")
    close(place, 80)
    report = night(place, 81)
    assert (report["well"], report["problems"]) == (True, [])


@pytest.mark.parametrize("closings", [1, 2])
def test_closed_files_that_were_taken_away_by_hand_are_not_taken_for_an_exchange(
    place: Place, closings: int
) -> None:
    assert night(place)["well"]
    for number in range(closings):
        close(place, 40 * (number + 1))
        play(place, "open", "undo")
    shutil.rmtree(place.state / ARCHIVE)
    report = night(place, 81)
    assert report["well"]
    assert len(report["problems"]) == closings - 1
    assert all("cannot be told" in what for what in report["problems"])


def test_a_report_of_another_state_directory_is_no_memory_of_this_one(
    place: Place, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    other = Place(tmp_path / "other")
    play(other)
    night(place)
    shutil.copy(place.folder / "report.json", other.folder)
    report = night(other, 1)
    assert (report["well"], report["problems"]) == (True, [])


@pytest.mark.parametrize(
    "change",
    [
        lambda report: report["journal"].update(whole_at="noon"),
        lambda report: report["journal"].update(whole_at="2026-01-01"),
        lambda report: report["journal"].update(digest="zz"),
        lambda report: report["closed"][0]["taken"].update(at="noon"),
        lambda report: report["closed"][0]["taken"].update(at="2020-01-01T00:00:00"),
        lambda report: report["closed"][0].update(sha256="zz"),
        lambda report: report.update(table="x" * reports.MOST_BYTES),
    ],
)
def test_a_report_with_impossible_values_is_none_and_keeps_no_night_from_being_done(
    place: Place, medium: Path, change: Callable[[Any], None]
) -> None:
    file = close(place)
    night(place, 41, medium)
    path = place.folder / "report.json"
    told = json.loads(path.read_text("utf-8"))
    change(told)
    path.write_text(json.dumps(told), "utf-8")
    report = night(place, 400, medium)
    assert "cannot be read: all is verified anew" in report["problems"][0]
    assert (report["well"], report["removed"], file.exists()) == (True, [], True)
    assert night(place, 401, medium)["problems"] == []


def test_a_report_that_is_a_fifo_keeps_nobody_waiting(place: Place) -> None:
    os.mkfifo(place.folder / "report.json")
    assert reports.read(place.folder / "report.json") is None
