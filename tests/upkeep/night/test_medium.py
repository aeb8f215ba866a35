"""What looks as if a closed journal had been taken, and what lies in wait where one is taken to."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from pytest_mock import MockerFixture

from controller.evidence.heads import beside
from controller.journal.reader import ARCHIVE, closed_files
from controller.upkeep.closure import PARTIAL, tidy
from tests.daemon.process import Place
from tests.upkeep.night.test_night import close, night, rot


def test_a_link_on_the_medium_to_the_file_here_is_no_copy(place: Place, medium: Path) -> None:
    file = close(place)
    (medium / file.name).symlink_to(file)
    for day in (41, 60):
        report = night(place, day, medium)
        assert "it is a symbolic link" in report["problems"][0]
        assert (report["removed"], file.exists()) == ([], True)
        (medium / file.name).unlink(missing_ok=day == 41)
        if day == 41:
            night(place, 42, medium)
            (medium / file.name).unlink()
            (medium / file.name).symlink_to(file)


def test_closed_files_that_were_moved_to_the_medium_are_not_removed_as_their_own_copies(
    place: Place, medium: Path
) -> None:
    """The disk was full, and somebody made room."""
    file = close(place)
    shutil.move(place.state / ARCHIVE, medium / "moved")
    (place.state / ARCHIVE).symlink_to(medium / "moved")
    for day in (41, 60):
        report = night(place, day, medium / "moved")
        assert "is its medium mounted?" in report["problems"][0]
        assert (medium / "moved" / file.name).exists()


def test_heads_that_are_gone_or_rotten_on_the_medium_keep_those_here(
    place: Place, medium: Path
) -> None:
    file = close(place)
    night(place, 41, medium)
    copy = beside(medium / file.name)
    copy.unlink()
    report = night(place, 60, medium)
    assert "is gone: it is taken again" in report["problems"][0]
    assert (report["removed"], file.exists(), beside(file).exists()) == ([], True, True)
    night(place, 61, medium)
    assert copy.read_bytes() == beside(file).read_bytes()
    copy.chmod(0o600)
    copy.write_bytes(b"rot")
    report = night(place, 80, medium)
    assert "is not what was taken any more" in report["problems"][0]
    assert (file.exists(), beside(file).exists()) == (True, True)


def test_what_has_rotted_since_it_was_verified_is_not_taken(place: Place, medium: Path) -> None:
    file = close(place)
    assert night(place, 41)["well"]
    rot(file)
    report = night(place, 42, medium)
    assert not report["well"]
    assert "is not what was verified any more" in report["problems"][0]
    assert list(medium.iterdir()) == []
    report = night(place, 43, medium)
    assert any("is not well, is not taken and stays" in what for what in report["problems"])


def test_what_has_rotted_in_both_places_alike_stays(place: Place, medium: Path) -> None:
    file = close(place)
    night(place, 41, medium)
    rot(file)
    rot(medium / file.name)
    report = night(place, 60, medium)
    assert not report["well"]
    assert (report["removed"], file.exists()) == ([], True)


def test_half_a_copy_of_a_night_that_was_cut_off_does_not_keep_its_own_room_taken(
    place: Place, medium: Path, mocker: MockerFixture
) -> None:
    file = close(place)
    half = medium / (file.name + PARTIAL)
    half.write_bytes(b"half")
    room = mocker.patch("controller.upkeep.night.medium.os.statvfs")
    room.side_effect = lambda _: SimpleNamespace(
        f_bavail=0 if half.exists() else 1 << 40, f_frsize=1
    )
    assert night(place, 41, medium)["problems"] == []
    assert (medium / file.name).exists()


def test_a_file_of_another_name_in_the_archive_keeps_no_other_from_being_taken(
    place: Place, medium: Path
) -> None:
    file = close(place)
    (file.parent / "journal-backup.sqlite3").write_text("by hand")
    report = night(place, 41, medium)
    assert "is named like no closed journal" in report["problems"][0]
    assert (medium / file.name).exists()


def test_a_closed_file_on_another_disk_is_not_the_journal_for_its_inodes_number(
    place: Place, mocker: MockerFixture
) -> None:
    file = close(place)
    own, real = (place.state / "journal.sqlite3").stat(), Path.lstat

    def lstat(path: Path) -> os.stat_result:
        found = real(path)
        if path != file:
            return found
        return os.stat_result((found.st_mode, own.st_ino, own.st_dev + 1, *found[3:]))

    mocker.patch("pathlib.Path.lstat", lstat)
    assert closed_files(place.state) == [file]
    tidy(place.state)
    assert file.exists()


@pytest.fixture
def victim(place: Place) -> Path:
    """A file of root's, that no one else may read or write."""
    made = place.folder / "shadow"
    made.write_text("root:secret\n")
    made.chmod(0o600)
    return made


