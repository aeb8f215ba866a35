"""What can go wrong with a journal, each with a message for the person at the table.

A message names the file, what was expected of it and what to do. :class:`CommitFailed` is the one
that ends the process: after a failed sync nobody knows which pages reached the disk, and only a new
start, which reads the file again, finds out. It is never retried. An error of the disk is told from
damage, and with what is to be done about it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.causes.finding import cause_of
from controller.causes.sqlite import of_content


class JournalError(Exception):
    """Anything wrong with the journal or its directory; the message is for people."""


class StateInUse(JournalError):
    """Another process owns the state directory."""


class NoJournal(JournalError):
    """There is no state directory, no journal in it, or it may not be read."""


class NotAJournal(JournalError):
    """The file is there and is no journal of this controller, or is damaged beyond opening."""


class DamagedJournal(NotAJournal):
    """Content of the journal was changed or is missing: nothing is to be played on top of it.
    ``what`` says it in a few words, without the advice of the message."""

    def __init__(self, message: str, what: str) -> None:
        super().__init__(message)
        self.what = what


class DiskFailed(JournalError):
    """The journal cannot be opened because its disk is full, read-only or failing: nothing is known
    to be wrong with the journal, and the next start may find the disk mended."""


class OtherFormat(JournalError):
    """The journal is of a form, or has stored what, this version does not read."""


class CannotArchive(JournalError):
    """It cannot be archived as things are; nothing has changed."""


class CannotRecover(JournalError):
    """Nothing was changed; the message says why and what may be done instead."""


class NothingToRecover(CannotRecover):
    """The journal is well and has all that its copy has."""


class BadDraft(JournalError, ValueError):
    """An entry that cannot be written as it stands: a mistake in the program that made it."""


class CommitFailed(JournalError):
    """A batch did not reach stable storage. The process ends; nothing of it was acknowledged."""


class AlreadyStored(CommitFailed):
    """The database refused a device's event or an offer's draw because it has one already."""


def damaged(path: Path, what: str) -> DamagedJournal:
    """The error for a journal whose content was changed or lost, with what is to be done."""
    return DamagedJournal(
        f"{path} is damaged: {what}. The table is not played on it. Keep every file of "
        f"{path.parent} as it is; 'tablectl journal recover --state {path.parent}' says what can "
        "be read",
        what,
    )


def refusal(what: str, path: Path, error: BaseException) -> JournalError:
    """The error for a call on ``path`` that failed, which ``what`` says: :class:`DiskFailed` where
    it can heal by itself, :class:`NoJournal` where somebody has to set something right."""
    cause = cause_of(error, path)
    kind = DiskFailed if cause.heals else NoJournal
    return kind(f"{what}; {cause.of_the_daemon()}")


def of_the_disk(error: BaseException) -> bool:
    """Whether it is SQLite's and tells of the disk, not of what stands on it."""
    return isinstance(error, sqlite3.DatabaseError) and not of_content(error)


@contextmanager
def naming_damage(path: Path, where: str) -> Iterator[None]:
    """Whatever reading a journal's file may raise, as an error of the journal that says ``where``:
    bytes that were changed make numbers of texts and texts that are none, not only SQLite's own
    errors."""
    try:
        yield
    except (sqlite3.DatabaseError, TypeError, ValueError, OverflowError, RecursionError) as error:
        if of_the_disk(error):
            what = f"{path} cannot be read ({error}), {where}; leave the journal there"
            raise refusal(what, path, error) from error
        raise damaged(path, f"{where}: {error}") from error
