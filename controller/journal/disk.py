"""The disk under the journal: which errors come from the disk and which indicate damage, and how a
new file name is made durable."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.journal.errors import DiskFailed, damaged

_DISK = (
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_INTERRUPT,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
)


def of_the_disk(error: sqlite3.DatabaseError) -> bool:
    """Whether the error tells of the disk, and not of what stands on it."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _DISK


@contextmanager
def naming_damage(path: Path, where: str) -> Iterator[None]:
    """Whatever reading a journal's file may raise, as an error of the journal that says ``where``:
    bytes that were changed make numbers of texts and texts that are none, not only SQLite's own
    errors."""
    try:
        yield
    except (sqlite3.DatabaseError, TypeError, ValueError, OverflowError, RecursionError) as error:
        if isinstance(error, sqlite3.DatabaseError) and of_the_disk(error):
            raise DiskFailed(
                f"{path} cannot be read ({error}), {where}; look at the disk, which is full or "
                "failing ('df', 'dmesg'), and leave the journal there"
            ) from error
        raise damaged(path, f"{where}: {error}") from error


def sync_directory(directory: Path) -> None:
    """Make the names of new files durable: without it a power cut may take the whole file."""
    fd = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def sync_file(path: Path) -> None:
    """Make a file's content durable."""
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
