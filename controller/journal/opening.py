"""Opening a journal's file for writing: checked first, and not touched when it is damaged.

The rules:

- The log is looked at before SQLite opens the file (:mod:`controller.journal.log.log_check`), the
  structure before anything is read or written (:mod:`controller.journal.intact`).
- A log that has grown long is reported: a program that reads the journal without pause keeps it
  from being moved into the file, and every start has to go through all of it.
- A recovery that was begun and not finished is finished first: what stands in the journal's place
  until then is not the journal.
- SQLite, closing a database's last connection, moves its log into it. A damaged one is closed so
  that it does not: an examination finds what the table found.
"""

from __future__ import annotations

import contextlib
import logging
import secrets
import sqlite3
from pathlib import Path
from typing import Final
from urllib.parse import quote

from controller.causes.cause import Cause
from controller.causes.places import folder_trouble
from controller.causes.who_may import User, myself
from controller.journal import schema
from controller.journal.disk import naming_damage, refusal
from controller.journal.errors import DiskFailed, NoJournal, OtherFormat, damaged
from controller.journal.events import EventPosition, load_positions
from controller.journal.intact import (
    SHRINKS,
    check_beginning,
    check_format,
    check_positions,
    check_structure,
    shrinks,
)
from controller.journal.lock import LOCK_NAME
from controller.journal.log.log_check import check_log
from controller.journal.log.own_files import check_files
from controller.journal.log.wal import PAGE_BYTES, configure, wal_bytes
from controller.regular_files import sync_directory

_log = logging.getLogger(__name__)

RECOVERING: Final = ".recovering"
"""Behind the journal's name: a recovery's file until it takes the journal's place."""

LONG_LOG_BYTES: Final = 32 << 20
"""From this size on a log is reported: sixty times what it has in order."""


def make_directory(directory: Path) -> None:
    """Have the state directory.

    Raises:
        DiskFailed, NoJournal: it cannot be made, and that can heal by itself, or not.
    """
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


def check_as_opened(path: Path) -> None:
    """Open the journal as whoever plays on it does, and close it again: raises whatever keeps it
    from being played on, with its files as they were."""
    with naming_damage(path, "it cannot be opened as a journal"):
        connection = open_for_writing(path)
        try:
            checked_positions(connection, path)
        except OtherFormat:
            connection.close()
            raise
        except BaseException:
            close_unchanged(connection, path)
            raise
        connection.close()


def checked_positions(
    connection: sqlite3.Connection, path: Path
) -> dict[tuple[str, int], EventPosition]:
    """Up to where each device's events are stored; checked, as the journal's beginning
    is."""
    check_format(connection, path)
    check_beginning(connection, path)
    positions = load_positions(connection)
    check_positions(connection, path, positions)
    return positions


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
