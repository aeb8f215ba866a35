"""What a night knows of the one before: a journal that was exchanged, a report that is wrong."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from pytest_mock import MockerFixture

from controller.evidence.verification import Sealed, sealed_if_any
from controller.journal.keys import PublicKey
from controller.journal.reader import ARCHIVE, JournalReader
from controller.upkeep import night_report as reports
from controller.upkeep.night import verification as verifying
from tests.cli.support import Tablectl
from tests.daemon.journaling.aged import with_archive
from tests.daemon.process import Place
from tests.daemon.sealed import play
from tests.upkeep.night.test_night import NOW, close, history, night, verified


def found(place: Place, after_days: float) -> str:
    report = night(place, after_days)
    assert not report["well"]
    return verified(report)["findings"][0]["what"]


def at(day: int) -> str:
    return (NOW + timedelta(days=day)).isoformat(timespec="seconds")


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


def begin_another(place: Place) -> None:
    """No journal is there any more, and the key is."""
    key = (place.state / "key").read_bytes()
    shutil.rmtree(place.state)
    place.state.mkdir()
    (place.state / "key").touch(0o600)
    (place.state / "key").write_bytes(key)


@pytest.mark.parametrize("after_days", [1, 40])
@pytest.mark.parametrize("another", [True, False])
def test_what_the_last_night_saw_is_missed_before_anything_is_played_on_what_is_there(
    place: Place, kept: Path, after_days: int, another: bool
) -> None:
    """An older state of the journal is put back, or another table's is put there; whole, both."""
    before = verified(night(place))
    put_back(place, kept)
    if another:
        begin_another(place)
        play(place, "open", "wager 1 main 10", "wager 2 main 20")
    for later in (0, 1):
        report = night(place, after_days + later)
        assert (report["well"], report["well_at"] == report["ended"]) == (False, False)
        assert verified(report)["whole"]
        seen = [one["seq"] for one in verified(report)["findings"]]
        assert seen == [None if another else before["to"]]


@pytest.mark.parametrize("closes", [False, True])
def test_another_journal_is_found_in_a_night_that_reads_all_of_it(
    place: Place, kept: Path, closes: bool
) -> None:
    """Also where it is closed by then."""
    put_back(place, kept)
    play(place, "open", "undo", "open", "undo")
    if closes:
        close(place)
    assert "than was verified here before" in found(place, 41)


def test_what_is_missing_is_said_every_night_until_it_is_back(place: Place, kept: Path) -> None:
    shutil.copytree(place.state, kept.with_name("genuine"))
    put_back(place, kept)
    for day in (1, 2, 33):
        assert "than was verified here before" in found(place, day)
    put_back(place, kept.with_name("genuine"))
    report = night(place, 34)
    assert (report["well"], "missing" in report) == (True, False)
    assert history(place) == ["missing", "back"]


def test_what_was_played_on_the_wrong_journal_is_missing_once_the_right_one_is_back(
    place: Place, kept: Path
) -> None:
    shutil.copytree(place.state, kept.with_name("genuine"))
    put_back(place, kept)
    play(place, "open", "undo")
    found(place, 1)
    put_back(place, kept.with_name("genuine"))
    assert "than was verified here before" in found(place, 2)
    assert [one["at"] for one in night(place, 3)["missing"]] == [at(1)]


def test_a_second_exchange_is_said_beside_the_first(place: Place, kept: Path) -> None:
    for day in (1, 2):
        begin_another(place)
        play(place, "open", "undo")
        found(place, day)
    report = night(place, 3)
    assert len(verified(report)["findings"]) == 2
    assert [one["at"] for one in report["missing"]] == [at(0), at(1)]


@pytest.mark.parametrize("closings", [0, 1, 2])
def test_what_is_missing_stays_so_whatever_is_closed_and_taken_away(
    place: Place, kept: Path, closings: int
) -> None:
    put_back(place, kept)
    found(place, 1)
    for number in range(closings):
        play(place, "open", "undo")
        close(place, 40 * (number + 1))
        shutil.rmtree(place.state / ARCHIVE)
        report = night(place, 40 * (number + 1) + 1)
        assert not report["well"]
        assert [one["lost"] for one in report["missing"]] == [True]


def test_another_tables_journal_with_a_closed_one_before_it_is_found(
    place: Place, tmp_path: Path
) -> None:
    play(place, *("open", "undo") * 20)
    (tmp_path / "other").mkdir()
    other = Place(tmp_path / "other")
    with_archive(other, after_days=30)
    play(other, "open", "undo")
    close(other)
    shutil.rmtree(other.state / ARCHIVE)
    assert night(place, 41)["well"]
    put_back(place, other.state)
    for day in (42, 43):
        assert "does not go on from" in found(place, day)


