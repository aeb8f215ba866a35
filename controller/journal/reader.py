"""A journal that is open for reading only, of a table that runs or is stopped; what may be asked of
it, and of one that is open for writing (:mod:`~.store`); the line of closed files in which each
goes on from the one before. The rules:

- A reader changes nothing and blocks nothing: it reads in short transactions, so the table's
  checkpoints pass between two of its looks.
- With a ``-wal`` file beside it the journal is opened ``mode=ro`` and read together with it. A
  table that was stopped in order has none; its file is then read as it is (``immutable``), which
  needs no right to write the directory and leaves no helper files in it that the table's own user
  could not open afterwards.
- ``immutable`` is only safe while nobody writes: :attr:`JournalReader.stale` tells whether a
  controller was started meanwhile, in which case what was read is read again.
- A closed file, in an archive, is read-only and named by its journal and the entries that it holds.
  It is verified like any other, alone or with those before and behind it (:func:`older`).
"""

from __future__ import annotations

import os
import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self
from urllib.parse import quote

from controller.causes.finding import cause_of
from controller.causes.who_may import READ
from controller.journal import rows, schema
from controller.journal.chain import check_format
from controller.journal.commits import Cover, read_cover
from controller.journal.errors import JournalError, NoJournal, NotAJournal, naming_damage
from controller.journal.lock import check_files, in_use
from controller.journal.log_check import check_log
from controller.journal.model import Boot, Entry, Head, Predecessor

ARCHIVE: Final = "archive"  # the folder of the closed files, in the state directory
PATTERN: Final = "journal-*.sqlite3"  # of their names


class OpenJournal(ABC):
    """A context manager. One that is open for writing is asked most of it before the commit thread
    starts."""

    path: Path
    connection: sqlite3.Connection

    def _naming(self, where: str) -> AbstractContextManager[None]:
        return naming_damage(self.path, where)

    def close(self) -> None:
        """Close the file; harmless when done twice."""
        self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def head(self) -> Head:
        """Number and digest of the last entry."""
        return rows.head(self.connection)

    @property
    def identity(self) -> bytes:
        """The journal's random name, 16 bytes."""
        return rows.identity(self.connection)

    @property
    def predecessor(self) -> Predecessor | None:
        """What the journal goes on from; None for a table's first."""
        return rows.predecessor(self.connection)

    @property
    def begins(self) -> int:
        """The number before that of its first entry: 0, or its predecessor's last."""
        return rows.beginning(self.connection)

    @abstractmethod
    def iterate(self, after: int = 0, upto: int | None = None) -> Iterator[Entry]:
        """Yield the entries with ``after`` < seq <= ``upto`` (None: all), in order; raises what is
        wrong with the file."""

    def snapshots(self) -> Iterator[int]:
        """Yield the numbers of the entries of type ``snapshot``, the last one first."""
        with self._naming("its snapshots cannot be found"):
            yield from rows.seqs_of_type(self.connection, "snapshot")

    def starts(self, *, by_index: bool = True) -> Iterator[Entry]:
        """Yield its start records, the last one first, and the first entry of one that goes on from
        an archived one, each looked up when it is asked for; raises what ``iterate`` does.
        ``by_index``: as fast as that is; else every entry is looked at, since whoever has the file
        can take one out of the index, which no digest covers."""
        with self._naming("its start records cannot be read"):
            before = self.predecessor
            seqs: Iterable[int] = rows.seqs_of_type(self.connection, "start")
            if not by_index:
                query = "SELECT seq FROM entry NOT INDEXED WHERE type = 'start' ORDER BY seq DESC"
                seqs = [seq for (seq,) in self.connection.execute(query)]
            for seq in (*seqs, *([before.seq + 1] if before else [])):
                if (row := rows.row_at(self.connection, seq)) is not None:
                    yield rows.entry_of(row)

    def cover(self, keys: Collection[PublicKey]) -> Cover:
        """How far it is signed with one of the keys; raises what ``iterate`` does."""
        with self._naming("its signed row cannot be read"):
            return read_cover(self.connection, keys)

    def last_of_type(self, kind: str) -> Entry | None:
        """Return the last entry of a type, None for none; raises what ``iterate`` does."""
        with self._naming(f"its last entry of type {kind} cannot be read"):
            seq = next(rows.seqs_of_type(self.connection, kind), None)
            row = None if seq is None else rows.row_at(self.connection, seq)
            return None if row is None else rows.entry_of(row)


