"""Reading a table's journal, live or stopped, without getting in its way."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.evidence.verify import verify
from controller.journal.errors import NoJournal, NotAJournal, OtherFormat
from controller.journal.reader import JournalReader
from controller.journal.schema import FILE_NAME, FORMAT
from tests.journal.helpers import (
    WALL,
    card,
    drawn,
    entry,
    faults,
    forging,
    moved_whole,
    opened,
    raw,
    reformed,
    sample,
)

WAL = FILE_NAME + "-wal"


def test_a_stopped_journal_is_read_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    written = sample(tmp_path)
    before = sorted(tmp_path.iterdir())
    with JournalReader(tmp_path) as reader:
        assert list(reader.iterate()) == written
        assert list(reader.iterate(8)) == written[8:]
        assert list(reader.iterate(2, 4)) == written[2:4]
        assert reader.head.digest == written[-1].digest
        assert [boot.boot for boot in reader.boots] == [1, 2]
        assert reader.last_of_type("CARD") == written[7]
        assert not reader.stale
    assert sorted(tmp_path.iterdir()) == before


def test_a_live_journal_is_read_up_to_the_last_commit(tmp_path: Path) -> None:
    with opened(tmp_path) as journal, JournalReader(tmp_path) as reader:
        assert list(reader.iterate()) == []
        journal.append([card(1), drawn(7)], 1, WALL)
        assert [found.type for found in reader.iterate()] == ["CARD", "draw"]
        journal.checkpoint()
        journal.append([card(2)], 2, WALL)
        assert reader.head == journal.head


def test_a_reader_that_stops_halfway_does_not_hold_back_checkpoints(tmp_path: Path) -> None:
    with opened(tmp_path) as journal, JournalReader(tmp_path) as reader:
        journal.append([card(number) for number in range(1, 2500)], 1, WALL)
        halfway = reader.iterate()
        assert next(halfway).seq == 1
        journal.append([entry("close")], 2, WALL)
        assert moved_whole(journal)
        assert sum(1 for _ in halfway) == 2498  # up to the head when it began


def test_reader_and_verification_beside_a_busy_writer(tmp_path: Path) -> None:
    with opened(tmp_path) as journal:
        journal.append([card(1)], 1, WALL)
        stop, due = threading.Event(), threading.Semaphore(0)

        def play() -> None:
            number = 1
            while due.acquire() and not stop.is_set():
                number += 1
                journal.append([card(number), entry("x")], number, WALL)
                if number % 40 == 0:
                    journal.checkpoint()

        thread = threading.Thread(target=play)
        thread.start()
        try:
            seen = 0
            while seen < 700:
                assert thread.is_alive()
                due.release(100)  # not more: the journal would outgrow its readers
                with JournalReader(tmp_path) as reader:
                    report = verify(reader)
                    assert report.findings == ()
                    assert report.entries >= seen
                    seen = report.entries
        finally:
            stop.set()
            due.release()
            thread.join()


def test_a_start_while_a_stopped_journal_is_read_is_noticed(tmp_path: Path) -> None:
    sample(tmp_path)
    with JournalReader(tmp_path) as reader, opened(tmp_path):
        assert reader.stale
        assert "repeat" in verify(reader).findings[-1].what


def test_a_reader_cannot_write(tmp_path: Path) -> None:
    sample(tmp_path)
    with JournalReader(tmp_path) as reader, pytest.raises(sqlite3.OperationalError):
        reader.connection.execute("INSERT INTO boot VALUES (9, 'x', 'x', 1)")


def test_what_is_not_there_is_said_plainly(tmp_path: Path) -> None:
    with pytest.raises(NoJournal, match="nowhere does not exist"):
        JournalReader(tmp_path / "nowhere")
    with pytest.raises(NoJournal, match=f"holds no {FILE_NAME}"):
        JournalReader(tmp_path)
    archive = tmp_path / "archive"
    archive.mkdir()
    (archive / "journal-00-000000000001-000000000009.sqlite3").touch()
    with pytest.raises(NoJournal, match=f"copy the one that is wanted as {FILE_NAME}"):
        JournalReader(archive)
    (tmp_path / FILE_NAME).write_bytes(b"something else " * 400)
    with pytest.raises(NotAJournal, match="is no journal of a table"):
        JournalReader(tmp_path)
    with pytest.raises(NoJournal, match="is no directory"):
        JournalReader(tmp_path / FILE_NAME)


def test_other_databases_and_versions_are_said_plainly(tmp_path: Path) -> None:
    with raw(tmp_path) as connection:
        connection.execute("CREATE TABLE mine (x)")
    with pytest.raises(NotAJournal, match="a database, but not a journal"):
        JournalReader(tmp_path)
    (tmp_path / FILE_NAME).unlink()
    sample(tmp_path)
    for version in (FORMAT + 1, 0, -1):
        with raw(tmp_path) as connection:
            connection.execute(f"PRAGMA user_version = {version}")
        for opening in (JournalReader, opened):
            with pytest.raises(OtherFormat, match=f"not of format 1.*its header says {version}"):
                opening(tmp_path)


@pytest.mark.parametrize("form", [None, 0, 2, "1", True])
def test_a_journal_whose_first_entry_says_another_form_is_refused(
    tmp_path: Path, form: object
) -> None:
    sample(tmp_path)
    reformed(tmp_path, form)
    for opening in (JournalReader, opened):
        with pytest.raises(OtherFormat, match="not of format 1: keep that folder, and begin a new"):
            opening(tmp_path)


def test_a_first_entry_that_was_changed_since_is_damage(tmp_path: Path) -> None:
    sample(tmp_path)
    with forging(tmp_path) as connection:
        connection.execute("UPDATE entry SET body = '{}' WHERE seq = 1")
    assert [seq for seq, _ in faults(tmp_path)] == [1]


NOBODY = 65534
AS_NOBODY = f"""
import json, os, sys
from pathlib import Path
from controller.journal.reader import JournalReader
from controller.evidence.verify import verify
if os.geteuid() == 0:
    os.setgroups([]); os.setgid({NOBODY}); os.setuid({NOBODY})
