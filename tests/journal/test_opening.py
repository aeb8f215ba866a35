"""Opening for writing: who is first, what a dead writer left, and what is no journal."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from pytest_mock import MockerFixture

from controller.daemon.main import main
from controller.journal.errors import DiskFailed, JournalError, NoJournal, NotAJournal, StateInUse
from controller.journal.schema import FILE_NAME
from tests.journal.helpers import (
    WALL,
    card,
    check,
    drawn,
    entry,
    forging,
    opened,
    raw,
    sample,
    write,
)


@pytest.fixture(autouse=True)
def _cores_still_permitted(mocker: MockerFixture) -> None:
    """A daemon here is in the tests' own process, whose limits later tests need as they were."""
    mocker.patch("controller.daemon.main.keep_memory_private")


def test_a_second_opener_is_refused_and_told_who_is_first(tmp_path: Path) -> None:
    with opened(tmp_path):
        program = (
            "import sys; from pathlib import Path; from tests.journal.helpers import opened\n"
            "try: opened(Path(sys.argv[1]))\n"
            "except Exception as error: print(type(error).__name__, error)"
        )
        said = subprocess.run(
            [sys.executable, "-c", program, tmp_path], capture_output=True, text=True, check=True
        ).stdout
        assert said.startswith(f"StateInUse {tmp_path} is in use by process {os.getpid()}")
        with pytest.raises(StateInUse, match=f"process {os.getpid()}"):
            opened(tmp_path)
    opened(tmp_path).close()


WRITER = """
import sys
from pathlib import Path
from controller.journal.model import Draft
from tests.journal.helpers import opened
journal = opened(Path(sys.argv[1]))
number = 0
while True:
    number += 1
    draft = Draft("CARD", {"rank": 1}, "shoe", 5, number, number)
    entries = journal.append([draft, Draft("entry", {"n": number})], number, "x")
    if number % 50 == 0:
        journal.checkpoint()
    print(number, flush=True)
"""


@pytest.mark.parametrize("acknowledged", [1, 60, 333])
def test_a_killed_writer_loses_nothing_acknowledged(tmp_path: Path, acknowledged: int) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, tmp_path], stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        for line in writer.stdout:
            if int(line) == acknowledged:
                break
        writer.kill()
        last = max([acknowledged, *(int(line) for line in writer.stdout if line.endswith("\n"))])
    assert check(tmp_path).well
    with opened(tmp_path) as journal:
        stored = journal.stored("shoe", 5)
        assert stored in (last, last + 1)  # one more may have been committed and not yet said
        assert journal.head.seq == 2 * stored
        journal.append([card(stored + 1, session=5)], 1 << 60, WALL)
    assert check(tmp_path).well


@pytest.mark.parametrize("cut", [1, 100, 1000, 1100])
def test_a_torn_log_loses_only_the_commit_that_was_not_acknowledged(
    tmp_path: Path, cut: int
) -> None:
    live, torn = tmp_path / "live", tmp_path / "torn"
    opened(live).close()  # its making is not in the log any more
    with opened(live) as journal:
        journal.append([card(1)], 1, WALL)
        first = journal.wal_bytes
        journal.append([card(2)], 2, WALL)
        torn.mkdir()
        for name in (FILE_NAME, FILE_NAME + "-wal"):
            shutil.copy(live / name, torn)
    os.truncate(torn / (FILE_NAME + "-wal"), first + cut)
    with opened(torn) as journal:
        assert [found.event_no for found in journal.iterate()] == [1]
        journal.append([card(2)], 3, WALL)
    assert check(torn).well


def test_what_is_no_journal_is_left_alone(tmp_path: Path) -> None:
    with raw(tmp_path) as connection:
        connection.execute("CREATE TABLE mine (x)")
    with pytest.raises(NotAJournal, match="not a journal of the table controller"):
        opened(tmp_path)
    (tmp_path / FILE_NAME).write_bytes(b"not a database, " * 100)
    with pytest.raises(NotAJournal, match="cannot be opened as a journal"):
        opened(tmp_path)
    (tmp_path / FILE_NAME).unlink()
    opened(tmp_path).close()  # and the lock was given back each time