def test_what_cannot_be_told_is_a_problem_until_it_can_be(place: Place) -> None:
    assert night(place)["well"]
    for number in (1, 2):
        close(place, 40 * number)
        play(place, "open", "undo")
    (place.state / ARCHIVE).rename(place.folder / "away")
    for day in (81, 82):
        report = night(place, day)
        assert (report["well"], len(report["problems"])) == (True, 1)
        assert "cannot be told" in report["problems"][0]
    (place.folder / "away").rename(place.state / ARCHIVE)
    report = night(place, 83)
    assert (report["well"], report["problems"], "missing" in report) == (True, [], False)


def test_what_is_missing_can_be_accepted_by_somebody_who_says_why(
    place: Place, kept: Path, tablectl: Tablectl
) -> None:
    path = place.folder / "report.json"
    asked = ("nightly", "--config", place.configuration, "--report", path)
    who = ("--by", "Novak", "--why", "the disk was replaced")
    assert "missed nothing" in tablectl(*asked, "--accept", *who).err
    put_back(place, kept)
    night(place, 1)
    [missing] = json.loads(path.read_text("utf-8"))["missing"]
    for wrong in ((), ("--by", " ", "--why", " ")):
        ran = tablectl(*asked, "--accept", *wrong)
        assert (ran.code, "--by NAME" in ran.err) == (2, True)
    assert tablectl(*asked, *who).code == 2  # forgot to say what for
    ran = tablectl(*asked, "--accept", *who)
    assert ran.code == 0
    assert f"accepted: entry {missing['to']} of journal {missing['journal']}" in ran.out
    assert "missing" not in json.loads(path.read_text("utf-8"))
    assert history(place) == ["missing", "accepted"]
    last = path.with_name(reports.HISTORY).read_text("utf-8").splitlines()[-1]
    noted = json.loads(last)
    assert (noted["by"], noted["why"]) == ("Novak", "the disk was replaced")
    assert noted["digest"] == missing["digest"]
    assert night(place, 2)["well"]


def test_a_report_that_is_none_or_another_tables_accepts_nothing(
    place: Place, kept: Path, tablectl: Tablectl
) -> None:
    path = place.folder / "report.json"
    who = ("--report", path, "--accept", "--by", "Novak", "--why", "to see")
    put_back(place, kept)
    night(place, 1)
    (place.folder / "other").mkdir()
    other = Place(place.folder / "other")
    ran = tablectl("nightly", "--config", other.configuration, *who)
    assert (ran.code, f"is the report of {place.state}" in ran.err) == (3, True)
    path.with_name(reports.HISTORY).unlink()
    path.with_name(reports.HISTORY).mkdir()
    ran = tablectl("nightly", "--config", place.configuration, *who)
    assert (ran.code, "nothing is accepted" in ran.err) == (3, True)
    assert json.loads(path.read_text("utf-8"))["missing"]
    path.write_text("{", "utf-8")
    ran = tablectl("nightly", "--config", place.configuration, *who)
    assert (ran.code, "no report that can be read" in ran.err) == (3, True)


def test_a_journal_that_goes_on_from_what_was_verified_is_well(place: Place) -> None:
    assert night(place)["well"]
    close(place)
    play(place, "open", "undo")
    close(place, 80)
    report = night(place, 81)
    assert (report["well"], report["problems"]) == (True, [])


def test_a_journal_that_is_closed_while_a_night_reads_it_is_well(
    place: Place, mocker: MockerFixture
) -> None:
    """Its heads go along with it, so those at hand are of the next one: it is read once more."""
    night(place)
    play(place, "open", "undo")
    closed: list[Path] = []

    def closed_before(
        keys: Sequence[PublicKey], reader: JournalReader, heads: Path
    ) -> Sealed | None:
        closed.extend([] if closed else [close(place, 40)])
        return sealed_if_any(keys, reader, heads)

    mocker.patch.object(verifying, "sealed_if_any", closed_before)
    report = night(place, 41)
    assert (len(closed), report["well"], "missing" in report) == (1, True, False)


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
    assert (report["well"], len(report["problems"])) == (True, 1)
    assert f"is of {place.state} and was put aside" in report["problems"][0]
    kept = reports.read_night_report(other.folder / "report.json.aside")
    assert kept is not None
    assert kept["state"] == str(place.state)
    assert night(other, 2)["problems"] == []


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
    assert "cannot be read and was put aside" in report["problems"][0]
    assert (report["well"], report["removed"], file.exists()) == (True, [], True)
    assert night(place, 401, medium)["problems"] == []


def test_a_report_that_is_a_fifo_keeps_nobody_waiting(place: Place) -> None:
    os.mkfifo(place.folder / "report.json")
    assert reports.read_night_report(place.folder / "report.json") is None
