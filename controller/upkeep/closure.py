"""Closing: the journal's file is put aside on its own disk, and a new file continues it.
The rules:

- It is done by the controller as it starts, with its lock held, between rounds; so a file is closed
  in milliseconds, however long it is, and never while a round is played. The file gets a second
  name in ``archive`` below the state directory; the new one then takes the first name from it
  (:mod:`~.successor`). No byte of it is copied, moved or changed.
- A head of its end is signed first, so that the next start finds in the heads what the new journal
  goes on from.
- A start that is cut off leaves the journal with two names. The second one is taken away by the
  next start (:func:`tidy`): one file under two names would be written by one and read by the other.
  A recovery takes it away too: beside another journal it would look like a closed file of it.
- A closed file is read-only. It is verified, taken to another medium, and only then removed, beside
  play (:mod:`controller.upkeep.night`). Nothing here removes an entry.
- A program that has the journal open keeps SQLite from taking its log away as the controller stops.
  Then the log is moved into the file here, and taken away; that program goes on reading the file
  that was closed. Where it stands in the middle of a look nothing is closed this time.
- A closed file is copied whole: byte for byte, compared, and made durable. A copy has its name only
  then.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Final

from controller.causes.finding import cause_of
from controller.evidence.heads import append_head, beside
from controller.forms.json_values import JsonObject
from controller.journal import schema
from controller.journal.errors import CannotArchive
from controller.journal.log_check import check_log
from controller.journal.reader import ARCHIVE, PATTERN, JournalReader, closed_files, second_names
from controller.regular_files import give_owner, new_regular, read_regular, sync_directory
from controller.upkeep.successor import Beginning, Signatory, ended_journal, go_on

_READ_ONLY: Final = 0o440
_WAITS_S: Final = 0.5  # for a reader that stands in the middle of a look


def take_second_name_away(directory: Path) -> None:
    """Leave the journal's file its own name alone, whatever can be read of it; the caller holds the
    directory's lock. Raises OSError."""
    for file in second_names(directory):
        file.unlink()
        sync_directory(file.parent)


def tidy(directory: Path) -> None:
    """Take away what a closing that was cut off has left in the archive; the caller holds the
    directory's lock. Heads of another journal than the one that goes on stay: whoever moved that
    away by hand may want them. Raises OSError: of the disk. JournalError, sqlite3.Error: the
    journal cannot be read."""
    archive = directory / ARCHIVE
    if not archive.is_dir():
        return
    take_second_name_away(directory)
    kept = set(closed_files(directory))
    for file in kept:
        if file.lstat().st_mode & 0o777 != _READ_ONLY:
            file.chmod(_READ_ONLY)
    with JournalReader(directory) as reader:
        heads = f"journal-{reader.identity.hex()}-*.heads.jsonl"
    for file in archive.iterdir():
        ours = file.match(PATTERN) or file.match(heads) or file.name.endswith(PARTIAL)
        if ours and file not in kept:
            file.unlink()


def closing_steps(
    directory: Path, snapshot: JsonObject, moment: Beginning, table: Signatory
) -> Iterator[tuple[str, Path]]:
    """Close the journal in ``directory`` and begin a new one with ``snapshot``, the play as it is
    after the last entry; yields what has just been made durable, step by step. Raises
    CannotArchive: with what is in the way. OSError, sqlite3.Error: of the disk; what was done so
    far is begun again the next time."""
    path, archive = directory / schema.FILE_NAME, directory / ARCHIVE
    _take_in_the_log(path)
    ended = ended_journal(directory, table, moment)
    if not archive.is_dir():
        archive.mkdir(mode=0o700)
        sync_directory(directory)
    tidy(directory)
    closed = archive / ended.name
    append_head(table.heads, ended.head)
    copy_compared(table.heads, beside(closed))
    yield "heads copied", beside(closed)
    _name_again(path, closed)
    yield "named again", closed
    yield from go_on(directory, ended, snapshot, moment, table)
    closed.chmod(_READ_ONLY)
    yield "closed", closed


def _take_in_the_log(path: Path) -> None:
    """See to it that all of the journal is in its file, and that no log lies beside it."""
    check_log(path)
    log, index = (path.with_name(path.name + suffix) for suffix in ("-wal", "-shm"))
    if not log.exists():
        return
    with closing(sqlite3.connect(path, isolation_level=None, timeout=_WAITS_S)) as connection:
        connection.execute("PRAGMA synchronous = FULL")
        busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    if busy:
        raise CannotArchive(f"{path} is being read by another program; it is closed another time")
    for file in (log, index):  # gone, unless somebody still has the journal open
        file.unlink(missing_ok=True)
    sync_directory(path.parent)


def _name_again(path: Path, closed: Path) -> None:
    try:
        os.link(path, closed, follow_symlinks=False)
    except OSError as error:
        raise CannotArchive(
            f"{path} cannot have a second name, {closed} ({cause_of(error, path)}): a journal is "
            "closed where the file system knows hard links. Have the state directory on such a one"
        ) from error
    sync_directory(closed.parent)


PARTIAL: Final = ".partial"
_CHUNK: Final = 1 << 20


class OtherContent(CannotArchive):
    """The file that was to be copied is another one than it was."""


def copy_compared(
    source: Path, archived: Path, *, alike: bool = False, known: bytes | None = None
) -> bytes:
    """Copy a file whole; it has its name only when all of it is on the disk and compared. Returns
    its SHA-256, which must be the ``known`` one. ``alike``: the copy belongs to whom the file
    belongs to."""
    digest = digest_of(source)
    if known is not None and digest != known:
        raise OtherContent(f"{source} is not what was verified any more, and stays")
    if not os.path.lexists(archived):
        partial = partial_of(archived)
        partial.unlink(missing_ok=True)
        with read_regular(source) as old, new_regular(partial, 0o600) as new:
            while chunk := old.read(_CHUNK):
                new.write(chunk)
            new.flush()
            os.fchmod(new.fileno(), 0o440)
            if alike:
                give_owner(new.fileno(), os.fstat(old.fileno()))
            os.fsync(new.fileno())
        if digest_of(partial) != digest:
            raise CannotArchive(f"{partial} is not what was written: look at the archive's disk")
        partial.replace(archived)
        sync_directory(archived.parent)
    if digest_of(archived) != digest:
        raise CannotArchive(
            f"{archived} is there and is another file than {source}: verify both, keep both, and "
            "name another archive"
        )
    return digest


def partial_of(archived: Path) -> Path:
    """The name of a copy that is not whole yet."""
    return archived.with_name(archived.name + PARTIAL)


def digest_of(path: Path) -> bytes:
    """The SHA-256 of a file as the disk has it: what the kernel kept of it in memory is let go
    first."""
    with read_regular(path) as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        found = sha256()
        while chunk := file.read(_CHUNK):
            found.update(chunk)
        return found.digest()
