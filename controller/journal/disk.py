"""The disk under the journal: which errors are its own, and how a new name is made to last."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

_DISK = (
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
)


def of_the_disk(error: sqlite3.DatabaseError) -> bool:
    """Whether the error tells of the disk, and not of what stands on it."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _DISK


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
