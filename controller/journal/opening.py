"""Opening a journal's file for writing: checked first, and not touched when it is damaged. The
write-ahead log's housekeeping. The rules:

- The log is looked at before SQLite opens the file (:mod:`controller.journal.log_check`), the
  structure before anything is read or written (:mod:`controller.journal.chain`).
- A log that has grown long is reported: a program that reads the journal without pause keeps it
  from being moved into the file, and every start has to go through all of it.
- A recovery that was begun and not finished is finished first: what stands in the journal's place
  until then is not the journal.
- SQLite, closing a database's last connection, moves its log into it. A damaged one is closed so
  that it does not: an examination finds what the table found.
- ``synchronous`` belongs to the connection and not to the file, so it is set, and read back, at
  every opening: with NORMAL a power cut can lose acknowledged cards.
"""

from __future__ import annotations

import contextlib
import logging
import os
import secrets
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from urllib.parse import quote

from controller.causes.cause import Cause
from controller.causes.places import folder_trouble
from controller.causes.who_may import User, myself
from controller.journal import schema
from controller.journal.chain import SHRINKS, check_structure, shrinks
from controller.journal.errors import (
    DiskFailed,
    NoJournal,
    NotAJournal,
    OtherFormat,
    damaged,
    naming_damage,
    refusal,
)
from controller.journal.lock import LOCK_NAME, check_files
from controller.journal.log_check import FRAME, HEADER, check_log
from controller.regular_files import open_regular, sync_directory

_log = logging.getLogger(__name__)
_FULL = 2
KEPT_WAL_BYTES = 512 << 10
"""What the log keeps after a checkpoint: writing over a file is quicker than lengthening it. Not
more than the size from which it is moved (the committer's), or it would be moved ever after."""

PAGE_BYTES = 1024
"""A commit writes whole pages to the log, at least two: the entry's and the index's. Quarter the
usual size is a quarter of the wear on a memory card; a commit was measured to be quicker by it, and
reading as quick."""

RECOVERING: Final = ".recovering"
"""Behind the journal's name: a recovery's file until it takes the journal's place."""

LONG_LOG_BYTES: Final = 32 << 20
"""From this size on a log is reported: sixty times what it has in order."""


def make_directory(directory: Path) -> None:
    """Have the state directory. Raises DiskFailed, NoJournal: it cannot be made, and that can heal
    by itself, or not."""
    what = f"[state] directory {directory} cannot be used"
    if (cause := directory_trouble(directory, myself())) is not None:
        kind = DiskFailed if cause.heals else NoJournal
        raise kind(f"{what}: {cause.of_the_daemon()}")
    try:
        if not directory.is_dir():
            directory.mkdir(mode=0o750)
            sync_directory(directory.parent)
    except OSError as error:
        raise refusal(what, directory, error) from error


def directory_trouble(directory: Path, user: User) -> Cause | None:
    """What keeps the user from having the state directory there; None for nothing."""
    return folder_trouble(directory, user, (LOCK_NAME, schema.FILE_NAME))


def open_for_writing(path: Path, identity: bytes | None = None) -> sqlite3.Connection:
    """Open the journal with the settings that durability rests on; made if it is not there, named
    by ``identity`` if that is given (a copy has its journal's name)."""
    if path.with_name(path.name + RECOVERING).exists():
        raise damaged(path, "its recovery was begun and not finished; finish it first")
    check_files(path)
    check_log(path)
    if (size := wal_bytes(path)) > LONG_LOG_BYTES:
        _log.warning(
            "%s-wal has %.0f MB, expected less than 1: it was not moved into its file for long. "
            "A program that reads the journal without pause is in the way: find it with "
            "'fuser %s' and end it. The next entry moves the log",
            path,
            size / 1e6,
            path,
        )
    # SQLite gives the log the mode of the file: a technician's group may read both.
    path.touch(mode=0o640)
    # The commit thread takes the connection over from the thread that opened it; SQLite is
    # serialized, and one thread at a time keeps two from sharing a transaction.
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=2.0)
    try:
        connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")  # of a new file only
        configure(connection, path)
        schema.create(connection, path, identity or secrets.token_bytes(16))
        sync_directory(path.parent)
        check_structure(connection, path)
        if shrinks(connection):
            _log.warning("%s is well, but %s", path, SHRINKS)
    except BaseException:
        close_unchanged(connection, path)
        raise
    return connection


