"""Checks, in constant time, of what a start relies on besides the entries that it replays.

The rules:

- Tables, indexes and triggers are a journal's, and no others; but for the table of the signed row,
  which whoever looks at signatures judges (:mod:`controller.journal.commits`).
- The first entry, as it was written, says the form of the journal.
- Nothing was ever taken out of the file, so it has no free pages. A header that says otherwise
  would have the next commit write over an entry.
- Pages set aside for shrinking it (``auto_vacuum``) no controller makes either, but a ``VACUUM`` by
  hand does. Where SQLite's whole check finds each of them the file is well, with a remark. A header
  that merely says so would have a commit write over an entry too: the check finds none of them. It
  reads the whole file, some 300 MB a second, which no other file needs.
- The file is as long as its header says (or shorter, while the rest is in the log): a header that
  is behind has the next commit write over the last pages.
- The table of the journal's name and that of boots are small and checked whole.
- The last position of each session of a device, found in an index, is that of an entry that is
  there: by it a device's event is taken or dropped.
- Positions reached in an archived journal stand in the first entry of the one that goes on from
  it, and nowhere else here. No replay from a later snapshot comes by that entry, so it is proven by
  itself before they are used.

How long the file is does not matter to the rest. Entries are checked as they are replayed
(:func:`controller.journal.chain.chained`), all the rest by the scrubber.
"""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from controller.journal import rows, schema
from controller.journal.canonical import decode
from controller.journal.chain import chained, follows
from controller.journal.errors import JournalError, damaged
from controller.journal.events import EventPosition

_SETTINGS = {"encoding": "UTF-8", "freelist_count": 0}
_SMALL_TABLES = ("sqlite_schema", "journal", "predecessor", "boot")

SHRINKS: Final = (
    "the file was rewritten by hand (VACUUM with auto_vacuum), which no controller does; every "
    "page is as it should be. Nothing need be done: the next journal is made without it"
)
"""The remark on a journal that is well otherwise."""


def check_structure(connection: sqlite3.Connection, path: Path) -> None:
    """Raise :class:`~controller.journal.errors.DamagedJournal` naming what is not as a controller
    makes it; SQLite's own error where it finds a page damaged."""
    _check_schema(connection, path)
    for wrong in wrong_settings(connection):
        raise damaged(path, wrong)
    if shrinks(connection):
        for (line,) in connection.execute("PRAGMA integrity_check(1)").fetchall():
            if line != "ok":
                raise damaged(path, f"its header says auto_vacuum, and {line}")
    for table in _SMALL_TABLES:
        for (line,) in connection.execute(f"PRAGMA integrity_check({table})").fetchall():
            if line != "ok":
                raise damaged(path, f"{table}: {line}")
    _check_length(connection, path)
    _check_boots(connection, path)


def wrong_settings(connection: sqlite3.Connection) -> Iterator[str]:
    """What the file's header says that no journal's may, whoever reads it."""
    for name, expected in _SETTINGS.items():
        found = connection.execute(f"PRAGMA {name}").fetchone()[0]
        if found != expected:
            yield f"its header says {name} {found}, expected {expected}"


def shrinks(connection: sqlite3.Connection) -> bool:
    """Whether the header says that the file has pages set aside for shrinking it."""
    return bool(connection.execute("PRAGMA auto_vacuum").fetchone()[0])


def _check_schema(connection: sqlite3.Connection, path: Path) -> None:
    """Compare tables, indexes and triggers with a journal's, by name and SQL."""
    wanted = schema.expected_objects()
    del wanted["signed"]
    query = "SELECT name, sql FROM sqlite_schema WHERE name != 'signed'"
    there = connection.execute(query).fetchall()
    if len(there) != len(wanted) or dict(there) != wanted:
        differ = wanted.keys() ^ dict(there).keys() or {
            name for name, sql in there if wanted[name] != sql
        }
        raise damaged(path, f"{', '.join(map(repr, sorted(differ)))} not as a controller makes it")


def _check_length(connection: sqlite3.Connection, path: Path) -> None:
    """Compare the file's length with its header, where the log has nothing to add."""
    length = path.stat().st_size  # first: beside a writer it may be longer in a moment
    size = connection.execute("PRAGMA page_size").fetchone()[0]
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    log = path.with_name(path.name + "-wal")
    complete = not log.exists() or log.stat().st_size == 0
    if length > pages * size or (complete and length != pages * size):
        raise damaged(path, f"it has {length} bytes, by its header {pages} pages of {size}")


def _check_boots(connection: sqlite3.Connection, path: Path) -> None:
    """See that the journal has a name, and that its boots follow each other."""
    names = connection.execute("SELECT length(identity) FROM journal").fetchall()
    if names != [(16,)]:
        raise damaged(path, "it has lost its name, by which its first entry is chained")
    first = connection.execute("SELECT min(seq) FROM entry").fetchone()[0]
    if first not in (None, rows.beginning(connection) + 1):
        raise damaged(path, f"its first entry is {first}, which does not follow what it names")
    boots = rows.boots(connection)  # first: a copy may grow meanwhile
    last, before = rows.head(connection)[0], 0
    for number, boot in enumerate(boots, start=1):
        if boot.boot != number or not before <= boot.after_seq <= last:
            raise damaged(path, f"boot {number} is missing, or was changed")
        before = boot.after_seq
    for boot in rows.without_entry(connection, boots):
        raise damaged(path, f"boot {boot.boot} has no entry")


def check_format(connection: sqlite3.Connection, path: Path) -> None:
    """Raise :class:`~controller.journal.errors.OtherFormat` where the first entry, which is as it
    was written, does not say :data:`~controller.journal.schema.FORMAT`. One that was changed since
    or is missing is damage, and found by whoever goes through the entries."""
    said = True
    with suppress(sqlite3.Error, JournalError, TypeError, ValueError, RecursionError):
        row = rows.row_at(connection, rows.beginning(connection) + 1)
        known = rows.boots_by_number(connection)
        if row is not None and follows(row, known, rows.origin(connection)):
            said = schema.is_of_format(decode(row[11]))
    if not said:
        raise schema.other_format(path, "its first entry says another, or none")


def check_beginning(connection: sqlite3.Connection, path: Path) -> None:
    """Raise :class:`~controller.journal.errors.DamagedJournal` when the first entry of a journal
    that goes on from an archived one is missing, or does not follow from what it goes on from."""
    if (before := rows.predecessor(connection)) is not None:
        deque(chained(connection, path, before.seq, before.seq + 1), 0)


def check_positions(
    connection: sqlite3.Connection, path: Path, positions: Mapping[tuple[str, int], EventPosition]
) -> None:
    """Raise :class:`~controller.journal.errors.DamagedJournal` when a position is not that of an
    entry; by session, of which there are few. The beginning was checked before."""
    query = "SELECT device, session, numbering, coalesce(event_no, 0) FROM entry WHERE seq = ?"
    beginning = rows.beginning(connection)
    for (device, session), known in positions.items():
        if known.seq <= beginning:
            continue  # in an archived journal; the first entry here says so (check_beginning)
        there = connection.execute(query, (known.seq,)).fetchone()
        if there != (device, session, known.numbering, known.event_no):
            raise damaged(path, f"the index of events names entry {known.seq}, which is not so")