try:
    with JournalReader(Path(sys.argv[1])) as reader:
        print(json.dumps([verify(reader).well, reader.head.seq]))
except Exception as error:
    print(json.dumps([type(error).__name__, str(error)]))
"""


def as_nobody(directory: Path) -> list[object]:
    """Read the journal as a user who may read the directory and not write it."""
    answer = subprocess.run(
        [sys.executable, "-c", AS_NOBODY, directory], capture_output=True, text=True, check=True
    )
    found = json.loads(answer.stdout)
    assert isinstance(found, list)
    return found


@pytest.fixture
def readable() -> Iterator[Path]:
    """A directory that everybody may enter, which pytest's own are not."""
    directory = Path(tempfile.mkdtemp())
    directory.chmod(0o755)
    yield directory
    directory.chmod(0o755)
    shutil.rmtree(directory)


def seal(directory: Path) -> None:
    """Let everybody read and nobody but root write."""
    for file in directory.iterdir():
        file.chmod(0o444)
    directory.chmod(0o555)


def test_a_stopped_journal_is_read_without_the_right_to_write(readable: Path) -> None:
    sample(readable)
    seal(readable)
    assert as_nobody(readable) == [True, 10]


def test_a_live_journal_is_read_without_the_right_to_write(readable: Path) -> None:
    with opened(readable) as journal:
        journal.append([card(1), drawn(7)], 1, WALL)
        seal(readable)
        assert as_nobody(readable) == [True, 2]


def test_a_crashed_journal_is_read_with_its_log(readable: Path) -> None:
    live = readable / "live"
    with opened(live) as journal:
        journal.append([card(1), card(2)], 1, WALL)
        crashed = readable / "crashed"
        crashed.mkdir()
        for file in (FILE_NAME, WAL, FILE_NAME + "-shm"):
            shutil.copy(live / file, crashed)
    seal(crashed)
    assert as_nobody(crashed) == [True, 2]
    crashed.chmod(0o755)
    (crashed / (FILE_NAME + "-shm")).unlink()
    seal(crashed)
    if os.geteuid() == 0:
        kind, said = as_nobody(crashed)
        assert kind == "NoJournal"
        assert "was not stopped in order" in str(said)
    crashed.chmod(0o755)
    with JournalReader(crashed) as reader:
        assert reader.head.seq == 2


def test_a_journal_that_may_not_be_read_says_who_may(readable: Path) -> None:
    sample(readable)
    (readable / FILE_NAME).chmod(0)
    kind, said = as_nobody(readable)
    assert kind == "NoJournal"
    assert "may not be read by this user" in str(said)
