"""The journal of a table, open for writing.

The rules:

- When :meth:`Journal.append` returns, its entries are on stable storage (WAL with
  ``synchronous=FULL``: the log is synced by every commit). One batch is one transaction: all of
  it is there after a power cut, or nothing.
- A batch that fails raises :class:`CommitFailed` and closes the journal to further writing. It is
  not tried again: after a failed sync the kernel may have dropped the pages, and a second, good
  sync would prove nothing. The process ends; its next start reads what the disk has.
- One process (a lock on the directory) and one thread at a time. The journal is opened and read
  before the commit thread starts; from then on that thread alone calls ``append`` and
  ``checkpoint``. What the others may ask at any time is in memory: ``head``, ``boot``,
  ``stored`` and ``latest_stored``; everything else is read through a :class:`JournalReader`.
- The log is copied into the file by :meth:`Journal.checkpoint`, never by a commit on the way
  (``wal_autocheckpoint=0``): an acknowledgement does not wait for housekeeping.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

from controller.journal import rows, schema
from controller.journal.batch import prepare
from controller.journal.errors import (
    AlreadyStored,
    CommitFailed,
    DiskFailed,
    JournalError,
    NoJournal,
    NotAJournal,
)
from controller.journal.events import EventPosition, load_positions
from controller.journal.lock import StateLock
from controller.journal.model import Boot, Draft, Entry, Head
from controller.journal.wal import PAGE_BYTES, Checkpoint, checkpoint, configure, wal_bytes

_INSERT = f"INSERT INTO entry ({rows.COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)"  # noqa: S608
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


class Journal:
    """The journal in ``directory``, made if it is not there; a context manager.

    ``boot_id`` is the kernel's name of this boot (the kernel is asked when it is None); another
    name than the last one counts as a new boot. Raises :class:`StateInUse`, :class:`NoJournal`,
    :class:`NotAJournal`, :class:`DiskFailed` or :class:`WrongSchema`, each with the lock given
    back.
    """

    def __init__(self, directory: Path, *, boot_id: str | None = None) -> None:
        self.directory = directory
        self.path = directory / schema.FILE_NAME
        try:
            if not directory.is_dir():
                directory.mkdir(mode=0o750)
                _sync_directory(directory.parent)
        except OSError as error:
            raise NoJournal(
                f"{directory} cannot be made or is no directory ({error.strerror}); "
                "[state] directory must name a directory on a local disk that exists or can be made"
            ) from error
        self._broken: str | None = None
        self._lock = StateLock(directory)
        try:
            self._connection = self._open()
            try:
                self._head = rows.head(self._connection)
                self._positions = load_positions(self._connection)
                self.boots = self._count_boot(boot_id or _BOOT_ID.read_text("ascii").strip())
            except BaseException:
                self._connection.close()
                raise
        except (sqlite3.DatabaseError, OSError) as error:
            self._lock.release()
            if isinstance(error, OSError) or _of_the_disk(error):
                raise DiskFailed(
                    f"{self.path} cannot be opened for writing ({error}); look at the disk, which "
                    "is full, read-only or failing ('df', 'dmesg'), and leave the journal there"
                ) from error
            raise NotAJournal(
                f"{self.path} cannot be opened as a journal ({error}); keep the file and its "
                "-wal beside it untouched for examination and put a copy from the archive, or an "
                "empty directory, in its place"
            ) from error
        except BaseException:
            self._lock.release()
            raise
        self._boot = self.boots[-1]

    def _open(self) -> sqlite3.Connection:
        """Open the file with the settings that durability rests on."""
        # SQLite gives the log the mode of the file: a technician's group may read both.
        self.path.touch(mode=0o640)
        # The commit thread takes the connection over from the thread that opened it; SQLite is
        # serialized, and the rule above keeps two threads from sharing a transaction.
        connection = sqlite3.connect(
            self.path, isolation_level=None, check_same_thread=False, timeout=2.0
        )
        try:
            connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")  # of a new file only
            configure(connection, self.path)
            schema.migrate(connection, self.path, secrets.token_bytes(16))
            _sync_directory(self.directory)
        except BaseException:
            connection.close()
            raise
        return connection

    def _count_boot(self, boot_id: str) -> Sequence[Boot]:
        """Add this boot to the table of boots unless it is the last one there."""
        known = rows.boots(self._connection)
        if not known or known[-1].boot_id != boot_id:
            new = Boot(len(known) + 1, boot_id, _now(), self._head[0])
            self._connection.execute(
                "INSERT INTO boot VALUES (?,?,?,?)",
                (new.boot, new.boot_id, new.wall, new.after_seq),
            )
            known.append(new)
        return tuple(known)

    @property
    def head(self) -> Head:
        """Number and digest of the last entry on stable storage."""
        return Head(*self._head)

    @property
    def boot(self) -> int:
        """The number of this boot of the box; entries written now carry it."""
        return self._boot.boot

    @property
    def wal_bytes(self) -> int:
        """Bytes in the log, to tell when a checkpoint cannot wait for an idle moment."""
        return wal_bytes(self.path)

    def append(self, drafts: Sequence[Draft], mono_ns: int, wall: str) -> Sequence[Entry]:
        """Write a batch in one transaction and return its entries, which are then durable.

        ``mono_ns`` and ``wall`` hold for the whole batch. Raises :class:`BadDraft` (nothing was
        begun), :class:`AlreadyStored` when the database has an event or draw of that number
        already, :class:`CommitFailed` for anything else; after the latter two the journal takes
        no more.
        """
        if self._broken is not None:
            raise CommitFailed(self._broken)
        if not drafts:
            return ()
        entries, values = prepare(drafts, self._boot, self._head, self._positions, mono_ns, wall)
        connection = self._connection
        try:
            if len(values) == 1:
                connection.execute(_INSERT, values[0])  # a transaction by itself
            else:
                connection.execute("BEGIN IMMEDIATE")
                connection.executemany(_INSERT, values)
                connection.execute("COMMIT")
        except Exception as error:
            # Not only SQLite's own: a number beyond 64 bits fails in the module around it.
            raise self._fail(error, entries) from error
        last = entries[-1]
        self._head = (last.seq, last.digest)
        for entry in entries:
            draft = entry.draft
            if entry.numbering is not None and draft.device and draft.session is not None:
                self._positions[draft.device, draft.session] = EventPosition(
                    entry.numbering, draft.event_no or 0, entry.seq
                )
        return entries

    def _fail(self, error: Exception, entries: Sequence[Entry]) -> CommitFailed:
        """Close the journal to writing and say why."""
        if self._connection.in_transaction:
            # Only tidies memory: what is on the disk is found out by the next start.
            self._connection.rollback()
        first, last = entries[0].seq, entries[-1].seq
        which = f"entry {first}" if first == last else f"entries {first} to {last}"
        kinds = ", ".join(dict.fromkeys(entry.type for entry in entries))
        text = f"{self.path}: {which} ({kinds}) could not be committed: {error}"
        if getattr(error, "sqlite_errorcode", None) in _UNIQUE:
            self._broken = f"{text}; an event or draw of that number is stored already"
            return AlreadyStored(self._broken)
        self._broken = f"{text}; the controller must be started again, with room on a sound disk"
        return CommitFailed(self._broken)

    def iterate(self, after: int = 0, upto: int | None = None) -> Iterator[Entry]:
        """Yield the entries with ``after`` < seq <= ``upto`` (None: all), in order.

        Raises :class:`NotAJournal` naming the file when an entry cannot be read.
        """
        return rows.entries(self._connection, self.path, after, upto)

    def last_of_type(self, kind: str) -> Entry | None:
        """Return the last entry of a type, None when there is none."""
        return rows.last_of_type(self._connection, kind)

    def stored(self, device: str, session: int) -> int:
        """Return the number of the last event stored of this session, 0 for none.

        An event at or below it is acknowledged again and not appended (Table Link section 4).
        """
        position = self._positions.get((device, session))
        return 0 if position is None else position.event_no

    def latest_stored(self) -> Mapping[str, tuple[int, int]]:
        """Return by device the ``(session, event_no)`` stored last, for its ``HELLO``."""
        latest: dict[str, tuple[int, int, int]] = {}
        for (device, session), position in self._positions.copy().items():
            if device not in latest or latest[device][0] < position.seq:
                latest[device] = (position.seq, session, position.event_no)
        return {device: (session, event_no) for device, (_, session, event_no) in latest.items()}

    def checkpoint(self) -> Checkpoint:
        """Copy the log into the file as far as no reader needs it; waits for nobody."""
        return checkpoint(self._connection)

    def close(self) -> None:
        """Close the file and give the directory back; harmless when done twice."""
        try:
            self._connection.close()
        except sqlite3.Error as error:
            raise JournalError(
                f"{self.path} could not be closed: {error}; nothing acknowledged is lost, "
                "check the disk before the table is started again"
            ) from error
        finally:
            self._broken = self._broken or f"{self.path} is closed"
            self._lock.release()

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


_UNIQUE = (sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY)


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


def _of_the_disk(error: sqlite3.DatabaseError) -> bool:
    """Whether the error tells of the disk, and not of what stands on it."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _DISK


def _now() -> str:
    """Return the wall time as remarks give it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _sync_directory(directory: Path) -> None:
    """Make the names of new files durable: without it a power cut may take the whole file."""
    fd = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