@contextlib.contextmanager
def opened_to_play_on(path: Path) -> Iterator[sqlite3.Connection]:
    """Open the journal as whoever plays on it does. Raises whatever keeps it from being played on,
    also where that shows in here; it is closed then, with its files as they were."""
    with naming_damage(path, "it cannot be opened as a journal"):
        connection = open_for_writing(path)
        try:
            yield connection
        except OtherFormat:  # all of it is well, for all that is known here
            connection.close()
            raise
        except BaseException:
            close_unchanged(connection, path)
            raise


def close_unchanged(connection: sqlite3.Connection, path: Path) -> None:
    """Close without having SQLite move the log into the file and take it away."""
    other: sqlite3.Connection | None = None
    with contextlib.suppress(sqlite3.Error):
        # The last to close does the moving, and a reader cannot.
        other = sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode=ro", uri=True)
        other.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    connection.close()
    if other is not None:
        other.close()


def configure(connection: sqlite3.Connection, path: Path) -> None:
    """Set a writing connection up; raise :class:`NotAJournal` where the file system cannot."""
    mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
    connection.execute(f"PRAGMA synchronous = {_FULL}")
    connection.execute("PRAGMA wal_autocheckpoint = 0").fetchone()
    connection.execute(f"PRAGMA journal_size_limit = {KEPT_WAL_BYTES}").fetchone()
    connection.execute("PRAGMA trusted_schema = OFF")
    synchronous = connection.execute("PRAGMA synchronous").fetchone()[0]
    if (mode, synchronous) != ("wal", _FULL):
        raise NotAJournal(
            f"{path} cannot be kept safely: journal mode {mode!r} and synchronous {synchronous}, "
            f"expected 'wal' and {_FULL}; the state directory must be on a local disk"
        )


def checkpoint(connection: sqlite3.Connection) -> tuple[int, int]:
    """Copy into the file what no reader needs in the log any more (PASSIVE: waits for nobody).
    Pages in the log, and how many of them are in the file now: with all of them the next commit
    begins the log again, unless somebody is reading it then."""
    _, log, moved = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    return log, moved


def cut_torn(connection: sqlite3.Connection, path: Path) -> bool:
    """Cut off what lies in the log behind its last commit; whether that was done.

    For the only writer of the file, before its first commit. Frames of a commit that a power cut
    has torn would be written over from the front, and a second torn commit with the rest of the
    first behind it looks like two that were acknowledged (log_check). In a log that is begun again
    they do not count, since its salts are others. But a reader keeps it from being begun again, and
    one whose very first commit was torn is begun again with the same salts. So they are cut off,
    durably, before anything is written there. Where the last commit ends is what SQLite says, and
    nobody reads behind that.
    """
    log_pages, _ = checkpoint(connection)
    if log_pages < 0:
        return False  # another program is moving the log at this moment, and nothing was reported
    page_bytes = connection.execute("PRAGMA page_size").fetchone()[0]
    end = HEADER.size + log_pages * (FRAME.size + page_bytes) if log_pages else 0
    try:
        log = open_regular(path.with_name(path.name + "-wal"), os.O_RDWR)
    except FileNotFoundError:
        return True
    try:
        if os.fstat(log).st_size > end:
            os.ftruncate(log, end)
            os.fsync(log)
    finally:
        os.close(log)
    return True


def wal_bytes(path: Path) -> int:
    """Return the size of a journal's log in bytes, 0 when there is none."""
    try:
        return path.with_name(path.name + "-wal").stat().st_size
    except FileNotFoundError:
        return 0
