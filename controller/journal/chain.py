"""Whether what stands in a journal is as it was written: each entry follows from the one before it,
which every reader asks, and in constant time what a start relies on besides the entries that it
replays.

Of entries:

- An entry follows when its number is the next one, its digest is that of its columns behind the
  digest of the entry before it, and a boot that it begins says so in its own row.
- The digest of the entry before is taken *as stored*: so after a broken entry a reader finds the
  next one in order, not every entry after it broken.
- What the table is recovered from is read by :func:`chained`: an entry that does not follow is
  never handed on.

Of the file:

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
"""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.journal import rows, schema
from controller.journal.canonical import columns, decode, digest
from controller.journal.errors import DamagedJournal, JournalError, damaged, of_the_disk, refusal
from controller.journal.events import EventPosition, load_positions
from controller.journal.model import Boot, Entry
from controller.journal.rows import Row


def digest_of(row: Row, boot_id: str, before: bytes) -> bytes:
    """Return the digest that a row should have after the entry whose digest is ``before``."""
    return digest(before, columns(row[0], row[1], boot_id, *row[2:11]), row[11])


def follows(row: Row, known: Mapping[int, Boot], before: bytes) -> bool:
    """Whether a row has the digest that it should have after the entry whose digest is ``before``;
    ``known`` are the journal's boots by number: an entry of any other one follows nothing."""
    boot = known.get(row[1])
    return boot is not None and row[12] == digest_of(row, boot.boot_id, before)


@dataclass(slots=True)
class Chain:
    """A walk over entries in order: number, digest and boot of the last one that followed."""

    seq: int
    digest: bytes
    boot: int

    @classmethod
    def behind(cls, connection: sqlite3.Connection, seq: int) -> Chain:
        """Go on behind an entry as it is stored, before the first one from the origin. Raises
        ValueError when the entry is missing."""
        if seq == rows.beginning(connection):
            return cls(seq, rows.origin(connection), 0)
        row = connection.execute("SELECT digest, boot FROM entry WHERE seq = ?", (seq,)).fetchone()
        if row is None:
            raise ValueError(f"entry {seq} is missing")
        return cls(seq, bytes(row[0]), int(row[1]))

    def broken_by(self, row: Row, known: Mapping[int, Boot]) -> str:
        """What is wrong with a row that should be the next entry, in plain words; empty when it
        is, and the walk goes on behind it."""
        if row[0] != self.seq + 1:
            return _missing(self.seq + 1, row[0] - 1)
        if not follows(row, known, self.digest):
            return f"entry {row[0]} was changed, or does not follow from the entry before it"
        if row[1] != self.boot and not began_with(known.get(row[1]), row):
            return f"the beginning of boot {row[1]} was changed"
        self.seq, self.digest, self.boot = row[0], row[12], row[1]
        return ""


_DRAWN: Final = "SELECT seq FROM entry INDEXED BY entry_draw WHERE offer = ?"
"""By the index that keeps an offer from being drawn twice."""


def chained(
    connection: sqlite3.Connection, path: Path, after: int = 0, upto: int | None = None
) -> Iterator[Entry]:
    """Yield entries in order, ``after`` < seq <= ``upto``, each only once its digest is known to
    follow from the one before it, and its offer to be drawn once. Raises :class:`DamagedJournal`
    naming the file and the entry that was changed or is missing."""
    chain = Chain(after, b"", 0)
    try:
        chain = Chain.behind(connection, max(after, rows.beginning(connection)))
        last = rows.head(connection)[0] if upto is None else upto
        known = rows.boots_by_number(connection)
        for row in (row for page in rows.pages(connection, chain.seq, last) for row in page):
            if wrong := chain.broken_by(row, known):
                raise damaged(path, wrong)
            drawn = row[10] is not None and connection.execute(_DRAWN, (row[10],)).fetchone()
            if row[10] is not None and drawn != (row[0],):
                raise damaged(path, f"the index of draws has lost entry {row[0]}")
            yield rows.entry_of(row)
    except DamagedJournal:
        raise
    except (sqlite3.DatabaseError, JournalError, ValueError, TypeError, RecursionError) as error:
        if of_the_disk(error):
            what = f"{path} cannot be read beyond entry {chain.seq} ({error})"
            raise refusal(what, path, error) from error
        raise damaged(path, f"it cannot be read beyond entry {chain.seq}: {error}") from error
    if chain.seq < last:
        raise damaged(path, _missing(chain.seq + 1, last))


def began_with(boot: Boot | None, row: Row) -> bool:
    """Whether a boot began with the entry in this row, as its own row says; a boot that is not
    known is another fault."""
    return boot is None or (boot.after_seq, boot.wall) == (row[0] - 1, row[3])


def _missing(first: int, last: int) -> str:
    if first >= last:
        return f"entry {first} is missing"
    return f"entries {first} to {last} are missing"


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
    differ = [repr(name) for name, _ in schema.differing(connection) if name != "signed"]
    if differ:
        raise damaged(path, f"{', '.join(differ)} not as a controller makes it")


def _check_length(connection: sqlite3.Connection, path: Path) -> None:
    length = path.stat().st_size  # first: beside a writer it may be longer in a moment
    size = connection.execute("PRAGMA page_size").fetchone()[0]
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    log = path.with_name(path.name + "-wal")
    complete = not log.exists() or log.stat().st_size == 0
    if length > pages * size or (complete and length != pages * size):
        raise damaged(path, f"it has {length} bytes, by its header {pages} pages of {size}")


def _check_boots(connection: sqlite3.Connection, path: Path) -> None:
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


def checked_positions(
    connection: sqlite3.Connection, path: Path
) -> dict[tuple[str, int], EventPosition]:
    """Up to where each device's events are stored; what they rest on is checked. Raises OtherFormat
    as :func:`check_format`. DamagedJournal: the first entry of a journal that goes on from an
    archived one is missing, or does not follow from what it goes on from; or a position is not that
    of an entry, of which each session has one."""
    check_format(connection, path)
    beginning = rows.beginning(connection)
    if beginning:
        deque(chained(connection, path, beginning, beginning + 1), 0)
    positions = load_positions(connection)
    query = "SELECT device, session, numbering, coalesce(event_no, 0) FROM entry WHERE seq = ?"
    for (device, session), known in positions.items():
        if known.seq <= beginning:
            continue  # in an archived journal; the first entry here says so
        there = connection.execute(query, (known.seq,)).fetchone()
        if there != (device, session, known.numbering, known.event_no):
            raise damaged(path, f"the index of events names entry {known.seq}, which is not so")
    return positions
