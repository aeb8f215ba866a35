"""The disk under the journal: which errors come from the disk and which indicate damage, what is to
be done about them, and how a new file name is made durable."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.journal.errors import DiskFailed, damaged
from controller.regular_files import open_regular

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


_FULL = (errno.ENOSPC, errno.EDQUOT)
_OF_THE_DISK = (*_FULL, errno.EROFS, errno.EIO, errno.ENXIO, errno.ENODEV, errno.ETIMEDOUT)

_LEAST_BYTES = 64 << 10
"""With less than this much room on it a disk counts as full."""

_AGAIN = "the controller goes on by itself half a minute after that"


def fails_the_disk(error: OSError) -> bool:
    """Whether a call failed for the disk, and not for a name or a right."""
    return error.errno in _OF_THE_DISK


def is_read_only(directory: Path) -> bool:
    """Whether nothing can be written there; no medium is asked for that."""
    return bool(os.statvfs(directory).f_flag & os.ST_RDONLY)


def ails(directory: Path, error: BaseException | None = None) -> str:
    """What is wrong with the disk under ``directory`` as far as it says so itself, and the next
    step, in words that follow a semicolon. SQLite hands no error of the system on, so the file
    system is asked as well, for a file without a name: after an error ext4 refuses that as
    read-only, and says so in no other way."""
    number = error.errno if isinstance(error, OSError) else 0
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    read_only = number == errno.EROFS
    full = number in _FULL or code == sqlite3.SQLITE_FULL
    try:
        found = os.statvfs(directory)
    except OSError:
        pass
    else:
        read_only = read_only or bool(found.f_flag & os.ST_RDONLY)
        full = full or found.f_bavail * found.f_frsize < _LEAST_BYTES
    try:
        os.close(os.open(directory, os.O_TMPFILE | os.O_WRONLY | os.O_CLOEXEC, 0o600))
    except OSError as refused:
        read_only = read_only or refused.errno == errno.EROFS
    if read_only:
        return (
            "its file system is read-only. The kernel makes it so after an error of the disk: "
            "'dmesg' says which. Restart the machine, which checks and mounts it anew; if it "
            "happens again, exchange the disk"
        )
    if full:
        return (
            f"its disk is full: 'df -h {directory}'. Make room by removing what is not the "
            f"table's; the journal itself is made shorter by 'tablectl journal archive'; {_AGAIN}"
        )
    return (
        "its disk fails: 'dmesg' says how. Look at its plug and supply, and exchange it where that "
        f"does not help; where it answers again, {_AGAIN}"
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
                f"{path} cannot be read ({error}), {where}; look at the disk and leave the journal "
                f"there: {ails(path.parent, error)}"
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
    fd = open_regular(path)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