class JournalReader(OpenJournal):
    """The journal in a state directory, for reading. An archived one has a ``name`` of its own.
    Raises NoJournal (no directory, no file, no right), NotAJournal or OtherFormat, each in words
    for the technician. Reading a damaged file may raise NotAJournal later as well."""

    def __init__(self, directory: Path, name: str = schema.FILE_NAME) -> None:
        self.directory = directory
        self.path = directory / name
        self._wal = self.path.with_name(self.path.name + "-wal")
        _require_journal(directory, self.path)
        check_files(self.path)
        if not in_use(directory):
            check_log(self.path)
        self._immutable = not self._wal.exists()
        self.connection = self._open()

    def _open(self) -> sqlite3.Connection:
        option = "immutable=1" if self._immutable else "mode=ro"
        connection = sqlite3.connect(
            f"file:{quote(str(self.path.absolute()))}?{option}",
            uri=True,
            isolation_level=None,
            timeout=2.0,
            check_same_thread=False,
        )
        try:
            connection.execute("PRAGMA query_only = ON")
            connection.execute("PRAGMA trusted_schema = OFF")
            schema.check(connection, self.path)
            check_format(connection, self.path)
        except sqlite3.OperationalError as error:
            connection.close()
            reason = (
                str(cause_of(error, self.path, wants=READ))
                if self._immutable
                else f"the table runs, or was not stopped in order, and part of its journal is in "
                f"{self._wal.name}: read it as root or as the table's user, or copy the whole "
                "directory and read the copy"
            )
            raise NoJournal(f"{self.path} cannot be read ({error}); {reason}") from error
        except sqlite3.DatabaseError as error:
            connection.close()
            raise NotAJournal(
                f"{self.path} is no journal of a table, or is damaged ({error}); name the state "
                "directory of a table"
            ) from error
        except BaseException:
            connection.close()
            raise
        return connection

    @property
    def stale(self) -> bool:
        """Whether a controller was started on a journal that was read as a stopped one's."""
        return self._immutable and self._wal.exists()

    @property
    def boots(self) -> Sequence[Boot]:
        """The boots of the controller that the journal has counted."""
        return rows.boots(self.connection)

    def iterate(self, after: int = 0, upto: int | None = None) -> Iterator[Entry]:
        """Yield the entries with ``after`` < seq <= ``upto`` (None: all there are), in order.
        Raises :class:`NotAJournal` naming the file when an entry cannot be read."""
        try:
            for page in rows.pages(self.connection, after, upto):
                yield from map(rows.entry_of, page)
        except (sqlite3.DatabaseError, JournalError, ValueError, TypeError, RecursionError) as bad:
            what = f"{self.path} is damaged ({bad}); 'tablectl journal verify' says where"
            raise NotAJournal(what) from bad

    def between(self, after: int, upto: int, since: str, until: str) -> tuple[int, int] | None:
        """Return the first and the last number with ``after`` < seq <= ``upto`` whose wall clock
        shows ``since`` <= time < ``until``, texts of ISO 8601 in UTC; None for none."""
        with self._naming("its times cannot be read"):
            # There is no index over times, which are a remark.
            first, last = self.connection.execute(
                "SELECT min(seq), max(seq) FROM entry"
                " WHERE seq > ? AND seq <= ? AND wall >= ? AND wall < ?",
                (after, upto, since, until),
            ).fetchone()
            return None if first is None else (first, last)


