"""The second copy: level with its journal, or telling what is wrong with one of the two."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from controller.journal.errors import DamagedJournal, DiskFailed, StateInUse
from controller.journal.reader import JournalReader
from controller.journal.schema import FILE_NAME
from controller.upkeep.second_copy import SLICE, JournalCopy, Relation
from tests.journal.helpers import card, check, drawn, entry, forging, opened, sample, write
from tests.upkeep.archives import closed


@contextmanager
def copying(folder: Path) -> Iterator[JournalCopy]:
    with JournalReader(folder / "state") as reader:
        copy = JournalCopy(folder / "copy", reader)
        try:
            yield copy
        finally:
            copy.close()


def copied(folder: Path) -> int:
    with copying(folder) as copy:
        assert copy.standing().relation is Relation.BEHIND
        while copy.copy_next():
            pass
        return copy.last


def contents(directory: Path) -> list[list[tuple[object, ...]]]:
    with closing(sqlite3.connect(directory / FILE_NAME)) as connection:
        return [
            connection.execute(f"SELECT * FROM {table}").fetchall() for table in ("boot", "entry")
        ] + [connection.execute("SELECT identity FROM journal").fetchall()]


def test_a_copy_has_the_same_name_and_the_same_entries(tmp_path: Path) -> None:
    sample(tmp_path / "state")
    assert copied(tmp_path) == 10
    assert contents(tmp_path / "copy") == contents(tmp_path / "state")
    assert check(tmp_path / "copy") == check(tmp_path / "state")
    # And it is a journal to be gone on with, by its name, numbers and positions.
    with opened(tmp_path / "copy", boot_id="boot-two") as journal:
        assert journal.latest_stored() == {"shoe": (0xCAFE_F00D, 6)}


def test_it_catches_up_in_slices_and_beside_a_writer(tmp_path: Path) -> None:
    cards = iter(map(card, range(1, 1000)))
    with opened(tmp_path / "state", boot_id="boot") as journal:
        journal.append([next(cards) for _ in range(2 * SLICE + 7)], 1, "w")
        with copying(tmp_path) as copy:
            assert [copy.copy_next(), copy.copy_next()] == [SLICE, SLICE]
            journal.append([next(cards)], 2, "w")
            assert [copy.copy_next(), copy.copy_next()] == [8, 0]
            copy.tidy()
            assert copy.last == journal.head.seq
    assert contents(tmp_path / "copy") == contents(tmp_path / "state")


def test_a_copy_has_one_writer(tmp_path: Path) -> None:
    sample(tmp_path / "state")
    with copying(tmp_path), JournalReader(tmp_path / "state") as reader:
        with pytest.raises(StateInUse):
            JournalCopy(tmp_path / "copy", reader)
        with pytest.raises(StateInUse):
            opened(tmp_path / "copy")


def standing(folder: Path) -> tuple[Relation, str]:
    before = contents(folder / "copy")
    with copying(folder) as copy:
        told = copy.standing()
    assert contents(folder / "copy") == before
    return told.relation, told.what


def test_a_journal_that_lost_its_end_is_behind_its_copy(tmp_path: Path) -> None:
    sample(tmp_path / "state")
    shutil.copytree(tmp_path / "state", tmp_path / "older")
    write(tmp_path / "state", entry("open"), boot_id="boot-two")
    assert copied(tmp_path) == 11
    shutil.rmtree(tmp_path / "state")
    shutil.copytree(tmp_path / "older", tmp_path / "state")
    what = "the journal ends with entry 10, its copy goes on to 11"
    assert standing(tmp_path) == (Relation.AHEAD, what)
    # Played on instead of recovered, it is another one.
    write(tmp_path / "state", entry("close"), entry("next"), boot_id="boot-two")
    assert standing(tmp_path) == (Relation.DIFFERS, "entry 11 is not the same in both")


def test_a_journal_made_anew_is_behind_its_copy_until_it_is_played_on(tmp_path: Path) -> None:
    sample(tmp_path / "state")
    copied(tmp_path)
    shutil.rmtree(tmp_path / "state")
    opened(tmp_path / "state").close()
    what = "the journal was made anew, its copy has entries up to 10"
    assert standing(tmp_path) == (Relation.AHEAD, what)
    sample(tmp_path / "state")
    assert standing(tmp_path) == (Relation.DIFFERS, "they are two different journals")


@pytest.mark.parametrize("copied_before", [10, 11])
def test_a_copy_of_an_older_journal_gets_nothing_of_one_that_goes_on_from_another(
    tmp_path: Path, copied_before: int
) -> None:
    """Its medium was away while the journal was archived twice, or it goes further than what was
    archived: it stays as it is, for people to look at."""
    (tmp_path / "archive").mkdir()
    sample(tmp_path / "state")
    shutil.copytree(tmp_path / "state", tmp_path / "kept")
    write(tmp_path / "state", entry("open"), boot_id="boot-two")
    assert copied(tmp_path) == 11
    if copied_before == 11:
        shutil.rmtree(tmp_path / "state")
        shutil.copytree(tmp_path / "kept", tmp_path / "state")
    closed(tmp_path / "state")
    if copied_before == 10:
        write(tmp_path / "state", entry("open"), boot_id="boot-two")
        closed(tmp_path / "state")
    assert standing(tmp_path) == (Relation.DIFFERS, "they are two different journals")
    assert check(tmp_path / "copy").well


def test_a_copy_that_somebody_reads_is_not_put_aside_under_his_hands(tmp_path: Path) -> None:
    (tmp_path / "archive").mkdir()
    sample(tmp_path / "state")
    copied(tmp_path)
    closed(tmp_path / "state")
    with closing(sqlite3.connect(tmp_path / "copy" / FILE_NAME)) as somebody:
        assert somebody.execute("SELECT count(*) FROM entry").fetchone() == (10,)
        with pytest.raises(DiskFailed, match="read by another program"), copying(tmp_path):
            pass
    assert copied(tmp_path) == 11


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("UPDATE entry SET body = '{}' WHERE seq = 9", "entry 9 was changed"),
        ("DELETE FROM entry WHERE seq = 9", "entry 9 is missing"),
        ("UPDATE boot SET wall = 'then' WHERE boot = 2", "the beginning of boot 2 was changed"),
        ("UPDATE boot SET after_seq = 5 WHERE boot = 2", "the beginning of boot 2 was changed"),
        ("UPDATE boot SET boot_id = 'other' WHERE boot = 2", "entry 7 was changed"),
    ],
)
def test_what_does_not_follow_is_not_copied(tmp_path: Path, statement: str, told: str) -> None:
    sample(tmp_path / "state")
    copied(tmp_path)
    shutil.rmtree(tmp_path / "copy")
    with forging(tmp_path / "state") as connection:
        connection.execute(statement)
    with copying(tmp_path) as copy:
        with pytest.raises(DamagedJournal, match=told):
            copy.copy_next()
        assert copy.last == 0
    assert check(tmp_path / "copy").entries == 0


def test_a_boot_that_the_copy_has_is_gone_on_with(tmp_path: Path) -> None:
    """Whatever is copied at a time, each boot's row comes with its first entry, and once."""
    sample(tmp_path / "state")
    for most in (3, 2, 4, 1):
        with copying(tmp_path) as copy:
            assert copy.copy_next(most) == most
        assert check(tmp_path / "copy").well
    assert contents(tmp_path / "copy") == contents(tmp_path / "state")


