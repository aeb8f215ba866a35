"""The journal of a table, open for writing. The rules:

- When :meth:`Journal.append` returns, its entries are on stable storage (WAL with
  ``synchronous=FULL``: the log is synced by every commit). One batch is one transaction, in
  which it is signed, too: all of it is there after a power cut, or nothing.
- A batch that fails raises :class:`CommitFailed` and closes the journal to further writing. It is
  not tried again: after a failed sync the kernel may have dropped the pages, and a second, good
  sync would prove nothing. The process ends; its next start reads what the disk has.
- Another program that writes the file (somebody's ``sqlite3``) is waited for before a batch is
  begun, and told of; a reader is in nobody's way.
- One process (a lock on the directory) and one thread at a time. The journal is opened and read
  before the commit thread starts; from then on that thread alone calls ``append`` and
  ``checkpoint``. What the others may ask at any time is in memory: ``head``, ``boot``, ``stored``
  and ``latest_stored``; everything else is read through a
  :class:`~controller.journal.reader.JournalReader`.
- The log is copied into the file by :meth:`Journal.checkpoint`, never by a commit on the way
  (``wal_autocheckpoint=0``): an acknowledgement does not wait for housekeeping.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from controller.causes.cause import Kind
from controller.causes.finding import cause_by, cause_of, kind_on_disk
from controller.causes.sqlite import code_of, kind_of
from controller.journal import commits, rows, schema
from controller.journal.chain import chained, checked_positions
from controller.journal.commits import Signer
from controller.journal.errors import (
    AlreadyStored,
    CommitFailed,
    DamagedJournal,
    JournalError,
    damaged,
    naming_damage,
    refusal,
)
from controller.journal.events import EventPosition, position_of, prepare
from controller.journal.lock import StateLock, files_in_place
from controller.journal.model import Boot, Draft, Entry, Head
from controller.journal.opening import (
    checkpoint,
    close_unchanged,
    cut_torn,
    make_directory,
    opened_to_play_on,
    wal_bytes,
)
from controller.journal.reader import OpenJournal
from controller.regular_files import read_whole

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
OTHERS_S: Final = 1.0
"""How long another program that writes the file is waited for before it is told of: less than a
stop has."""


class Journal(OpenJournal):
    """The journal in ``directory``, made if it is not there. ``boot_id`` is the kernel's name of
    this boot (the kernel is asked when it is None); another name than the last one counts as a new
    boot. ``key`` signs what is appended. Raises StateInUse, NoJournal, NotAJournal, DamagedJournal,
    DiskFailed or OtherFormat, each with the lock given back and, where it is damaged, the files as
    they were."""

    def __init__(self, directory: Path, key: Signer, *, boot_id: str | None = None) -> None:
        self.directory = directory
        self.key = key
        self.path = directory / schema.FILE_NAME
        make_directory(directory)
        self._broken: str | None = None
        self._damaged = False
        self._clean = False  # whether the log ends with a commit
        self._signs = False  # whether the file has a row that this process has signed
        self.held = ""
        """Who else writes the file and keeps a batch from being begun, and the next step; empty
        where nobody does."""
        self.held_ns = 0
        """For how long the last batch had to wait for others before it was begun."""
        self.syncing: Callable[[], None] = _nothing
        """Called within ``append`` when nothing is left to do but to wait for the disk."""
        self._lock = StateLock(directory)
        try:
            with opened_to_play_on(self.path) as self.connection:
                self._head = rows.head(self.connection)
                self._identity = rows.identity(self.connection)
                self._positions = checked_positions(self.connection, self.path)
                self.boots = self._count_boot(
                    boot_id or read_whole(_BOOT_ID).decode("ascii").strip()
                )
        except OSError as error:
            self._lock.release()
            what = f"{self.path} cannot be opened for writing ({error}); leave the journal there"
            raise refusal(what, self.path, error) from error
        except BaseException:
            self._lock.release()
            raise
        self.connection.execute(f"PRAGMA busy_timeout = {OTHERS_S * 1000:.0f}").fetchone()
        self._boot = self.boots[-1]
        self._files = files_in_place(self.path)

    def _count_boot(self, boot_id: str) -> Sequence[Boot]:
        """Count this boot unless it is the last one known; its row is written with its first
        entry, so that opening a journal changes nothing in it."""
        known = rows.boots(self.connection)
        self._begun = bool(known) and known[-1].boot_id == boot_id
        if not self._begun:
            known.append(Boot(len(known) + 1, boot_id, "", self._head[0]))
        return tuple(known)

    @property
    def head(self) -> Head:
        """Number and digest of the last entry on stable storage."""
        return self._head

    @property
    def identity(self) -> bytes:
        """The journal's random name, 16 bytes."""
        return self._identity

    @property
    def boot(self) -> int:
        """The number of this boot of the controller; entries written now carry it."""
        return self._boot.boot

    @property
    def wal_bytes(self) -> int:
        """Bytes in the log, to tell when a checkpoint cannot wait for an idle moment."""
        return wal_bytes(self.path)

    def append(self, drafts: Sequence[Draft], mono_ns: int, wall: str) -> Sequence[Entry]:
        """Write a batch in one transaction and return its entries, which are then durable.
        ``mono_ns`` and ``wall`` hold for the whole batch. Raises BadDraft (nothing was begun),
        AlreadyStored when the database has an event or draw of that number already, CommitFailed
        for anything else; after the latter two the journal takes no more."""
        if self._broken is not None:
            raise CommitFailed(self._broken)
        if not drafts:
            return ()
        entries, values = prepare(drafts, self._boot, self._head, self._positions, mono_ns, wall)
        connection = self.connection
        self.held_ns = 0
        try:
            if not self._clean:
                self._clean = self._cut_torn()
            self._begin_transaction(connection)
            if not self._begun:  # the boot's row is written together with its first entry
                self._boot = self._boot._replace(wall=wall)
                self.boots = (*self.boots[:-1], self._boot)
                rows.add_boots(connection, [self._boot])
            connection.executemany(rows.INSERT, values)
            self._sign(entries[-1])
            self.syncing()
            connection.execute("COMMIT")
            self._begun = self._signs = True
        except Exception as error:
            # Not only SQLite's own: a number beyond 64 bits fails in the module around it.
            raise self._fail(error, entries) from error
        last = entries[-1]
        self._head = Head(last.seq, last.digest)
        for entry in entries:
            if (at := position_of(entry)) is not None:
                self._positions[at[0]] = at[1]
        return entries

    def _cut_torn(self) -> bool:
        """Nobody else may write meanwhile: behind the last commit lies what he has not committed
        yet as well, and the connection that cuts can have no transaction."""
        beside = sqlite3.connect(self.path, isolation_level=None, timeout=OTHERS_S)
        with closing(beside):
            self._begin_transaction(beside)
            return cut_torn(self.connection, self.path)

    def _begin_transaction(self, connection: sqlite3.Connection) -> None:
        """Begin a transaction; waits for as long as another program writes the file, and says so
        in :attr:`held`: nothing of the batch is written by then, so that waiting costs nothing."""
        began_ns = time.monotonic_ns()
        try:
            while True:
                try:
                    connection.execute("BEGIN IMMEDIATE")
                except sqlite3.OperationalError as error:
                    if kind_of(code_of(error)) is not Kind.HELD:
                        raise
                    self.held = str(cause_of(error, self.path))
                else:
                    return
        finally:
            self.held = ""
            self.held_ns += time.monotonic_ns() - began_ns

    def _sign(self, last: Entry) -> None:
        """Sign the last entry; what was there of a row when this process began is known by now."""
        if not self._signs:
            schema.mend_signed(self.connection)
        at = last.seq, last.digest
        commits.store_signature(self.connection, self.key, self._identity, at, last.wall)

    def _fail(self, error: Exception, entries: Sequence[Entry]) -> CommitFailed:
        if self.connection.in_transaction:
            # Only tidies memory: what is on the disk is found out by the next start.
            with suppress(sqlite3.Error):  # on a disk that fails it may fail as well
                self.connection.rollback()
        first, last = entries[0].seq, entries[-1].seq
        which = f"entry {first}" if first == last else f"entries {first} to {last}"
        kinds = ", ".join(dict.fromkeys(entry.type for entry in entries))
        text = f"{self.path}: {which} ({kinds}) could not be committed: {error}"
        if getattr(error, "sqlite_errorcode", None) in _UNIQUE:
            self._broken = f"{text}; an event or draw of that number is stored already"
            return AlreadyStored(self._broken)
        self._broken = f"{text}; {cause_of(error, self.path).of_the_daemon()}"
        return CommitFailed(self._broken)

    def iterate(self, after: int = 0, upto: int | None = None) -> Iterator[Entry]:
        """Yield the entries with ``after`` < seq <= ``upto`` (None: all), in order, each once its
        digest is known to follow from the one before it. Raises :class:`DamagedJournal` naming the
        entry that was changed or is missing; the files are then left as they are when the journal
        is closed."""
        reached: dict[tuple[str, int], EventPosition] = {}
        with self._naming("it cannot be read"):
            for entry in chained(self.connection, self.path, after, upto):
                if (at := position_of(entry)) is not None:
                    reached[at[0]] = at[1]
                yield entry
            for session, position in reached.items() if upto is None else ():
                known = self._positions.get(session)
                if known is None or known.seq < position.seq:
                    raise damaged(self.path, f"the index of events has lost entry {position.seq}")

    @contextmanager
    def _naming(self, where: str) -> Iterator[None]:
        """What is wrong with the file is named, and the file left as it is from then on."""
        try:
            with naming_damage(self.path, where):
                yield
        except DamagedJournal:
            self._damaged = True
            raise

    def stored(self, device: str, session: int) -> int:
        """Return the number of the last event stored of this session, 0 for none. An event at or
        below it is acknowledged again and not appended (Table Link section 4)."""
        position = self._positions.get((device, session))
        return 0 if position is None else position.event_no

    def latest_stored(self) -> Mapping[str, tuple[int, int]]:
        """Return by device the ``(session, event_no)`` stored last, for its ``HELLO``."""
        latest: dict[str, tuple[int, int, int]] = {}
        for (device, session), position in self._positions.copy().items():
            if device not in latest or latest[device][0] < position.seq:
                latest[device] = (position.seq, session, position.event_no)
        return {device: (session, event_no) for device, (_, session, event_no) in latest.items()}

    def check_in_place(self) -> None:
        """Check that the files which are written to still stand under the journal's name. Raises
        CommitFailed: one was removed, moved or replaced, or nothing can be written there any more;
        the journal takes no more."""
        if self._broken is not None:
            return
        try:
            gone = self._files.items() - files_in_place(self.path).items()
            read_only = os.statvfs(self.directory).f_flag & os.ST_RDONLY  # asks no medium
        except OSError as error:
            why = f"{error}; {cause_of(error, self.path).of_the_daemon()}"
            self._broken = f"{self.path} cannot be looked at: {why}"
            raise CommitFailed(self._broken) from error
        if read_only:
            cause = cause_by(kind_on_disk(self.path) or Kind.FAILS, self.path)
            self._broken = f"{self.path} cannot be written; {cause.of_the_daemon()}"
            raise CommitFailed(self._broken)
        if gone:
            self._broken = (
                f"{min(gone)[0]} was removed or replaced while the table was played: what follows "
                "would be kept nowhere. Find out who did it, keep what lies in its directory, and "
                "start the controller again: it says what is missing"
            )
            raise CommitFailed(self._broken)

    def checkpoint(self) -> tuple[int, int]:
        """Copy the log into the file as far as no reader needs it; waits for nobody. Pages in the
        log, and how many of them are in the file now. Raises CommitFailed: the disk has failed; the
        journal takes no more."""
        try:
            return checkpoint(self.connection)
        except sqlite3.Error as error:
            why = f"{error}; {cause_of(error, self.path).of_the_daemon()}"
            self._broken = f"{self.path}: its log cannot be moved into it: {why}"
            raise CommitFailed(self._broken) from error

    def close(self) -> None:
        """Close the file and give the directory back; harmless when done twice."""
        try:
            if self._damaged:
                close_unchanged(self.connection, self.path)
            else:
                self.connection.close()
        except sqlite3.Error as error:
            raise JournalError(
                f"{self.path} could not be closed: {error}; nothing acknowledged is lost, "
                "check the disk before the table is started again"
            ) from error
        finally:
            self._broken = self._broken or f"{self.path} is closed"
            self._lock.release()


_UNIQUE = (sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY)


def _nothing() -> None:
    """Nobody waits."""
