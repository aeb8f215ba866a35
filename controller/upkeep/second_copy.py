"""The second copy of a journal, on another medium: same identity, same entries, kept level.
The rules:

- An entry is copied after it is on stable storage, never on the way there. So the copy is level or
  behind; one that goes further than its journal shows that the journal has lost its end, and one
  that has another entry under the same number shows that one of the two was changed.
- What is copied follows from what the copy has: an entry whose digest does not is not taken over.
- The signed row is read in one look with the entries, and written in the transaction that reaches
  its number. Entries of a copy behind its row are on the way: nobody vouches for them yet.
- A copy is a journal: opened with the same checks, as durable, and to be read, verified and
  recovered from with the same commands.
- A copy that goes further, that differs or that is another table's is never written to.
- Where the journal was archived and goes on in a new file, the copy of the old one is kept beside
  the new copy, under the number of its last entry.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from controller.causes.finding import cause_of
from controller.journal import commits, rows, schema
from controller.journal.chain import Chain
from controller.journal.errors import DiskFailed, damaged, naming_damage, of_the_disk
from controller.journal.lock import StateLock
from controller.journal.opening import (
    checkpoint,
    close_unchanged,
    cut_torn,
    open_for_writing,
    wal_bytes,
)
from controller.journal.reader import JournalReader
from controller.regular_files import sync_directory

SLICE = 200  # entries copied in one transaction: some milliseconds, also on a slow medium
MOVED_FROM_BYTES = 512 * 1024  # size of the copy's log from which it is moved into its file


class Relation(Enum):
    """How a copy stands to its journal."""

    BEHIND = "level with the journal, or behind it"
    AHEAD = "goes further than the journal"
    DIFFERS = "tells another story than the journal"


@dataclass(frozen=True, slots=True)
class Standing:
    """The relation, and in plain words where the two part."""

    relation: Relation
    what: str


class JournalCopy:
    """The copy in ``directory`` of the journal that ``source`` reads; made if it is not there. Owns
    its directory by a lock, as a journal does. Raises StateInUse, DamagedJournal, DiskFailed or
    another JournalError."""

    def __init__(self, directory: Path, source: JournalReader) -> None:
        self.path = directory / schema.FILE_NAME
        self._source = source
        self._clean = False  # whether the log ends with a commit
        try:
            if not directory.is_dir():
                directory.mkdir(mode=0o750)
                sync_directory(directory.parent)
        except OSError as error:
            what = f"[state] copy {directory} cannot be made"
            raise DiskFailed(f"{what}; {cause_of(error, directory)}") from error
        self._lock = StateLock(directory)
        try:
            self._connection = self._open()
            last = rows.head(self._connection)[0]
            self._walk = Chain.behind(self._connection, last)
        except (sqlite3.DatabaseError, OSError, TypeError, ValueError) as error:
            self._lock.release()
            if of_the_disk(error) or isinstance(error, OSError):
                what = f"{self.path} cannot be opened for writing ({error})"
                raise DiskFailed(f"{what}; {cause_of(error, self.path)}") from error
            raise damaged(self.path, f"it cannot be opened as a journal ({error})") from error
        except BaseException:
            self._lock.release()
            raise

    def _open(self) -> sqlite3.Connection:
        """Open the copy's file; begin a new one where the journal has gone on in a new one."""
        source = self._source.connection
        name, before = rows.identity(source), rows.predecessor(source)
        connection = open_for_writing(self.path, name)
        old, (last, _) = rows.identity(connection), rows.head(connection)
        if before is not None and old == before.identity and last <= before.seq:
            connection.close()
            if self.path.with_name(f"{self.path.name}-wal").exists():
                raise DiskFailed(
                    f"{self.path} is being read by another program: its log would be taken for the "
                    "new copy's. It is tried again; end that program"
                )
            self.path.rename(self.path.with_name(f"{self.path.stem}-to-{last}{self.path.suffix}"))
            connection = open_for_writing(self.path, name)
            old = name
        if old == name:
            go_on_likewise(source, connection)
        return connection

    @property
    def last(self) -> int:
        """The number of the last entry that is in the copy, 0 for none."""
        return self._walk.seq

    def standing(self) -> Standing:
        """Compare the copy with its journal; looks at the ends of both and at nothing else."""
        return standing(self._source.connection, self._connection)

    def copy_next(self, most: int = SLICE) -> int:
        """Copy the next entries, ``most`` at a time; how many there were. They are then durable.
        Raises as :func:`take_over`, and OSError: then the copy is closed and, if possible, opened
        again."""
        if not self._clean and rows.head(self._source.connection)[0] > self._walk.seq:
            self._clean = cut_torn(self._connection, self.path)
        before, self._walk = (
            self._walk.seq,
            take_over(self._source, self._connection, self._walk, most),
        )
        return self._walk.seq - before

    def tidy(self) -> None:
        """Move the copy's log into its file when it has grown."""
        if wal_bytes(self.path) > MOVED_FROM_BYTES:
            checkpoint(self._connection)

    def close(self, *, failed: bool = False) -> None:
        """Close the copy and give its directory back; ``failed``: without touching its files."""
        try:
            if failed:
                close_unchanged(self._connection, self.path)
            else:
                self._connection.close()
        finally:
            self._lock.release()


