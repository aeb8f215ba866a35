"""Whether an entry follows from the one before it; used by every reader of a journal.

The rules:

- An entry follows when its number is the next one, its digest is that of its columns behind the
  digest of the entry before it, and a boot that it begins says so in its own row.
- The digest of the entry before is taken *as stored*: so after a broken entry a reader finds the
  next one in order, not every entry after it broken.
- What the table is recovered from is read by :func:`chained`: an entry that does not follow is
  never handed on.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from controller.journal import rows
from controller.journal.canonical import columns, digest
from controller.journal.errors import DamagedJournal, JournalError, damaged, of_the_disk, refusal
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
        """Go on behind an entry as it is stored, before the first one from the origin.

        Raises ValueError when the entry is missing.
        """
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


def chained(
    connection: sqlite3.Connection, path: Path, after: int = 0, upto: int | None = None
) -> Iterator[Entry]:
    """Yield entries in order, ``after`` < seq <= ``upto``, each only once its digest is known to
    follow from the one before it, and its offer to be drawn once.

    Raises :class:`DamagedJournal` naming the file and the entry that was changed or is missing.
    """
    chain = Chain(after, b"", 0)
    try:
        chain = Chain.behind(connection, max(after, rows.beginning(connection)))
        last = rows.head(connection)[0] if upto is None else upto
        known = rows.boots_by_number(connection)
        for row in (row for page in rows.pages(connection, chain.seq, last) for row in page):
            if wrong := chain.broken_by(row, known):
                raise damaged(path, wrong)
            if row[10] is not None and not _is_indexed(connection, row):
                raise damaged(path, f"the index of draws has lost entry {row[0]}")
            yield rows.entry_of(row)
    except DamagedJournal:
        raise
    except (sqlite3.DatabaseError, JournalError, ValueError, TypeError, RecursionError) as error:
        if isinstance(error, sqlite3.DatabaseError) and of_the_disk(error):
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
    """Say which entries are missing."""
    if first >= last:
        return f"entry {first} is missing"
    return f"entries {first} to {last} are missing"


def _is_indexed(connection: sqlite3.Connection, row: Row) -> bool:
    """Whether the index that keeps an offer from being drawn twice knows the draw."""
    query = "SELECT seq FROM entry INDEXED BY entry_draw WHERE offer = ?"
    return bool(connection.execute(query, (row[10],)).fetchone() == (row[0],))