def test_root_writes_through_no_link_of_the_controllers_user(
    place: Place, medium: Path, victim: Path
) -> None:
    file = close(place)
    if not os.geteuid():
        os.chown(place.folder, 12345, 12345)
    for trap in ("history.jsonl", "report.json.new"):
        (place.folder / trap).symlink_to(victim)
    (medium / (file.name + PARTIAL)).symlink_to(victim)
    report = night(place, 41, medium)
    assert "history.jsonl" in report["problems"][0]
    assert victim.read_text() == "root:secret\n"
    assert victim.stat().st_uid == os.geteuid()
    assert not (medium / file.name).is_symlink()


def test_nor_through_another_name_of_a_file(place: Place, medium: Path, victim: Path) -> None:
    close(place)
    (place.folder / "history.jsonl").hardlink_to(victim)
    assert "has another name besides" in night(place, 41, medium)["problems"][0]
    assert victim.read_text() == "root:secret\n"


@pytest.mark.needs("root")
def test_root_gives_away_what_it_has_made_and_not_what_has_its_name_by_then(
    place: Place, medium: Path, victim: Path, mocker: MockerFixture
) -> None:
    file, real = close(place), os.fsync
    os.chown(place.folder, 12345, 12345)
    made = [medium / (file.name + PARTIAL), place.folder / "report.json.new"]

    def swapped(fd: int) -> None:
        for path in made:
            if path.exists():
                path.unlink()
                path.symlink_to(victim)
        real(fd)

    mocker.patch("os.fsync", swapped)
    night(place, 41, medium)
    assert (victim.stat().st_uid, victim.stat().st_mode & 0o777) == (0, 0o600)
    assert victim.read_text() == "root:secret\n"


def test_root_takes_no_file_that_the_controllers_user_leads_to(
    place: Place, medium: Path, victim: Path
) -> None:
    file = close(place)
    night(place, 41)
    beside(file).unlink()
    beside(file).symlink_to(victim)
    report = night(place, 42, medium)
    assert "it is a symbolic link" in report["problems"][0]
    assert not beside(medium / file.name).exists()


@pytest.mark.parametrize("other", [False, True])
def test_the_second_copys_file_goes_along_only_if_it_ends_with_what_was_taken(
    place: Place, medium: Path, *, other: bool
) -> None:
    """A state that was put back may have gone on otherwise, under the same numbers."""
    file = close(place)
    second = place.folder / "copy"
    second.mkdir()
    kept = second / f"journal-to-{int(file.stem.split('-')[-1])}.sqlite3"
    shutil.copy(file, kept)
    kept.chmod(0o600)
    if other:
        with closing(sqlite3.connect(kept)) as connection:
            connection.execute("DROP TRIGGER entry_no_update")
            connection.execute("UPDATE entry SET digest = zeroblob(32) WHERE seq > 2")
            connection.commit()
    text = place.configuration.read_text("utf-8")
    place.configuration.write_text(text.replace("[control]", f'copy = "{second}"\n[control]'))
    night(place, 41, medium)
    assert night(place, 60, medium)["removed"] == [file.name]
    assert (file.exists(), kept.exists()) == (False, other)