def go_on_likewise(source: sqlite3.Connection, target: sqlite3.Connection) -> None:
    """Have a copy that was just made go on from what its journal goes on from."""
    before = rows.predecessor(source)
    if before is not None and rows.predecessor(target) is None:
        target.execute("INSERT INTO predecessor VALUES (1, ?, ?, ?)", before)


def take_over(
    source: JournalReader,
    target: sqlite3.Connection,
    walk: Chain,
    most: int = SLICE,
    upto: int | None = None,
) -> Chain:
    """Copy the entries behind ``walk``, ``most`` of them and none behind ``upto``, as far as the
    journal's row reaches with it, in one transaction; the walk behind the last one. Raises
    :class:`~controller.journal.errors.DamagedJournal` when the journal's next entry does not
    follow, sqlite3.Error when one of the two cannot be read or written."""
    begun, walk = walk.boot, replace(walk)
    with naming_damage(source.path, f"it cannot be read beyond entry {walk.seq}"):
        with rows.one_look(source.connection):
            found = rows.page(source.connection, walk.seq, upto, most)
            signed, _ = commits.read_row(source.connection)
            known = rows.boots_by_number(source.connection)
        for row in found:
            if wrong := walk.broken_by(row, known):
                raise damaged(source.path, wrong)
    if not found:
        return walk
    target.execute("BEGIN IMMEDIATE")
    rows.add_boots(target, [boot for boot in known.values() if begun < boot.boot <= walk.boot])
    target.executemany(rows.INSERT, found)
    if signed is not None and signed.seq == walk.seq:
        commits.copy(target, signed)
    target.execute("COMMIT")
    return walk


def standing(journal: sqlite3.Connection, copy: sqlite3.Connection) -> Standing:
    """How a copy stands to its journal, by the names and ends of both."""
    last, copied = rows.head(journal)[0], rows.head(copy)[0]
    if rows.identity(journal) != rows.identity(copy):
        if last:
            return Standing(Relation.DIFFERS, "they are two different journals")
        return Standing(
            Relation.AHEAD, f"the journal was made anew, its copy has entries up to {copied}"
        )
    common = min(last, copied)
    if rows.digest_at(journal, common) != rows.digest_at(copy, common):
        return Standing(Relation.DIFFERS, f"entry {common} is not the same in both")
    if copied > last:
        return Standing(
            Relation.AHEAD, f"the journal ends with entry {last}, its copy goes on to {copied}"
        )
    return Standing(Relation.BEHIND, f"{last - copied} entries are still to be copied")
