"""The disk under the journal: which errors come from the disk and which indicate damage, and what
is to be done about them."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.causes.cause import Kind
from controller.causes.finding import cause_by, cause_of, kind_on_disk
from controller.causes.sqlite import of_content
from controller.journal.errors import DiskFailed, JournalError, NoJournal, damaged


def refusal(what: str, path: Path, error: BaseException) -> JournalError:
    """The error for a call on ``path`` that failed, which ``what`` says: :class:`DiskFailed` where
    it can heal by itself, :class:`NoJournal` where somebody has to set something right."""
    cause = cause_of(error, path)
    kind = DiskFailed if cause.heals else NoJournal
    return kind(f"{what}; {cause.of_the_daemon()}")


def is_read_only(directory: Path) -> bool:
    """Whether nothing can be written there; no medium is asked for that."""
    return bool(os.statvfs(directory).f_flag & os.ST_RDONLY)


def ails(path: Path, error: BaseException | None = None) -> str:
    """Why a call on ``path`` failed, the next step, and how the controller goes on, in words that
    follow a semicolon; without an ``error`` what the file system says of itself."""
    if error is None:
        return cause_by(kind_on_disk(path) or Kind.FAILS, path).of_the_daemon()
    return cause_of(error, path).of_the_daemon()


def of_the_disk(error: sqlite3.DatabaseError) -> bool:
    """Whether the error tells of the disk, and not of what stands on it."""
    return not of_content(error)


@contextmanager
def naming_damage(path: Path, where: str) -> Iterator[None]:
    """Whatever reading a journal's file may raise, as an error of the journal that says ``where``:
    bytes that were changed make numbers of texts and texts that are none, not only SQLite's own
    errors."""
    try:
        yield
    except (sqlite3.DatabaseError, TypeError, ValueError, OverflowError, RecursionError) as error:
        if isinstance(error, sqlite3.DatabaseError) and of_the_disk(error):
            what = f"{path} cannot be read ({error}), {where}; leave the journal there"
            raise refusal(what, path, error) from error
        raise damaged(path, f"{where}: {error}") from error