def _require_journal(directory: Path, path: Path) -> None:
    try:
        if not directory.is_dir():
            what = "is no directory" if directory.exists() else "does not exist"
            raise NoJournal(
                f"{directory} {what}; name the directory that [state] directory of the table's "
                "configuration names"
            )
        if not path.exists():
            if any(directory.glob("journal-*.sqlite3")):
                raise NoJournal(
                    f"{directory} holds closed journals and no {path.name}: copy the one that is "
                    f"wanted as {path.name} into an empty directory, and name that"
                )
            raise NoJournal(
                f"{directory} holds no {path.name}: no table was ever run with it; name the "
                "directory that [state] directory of the table's configuration names"
            )
        # Not by opening it: to close any descriptor of a file lets go of all locks that this
        # process has on it; SQLite's keep others from taking the log away under a running table.
        if not os.access(path, os.R_OK, effective_ids=True):
            raise PermissionError
    except PermissionError as error:
        why = f"{path} may not be read by this user; be root, the table's user or of its group"
        raise NoJournal(why) from error


def closed_files(directory: Path, identity: bytes = b"") -> list[Path]:
    """The closed files of that state directory, or those of the journal of that ``identity`` alone,
    the oldest first; not a second name of the journal's own, which the next start takes away.
    Raises OSError: the folder cannot be read."""
    archive = directory / ARCHIVE
    if not archive.is_dir():
        return []
    found = set(archive.glob(f"journal-{identity.hex()}{'-' if identity else ''}*.sqlite3"))
    found.difference_update(second_names(directory))
    return sorted(found, key=lambda file: file.name.split("-")[2:])


def second_names(directory: Path) -> list[Path]:
    """The names of the journal's own file among those of closed ones."""
    path = directory / schema.FILE_NAME
    own = path.stat() if path.exists() else None
    return [
        file
        for file in (directory / ARCHIVE).glob(PATTERN)
        if own is not None and os.path.samestat(file.lstat(), own)  # not the inode's number alone
    ]


@contextmanager
def older(reader: JournalReader, *places: Path) -> Iterator[tuple[list[JournalReader], str]]:
    """The journals in those directories that ``reader`` goes on from, opened, the oldest first, and
    what is wrong with their line: a predecessor that is missing or is another than its successor
    names; "" where it is whole."""
    line: list[JournalReader] = []
    broken, before = "", reader.predecessor
    with ExitStack() as stack:
        while before is not None:
            pattern = f"journal-{before.identity.hex()}-*-{before.seq:012d}.sqlite3"
            found = [path for place in places for path in sorted(place.glob(pattern))]
            successor = line[0].path.name if line else str(reader.path)
            from_it = f"goes on from entry {before.seq} of journal {before.identity.hex()}"
            names = f"{successor} {from_it}"
            if not found:
                where = " or ".join(map(str, places))
                broken = f"{names}, which {f'is not in {where}' if where else 'was archived'}"
                break
            path = found[0]
            try:
                one = stack.enter_context(JournalReader(path.parent, path.name))
                is_it, following = (one.identity, *one.head) == before, one.predecessor
            except (JournalError, sqlite3.DatabaseError) as error:
                broken = f"{names}; {path} cannot be read: {error}"
                break
            if not is_it:
                broken = f"{names}, and {path} does not end with that entry"
                break
            line.insert(0, one)
            before = following
        yield line, broken


def parts_of(
    line: Sequence[JournalReader], after: int, upto: int | None = None
) -> Iterator[tuple[JournalReader, int, int | None]]:
    """Which of the entries with ``after`` < seq <= ``upto`` (None: all behind) each journal of a
    line has, the oldest first; those that have none are left out."""
    for reader, following in zip(line, [*line[1:], None], strict=True):
        ends = [end for end in (upto, following.begins if following else None) if end is not None]
        low, high = max(after, reader.begins), min(ends, default=None)
        if high is None or low < high:
            yield reader, low, high


if TYPE_CHECKING:
    from controller.journal.keys import PublicKey
