"""The journal's indexes against its entries: each has the entries that it should, and no others.

The rules:

- By ``entry_event`` and ``entry_draw`` the database refuses a second event or draw, so an index
  that has lost an entry would let one in.
- What an index has lost is found by looking an entry up in it, or by ``PRAGMA integrity_check``.
- What it has too much no question shows on every release: a query is answered as if a partial index
  held what its WHERE clause says and no more, and ``integrity_check`` counts the entries of a
  partial index in SQLite 3.40, but not in 3.46. So they are counted in its pages, by the table
  ``dbstat`` of SQLite (https://www.sqlite.org/dbstat.html), which Debian's has.
- An index that has each entry it should, and as many as there are of these, has no others.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from controller.journal import rows
from controller.journal.schema import MARKS, objects


@dataclass(frozen=True, slots=True)
class Index:
    """An index: the entries that it has, in SQL and of a row as read, and how one is found in it
    by some of the row's columns."""

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