def test_text_that_is_none_is_the_journals_damage(tmp_path: Path) -> None:
    sample(tmp_path / "state")
    with forging(tmp_path / "state") as connection:
        connection.execute("UPDATE entry SET wall = CAST(x'ff' AS TEXT) WHERE seq = 9")
    with copying(tmp_path) as copy, pytest.raises(DamagedJournal, match="beyond entry 0"):
        copy.copy_next()


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    sample(tmp_path / "state")
    (tmp_path / "copy").touch()
    with JournalReader(tmp_path / "state") as reader:
        with pytest.raises(DiskFailed, match=r"\[state\] copy .*something stands there already"):
            JournalCopy(tmp_path / "copy", reader)
        (tmp_path / "copy").unlink()
        (tmp_path / "copy").mkdir()
        (tmp_path / "copy" / FILE_NAME).write_bytes(b"this is no database" * 100)
        with pytest.raises(DamagedJournal):
            JournalCopy(tmp_path / "copy", reader)
        (tmp_path / "copy" / FILE_NAME).unlink()
        JournalCopy(tmp_path / "copy", reader).close()  # the lock was given back each time


def test_a_draw_is_copied_once(tmp_path: Path) -> None:
    write(tmp_path / "state", drawn(7), drawn(8))
    copied(tmp_path)
    assert copied(tmp_path) == 2