def test_a_making_cut_off_by_a_power_failure_is_begun_again(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).touch()
    assert write(tmp_path, card(1))[0].seq == 1


def test_a_place_where_no_journal_can_be_is_named(tmp_path: Path) -> None:
    with pytest.raises(NoJournal, match="missing"):
        opened(tmp_path / "missing" / "state")
    (tmp_path / "file").touch()
    with pytest.raises(JournalError, match="a file where a folder is expected"):
        opened(tmp_path / "file")


def _of_sqlite(code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    "error",
    [
        _of_sqlite(sqlite3.SQLITE_FULL),
        _of_sqlite(sqlite3.SQLITE_IOERR_FSYNC),
        _of_sqlite(sqlite3.SQLITE_READONLY_DIRECTORY),
        OSError(errno.ENOSPC, "No space left on device"),
    ],
    ids=["full", "fsync", "read-only", "os"],
)
def test_a_bad_disk_is_no_damaged_journal(
    tmp_path: Path, mocker: MockerFixture, error: Exception
) -> None:
    written = sample(tmp_path)
    mocker.patch("controller.journal.schema.create", side_effect=error)
    with pytest.raises(
        DiskFailed, match=r"leave the journal there; its disk (fails|is full)"
    ) as raised:
        opened(tmp_path)
    assert "empty directory" not in str(raised.value)
    assert table_controller(tmp_path) == 1
    mocker.stopall()
    with opened(tmp_path) as journal:
        assert list(journal.iterate()) == written


def test_a_damaged_journal_is_no_bad_disk(tmp_path: Path) -> None:
    sample(tmp_path)
    (tmp_path / FILE_NAME).write_bytes(b"this is no database" * 100)
    assert table_controller(tmp_path) == 2


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("UPDATE entry SET body = '[]' WHERE seq = 7", "entry 7 was changed, or does not follow"),
        ("DELETE FROM entry WHERE seq IN (7, 8)", "entries 7 to 8 are missing"),
        ("UPDATE boot SET boot_id = 'x' WHERE boot = 2", "entry 7 was changed"),
        ("DELETE FROM boot WHERE boot = 1", "boot 1 is missing"),
        ("UPDATE journal SET identity = zeroblob(16)", "entry 1 was changed"),
        ("DELETE FROM journal", "it has lost its name"),
        ("DROP INDEX entry_draw", "'entry_draw' not as a controller makes it"),
    ],
)
def test_what_was_changed_is_told_at_the_start_and_left_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], statement: str, told: str
) -> None:
    write(tmp_path, *map(card, (1, 2, 3, 4)), entry("close"), drawn(7))
    write(tmp_path, entry("next"), drawn(8, 2), card(5), card(6), boot_id="boot-two")
    with forging(tmp_path) as connection:
        connection.execute(statement)
    before = (tmp_path / FILE_NAME).read_bytes()
    assert table_controller(tmp_path) == 2
    said = capsys.readouterr().err
    assert told in said
    assert "tablectl journal recover" in said
    assert "Traceback" not in said
    assert (tmp_path / FILE_NAME).read_bytes() == before


def test_who_holds_the_lock_need_not_be_written(tmp_path: Path, mocker: MockerFixture) -> None:
    full = OSError(errno.ENOSPC, "No space left on device")
    mocker.patch("controller.journal.lock.os.pwrite", side_effect=full)
    with opened(tmp_path), pytest.raises(StateInUse, match="another process"):
        opened(tmp_path)


def table_controller(state: Path) -> int:
    """The exit status of the daemon on this state directory, which cannot be opened."""
    example = Path(__file__).parents[2] / "config" / "table.example.toml"
    text = example.read_text("utf-8")
    for place in ("/var/lib/table-controller", "/run/table-controller"):
        text = text.replace(place, str(state))
    config = state / "table.toml"
    config.write_text(text, "utf-8")
    return main(["--config", str(config)])
