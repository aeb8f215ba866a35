"""The settings on which durability rests, and the write-ahead log's housekeeping.

``synchronous`` belongs to the connection and not to the file, so it is set, and read back, at every
opening: with NORMAL a power cut can lose acknowledged cards.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from controller.journal.errors import NotAJournal
from controller.journal.log.log_check import FRAME, HEADER
from controller.regular_files import open_regular

_FULL = 2
KEPT_WAL_BYTES = 512 << 10
"""What the log keeps after a checkpoint: writing over a file is quicker than lengthening it. Not
more than the size from which it is moved (the committer's), or it would be moved ever after."""

PAGE_BYTES = 1024
"""A commit writes whole pages to the log, at least two: the entry's and the index's. Quarter the
usual size is a quarter of the wear on a memory card, and measurably quicker to commit; reading is
as quick (proof/benchmarks/journal_append.py)."""


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
