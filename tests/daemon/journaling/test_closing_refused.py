"""Journals that no start may play on are not closed either: nothing would find it any more."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.evidence.trust import add_key
from controller.journal.keys import ControllerKey
from controller.journal.reader import ARCHIVE, JournalReader
from controller.journal.schema import FILE_NAME
from controller.replay.counted_table import CountedTable
from controller.replay.recovery import recover
from controller.table.snapshot import BadSnapshot
from controller.upkeep import due as due_module
from controller.upkeep import next_start
from controller.upkeep.due import first_written
from controller.upkeep.second_copy import JournalCopy
from tests.daemon.journaling.aged import LONG_AGO, closes, play_at, with_archive
from tests.daemon.process import Place, running


@pytest.fixture
def old(tmp_path: Path, mocker: MockerFixture) -> Place:
    """A table that was played at forty days ago, and closes its journal after thirty; with a second
    copy, which is level."""
    place = Place(tmp_path, copied=True)
    with_archive(place, after_days=30)
    play_at(LONG_AGO, mocker, place)
    level(place)
    return place


def level(place: Place) -> None:
    with JournalReader(place.state) as reader, closing(copy_of(place, reader)) as copy:
        while copy.copy_next():
            pass


def copy_of(place: Place, reader: JournalReader) -> JournalCopy:
    return JournalCopy(place.folder / "copy", reader)


def test_with_a_level_copy_it_is_closed_and_the_copy_goes_along(old: Place) -> None:
    (file,) = closes(old)
    level(old)
    last = int(file.stem.split("-")[-1])
    assert (old.folder / "copy" / f"journal-to-{last}.sqlite3").exists()


def test_a_copy_that_is_behind_is_waited_for(
    old: Place, mocker: MockerFixture, caplog: pytest.LogCaptureFixture
) -> None:
    play_at(LONG_AGO, mocker, old, "open", "undo")
    assert closes(old) == []
    assert "and is not: its second copy" in caplog.text
    level(old)
    assert len(closes(old)) == 1


def test_a_journal_that_has_lost_its_end_stays_and_the_table_closed(
    old: Place, mocker: MockerFixture
) -> None:
    """An older state was put back. Closed, its copy would be taken for another table's, and the
    table be played without what it had acknowledged."""
    shutil.copytree(old.state, old.folder / "kept")
    play_at(LONG_AGO, mocker, old, "open", "undo")
    level(old)
    shutil.rmtree(old.state)
    shutil.copytree(old.folder / "kept", old.state)
    with pytest.raises(AssertionError), running(old):
        pass
    assert not (old.state / ARCHIVE).exists()
    assert "has lost what it had acknowledged" in (old.folder / "log").read_text("utf-8")


def test_a_copy_that_is_gone_or_hangs_is_waited_for(
    old: Place, mocker: MockerFixture, caplog: pytest.LogCaptureFixture
) -> None:
    mocker.patch.object(due_module, "COMPARED_S", 0.05)
    let_go = threading.Event()
    mocker.patch.object(due_module, "_read_end", side_effect=lambda _: let_go.wait())
    assert closes(old) == []
    assert "it does not answer" in caplog.text
    let_go.set()
    mocker.stopall()
    shutil.rmtree(old.folder / "copy")
    assert closes(old) == []
    assert "cannot be read" in caplog.text


def damage(place: Place, *statements: str) -> None:
    with closing(sqlite3.connect(place.state / FILE_NAME)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def test_a_damaged_journal_is_left_for_the_start_to_find(old: Place) -> None:
    damage(old, "DROP TRIGGER entry_no_update")
    before = (old.state / FILE_NAME).read_bytes()
    assert closes(old) == []
    assert (old.state / FILE_NAME).read_bytes() == before


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("DELETE FROM signed", "it has no signed row"),
        ("UPDATE signed SET wall = wall || ' '", "not signed with a key that is known here"),
        ("DROP TABLE signed", "the table of it is not there"),
    ],
)
def test_a_journal_that_nobody_signed_to_its_end_is_left_for_the_start_to_hold(
    old: Place, caplog: pytest.LogCaptureFixture, change: str, words: str
) -> None:
    damage(old, change)
    assert closes(old) == []
    assert words in caplog.text or change.startswith("DROP")  # of the file's form


def test_a_journal_of_another_key_is_left_for_the_start_to_hold(
    old: Place, caplog: pytest.LogCaptureFixture
) -> None:
    """Also where both count: closed, nothing would find any more that the key was exchanged."""
    with JournalReader(old.state) as reader:
        next_start.request_closing(old.state, reader.identity)
    (old.state / "key").unlink()
    add_key(old.configuration.with_name("journal.vkey"), ControllerKey(old.state / "key").public)
    assert closes(old) == []
    assert "signed with another key than this controller's" in caplog.text


def test_a_journal_whose_recovery_was_not_finished_is_left(old: Place) -> None:
    (old.state / f"{FILE_NAME}.recovering").touch()
    assert closes(old) == []


def test_a_journal_that_comes_out_otherwise_is_left_for_the_start_to_hold(
    old: Place, mocker: MockerFixture, caplog: pytest.LogCaptureFixture
) -> None:
    """The one after it would begin with what came out, and nobody would be told."""
    mocker.patch.object(
        due_module, "recover", lambda *given: replace(recover(*given), differences=["entry 3: x"])
    )
    assert closes(old) == []
    assert "comes out otherwise: entry 3: x" in caplog.text


def test_a_play_that_no_snapshot_can_hold_keeps_no_table_shut(
    old: Place, mocker: MockerFixture, caplog: pytest.LogCaptureFixture
) -> None:
    mocker.patch.object(CountedTable, "dump", side_effect=BadSnapshot("x"))
    assert closes(old) == []
    assert "and is not: x" in caplog.text


@pytest.mark.parametrize("change", ["UPDATE entry SET body = '{'", "DELETE FROM entry"])
def test_a_first_entry_that_cannot_be_read_is_no_reason_to_close(old: Place, change: str) -> None:
    """Nor to end: the scrubber says what is wrong there."""
    names = ("entry_no_update", "entry_no_delete")
    with JournalReader(old.state) as reader:
        query = "SELECT sql FROM sqlite_schema WHERE name IN (?, ?)"
        made = [sql for (sql,) in reader.connection.execute(query, names)]
    drop = [f"DROP TRIGGER {name}" for name in names]
    damage(old, *drop, f"{change} WHERE seq = 1", *made)
    with JournalReader(old.state) as reader:
        assert first_written(reader) is None
    assert closes(old) == []
