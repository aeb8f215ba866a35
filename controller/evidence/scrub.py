"""The journal's indexes against its entries, and a check of a whole journal in small steps, while
the table plays. The rules:

- Each step looks at a few entries in a transaction of its own: a long read would block the log's
  checkpoints.
- Every entry's digest follows from the one before it, and every index that should have the entry
  has it; an index with as many entries as were found in it then has no others
  (:class:`Index`).
- The end that the file has is the one that the writer believes it has. At the end of a walk the
  signed row is good and of the last entry: one that was exchanged under a running table is found,
  unless a commit has replaced it before.
- SQLite's own check of its pages cannot be done in steps. It is done where it takes no more than
  about a second; for a larger file it is ``tablectl journal verify`` that does it.
- The first thing found ends the walk: what else is wrong is for ``tablectl journal verify``.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Final

from controller.journal import rows
from controller.journal.chain import Chain, check_structure
from controller.journal.commits import read_cover
from controller.journal.errors import DamagedJournal, damaged, of_the_disk
from controller.journal.keys import PublicKey
from controller.journal.model import Head
from controller.journal.reader import JournalReader
from controller.journal.schema import MARKS, objects


@dataclass(frozen=True, slots=True)
class Index:
    """An index: the entries that it has, in SQL and of a row as read, and how one is found in it
    by some of the row's columns.

    By ``entry_event`` and ``entry_draw`` the database refuses a second event or draw, so an index
    that has lost an entry would let one in. That is found by looking an entry up in it, or by
    ``PRAGMA integrity_check``. What an index has too much no question shows on every release: a
    query is answered as if a partial index held what its WHERE clause says and no more, and
    ``integrity_check`` counts the entries of a partial index in SQLite 3.40, but not in 3.46. So
    they are counted in its pages, by the table ``dbstat`` of SQLite
    (https://www.sqlite.org/dbstat.html), which Debian's has.
    """

    name: str
    where: str
    has: Callable[[rows.Row], bool]
    found_by: str
    columns: tuple[int, ...]

    def lost(self, connection: sqlite3.Connection, row: rows.Row) -> bool:
        """Whether the row, which it should have, is not found in it."""
        query = f"SELECT seq FROM entry INDEXED BY {self.name} WHERE {self.where}"  # noqa: S608
        values = [row[column] for column in self.columns]
        return bool(
            connection.execute(f"{query} AND {self.found_by}", values).fetchone() != (row[0],)
        )

    def wanted(self, connection: sqlite3.Connection) -> int:
        """How many entries it should have, by the entries themselves."""
        query = f"SELECT count(*) FROM entry NOT INDEXED WHERE {self.where}"  # noqa: S608
        return int(connection.execute(query).fetchone()[0])

    def stored(self, connection: sqlite3.Connection) -> int:
        """How many it has: cells in its pages, of which each is one entry of an index. Page by
        page: dbstat's own sum (``aggregate``) cannot be interrupted."""
        query = "SELECT coalesce(sum(ncell), 0) FROM dbstat WHERE name = ?"
        return int(connection.execute(query, (self.name,)).fetchone()[0])


_INDEXES: Final = (
    Index(
        "entry_event",
        "numbering IS NOT NULL",
        lambda row: row[7] is not None,
        "device = ? AND session = ? AND numbering = ? AND event_no IS ?",
        (5, 6, 7, 8),
    ),
    Index("entry_draw", "offer IS NOT NULL", lambda row: row[10] is not None, "offer = ?", (10,)),
    Index(
        "entry_mark",
        "(type = 'snapshot' OR type = 'start')",
        lambda row: row[4] in MARKS,
        "type = ? AND seq = ?",
        (4, 0),
    ),
)


def indexes(connection: sqlite3.Connection) -> tuple[Index, ...]:
    """Those that there are: that one is lost is for a look at the schema to find."""
    there = objects(connection)
    return tuple(index for index in _INDEXES if index.name in there)


def problems_of_pages(connection: sqlite3.Connection, most: int = 100) -> Iterator[str]:
    """What is wrong with the file's pages, constraints and indexes, in SQLite's words and ours; of
    SQLite's ``most``. Nothing is open while a line is looked at."""
    for (line,) in connection.execute(f"PRAGMA integrity_check({most})").fetchall():
        if line != "ok":
            yield line
    with rows.one_look(connection):
        counts = [
            (index.name, index.stored(connection), index.wanted(connection))
            for index in indexes(connection)
        ]
    for name, stored, wanted in counts:
        if stored != wanted:
            yield f"the index {name} has {stored} entries, expected {wanted}"


STEP: Final = 50  # entries looked at in a step: about a millisecond
PAGES_CHECKED_BYTES: Final = 64 << 20
"""Size of a file up to which SQLite checks its pages in about a second."""


class Walk:
    """One walk over the journal that ``reader`` reads; ``end`` says its last entry as the writer
    knows it (None: there is no writer to ask), ``keys`` are those that may have signed it (none:
    that is not looked at)."""

    def __init__(
        self,
        reader: JournalReader,
        end: Callable[[], Head] | None = None,
        keys: Collection[PublicKey] = (),
    ) -> None:
        self._reader = reader
        self._end = end
        self._keys = keys
        self._indexed: dict[Index, int] = {}
        self._walk: Chain | None = None
        self.done = False

    @property
    def seq(self) -> int:
        """The last entry looked at."""
        return self._walk.seq if self._walk else 0

    def step(self) -> None:
        """Look at a few more entries, or at the rest behind the last one; sets ``done``. Raises
        :class:`DamagedJournal` saying what was found; sqlite3.Error where the disk cannot be read,
        or the walk was interrupted."""
        try:
            self._step()
        except (TypeError, ValueError, OverflowError, sqlite3.DatabaseError) as error:
            # Text that is no text is an OperationalError as well, without a code.
            if of_the_disk(error):
                raise
            what = f"it cannot be read beyond entry {self.seq}: {error}"
            raise damaged(self._reader.path, what) from error

    def _step(self) -> None:
        connection = self._reader.connection
        if self._walk is None:
            self._indexed = dict.fromkeys(indexes(connection), 0)
            self._walk = Chain.behind(connection, rows.beginning(connection))
        end = self._end() if self._end is not None else None
        with rows.one_look(connection):
            found = rows.page(connection, self._walk.seq, most=STEP)
            known = rows.boots_by_number(connection) if found else {}
            for row in found:
                if wrong := self._walk.broken_by(row, known):
                    raise self._damaged(wrong)
                self._look_up(connection, row)
            if at_end := len(found) < STEP:
                if end is not None and rows.digest_at(connection, end.seq) != end.digest:
                    what = f"entry {end.seq}, made durable by this process, is not in it"
                    raise self._damaged(what)
                for index, count in self._indexed.items():
                    if index.stored(connection) != count:
                        why = f"the index {index.name} has entries that are not there"
                        raise self._damaged(why)
        if at_end:
            self._finish(connection)

    def _look_up(self, connection: sqlite3.Connection, row: rows.Row) -> None:
        for index in self._indexed:
            if not index.has(row):
                continue
            if index.lost(connection, row):
                raise self._damaged(f"the index {index.name} has lost entry {row[0]}")
            self._indexed[index] += 1

    def _finish(self, connection: sqlite3.Connection) -> None:
        if self._keys and (wrong := read_cover(connection, self._keys).wrong):
            raise self._damaged(wrong)
        check_structure(connection, self._reader.path)
        if self._reader.path.stat().st_size <= PAGES_CHECKED_BYTES:
            for line in problems_of_pages(connection, most=1):
                raise self._damaged(line)
        self.done = True

    def _damaged(self, what: str) -> DamagedJournal:
        return damaged(self._reader.path, what)
