"""The journal's files before anything opens them: regular ones, and their log has lost nothing.

The rules:

- SQLite follows a symbolic link and keeps the log beside what it leads to, where nobody would look
  for it; whoever opens a FIFO waits for ever. Neither is opened.
- Everybody who reads a journal looks at its log first, unless a controller has it open: that one
  has looked, and the log changes under its hands.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from controller.journal.errors import NotAJournal
from controller.journal.lock import LOCK_NAME
from controller.journal.log.log_check import check_log
from controller.regular_files import NotRegular, check_own, open_regular

SUFFIXES = ("", "-wal", "-shm")


def check_files(path: Path) -> None:
    """Check that the journal's files are its own.

    Raises:
        NotAJournal: one is a link, a FIFO or a device.
    """
    for suffix in SUFFIXES:
        file = path.with_name(path.name + suffix)
        try:
            check_own(file)
        except NotRegular as error:
            raise NotAJournal(
                f"{file} is not opened: {error.strerror}. A journal is never a link or a device; "
                "put the file itself there, with the log that lies beside it, or name the "
                "directory where they are"
            ) from error


def check_before_reading(path: Path) -> None:
    """The same, and the log of a journal that no controller has open.

    Raises:
        NotAJournal: a file is none of its own. DamagedJournal: the log has lost something.
        OSError: they cannot be read.
    """
    check_files(path)
    if not _in_use(path.parent):
        check_log(path)


class InPlace:
    """The files of an open journal: whether they still are those under its name."""

    def __init__(self, path: Path) -> None:
        self._files = {
            file: (found.st_dev, found.st_ino)
            for suffix in ("", "-wal")
            if (found := _stat_or_none(file := path.with_name(path.name + suffix))) is not None
        }

    def gone(self) -> Path | None:
        """The file that is not there any more, or is another one; None where all are."""
        for file, known in self._files.items():
            found = _stat_or_none(file)
            if found is None or (found.st_dev, found.st_ino) != known:
                return file
        return None


def _stat_or_none(path: Path) -> os.stat_result | None:
    try:
        return path.lstat()
    except FileNotFoundError:
        return None


def _in_use(directory: Path) -> bool:
    """Whether a process owns the directory, or it cannot be told."""
    try:
        fd = open_regular(directory / LOCK_NAME)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(fd)
    return False
