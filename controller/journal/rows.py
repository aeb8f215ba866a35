"""Rows of the journal as entries: what is read is read here, by writer, reader and verification.

Entries are fetched a page at a time and no statement stays open between two pages: a reader that
is slow, or given up halfway, never holds back the checkpoint of a live table. The journal being
append-only, the pages together are as consistent as one long look would be.

Whether an entry follows from the one before it is asked of :mod:`controller.journal.chain`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from controller.journal.canonical import decode, genesis
from controller.journal.model import Boot, Draft, Entry, Head, Predecessor
from controller.journal.schema import MARKS

COLUMNS = (
    "seq, boot, mono_ns, wall, type, device, session, numbering, event_no, t_ms, offer, "
    "body, digest"
)
INSERT = f"INSERT INTO entry ({COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)"  # noqa: S608
PAGE = 1000

_Int = int | None
Row = tuple[int, int, int, str, str, str | None, _Int, _Int, _Int, _Int, _Int, str, bytes]
"""A row in the order of :data:`COLUMNS`."""


@contextmanager
def one_look(connection: sqlite3.Connection) -> Iterator[None]:
    """What is asked within is answered of one moment, whatever is written meanwhile."""
    connection.execute("BEGIN")
    try:
        yield
    finally:
        if connection.in_transaction:
            connection.execute("COMMIT")


def entry_of(row: Row) -> Entry:
    """Return the entry that a row holds; ValueError when its body is not JSON."""
    seq, boot, mono_ns, wall, kind, device, session, numbering, event_no, t_ms, offer, body, sha = (
        row
    )
    renumbered = numbering is not None and event_no is None
    draft = Draft(kind, decode(body), device, session, event_no, t_ms, offer, renumbered)
    return Entry(seq, boot, mono_ns, wall, draft, numbering, sha)


def pages(
    connection: sqlite3.Connection, after: int = 0, upto: int | None = None
) -> Iterator[list[Row]]:
    """Yield rows in order, ``after`` < seq <= ``upto`` (None: the last there is), page by page."""
    last = head(connection)[0] if upto is None else upto
    while after < last and (rows := page(connection, after, last)):
        yield rows
        after = rows[-1][0]


def page(
    connection: sqlite3.Connection, after: int, upto: int | None = None, most: int = PAGE
) -> list[Row]:
    """Return the first rows of these, ``most`` at a time (``upto`` None: as far as there are)."""
    query = f"SELECT {COLUMNS} FROM entry WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?"  # noqa: S608
    last = (1 << 63) - 1 if upto is None else upto
    return connection.execute(query, (after, last, most)).fetchall()


def row_at(connection: sqlite3.Connection, seq: int) -> Row | None:
    """Return the row of that number, None where there is none."""
    query = f"SELECT {COLUMNS} FROM entry WHERE seq = ?"  # noqa: S608
    row: Row | None = connection.execute(query, (seq,)).fetchone()
    return row


def digest_at(connection: sqlite3.Connection, seq: int) -> bytes | None:
    """Return the digest that the entry has, of one before the first that which stands before it;
    None where there is none of that number."""
    if seq <= beginning(connection):
        return origin(connection)
    row = row_at(connection, seq)
    return None if row is None else row[12]


def seqs_of_type(connection: sqlite3.Connection, kind: str) -> Iterator[int]:
    """Yield the numbers of the entries of a type, the last one first, each looked up when it is
    asked for: quick for the types of :data:`~controller.journal.schema.MARKS`, which have an index,
    and for what happens daily; about a second in ten million entries for what never happened."""
    # Literal, for an index that is partial: see schema.
    where = f"type = '{kind}'" if kind in MARKS else "type = :kind"
    query = f"SELECT seq FROM entry WHERE {where} AND seq < :below ORDER BY seq DESC LIMIT 1"  # noqa: S608
    below = (1 << 63) - 1
    while (row := connection.execute(query, {"kind": kind, "below": below}).fetchone()) is not None:
        below = row[0]
        yield below


def identity(connection: sqlite3.Connection) -> bytes:
    """Return the journal's random identity."""
    return bytes(connection.execute("SELECT identity FROM journal").fetchone()[0])


def predecessor(connection: sqlite3.Connection) -> Predecessor | None:
    """Return what the journal goes on from; None for a table's first."""
    row = connection.execute("SELECT identity, seq, digest FROM predecessor").fetchone()
    return None if row is None else Predecessor(*row)


def beginning(connection: sqlite3.Connection) -> int:
    """Return the number before that of the journal's first entry: 0, or its predecessor's last."""
    before = predecessor(connection)
    return 0 if before is None else before.seq


def origin(connection: sqlite3.Connection) -> bytes:
    """Return the digest that stands before the first entry."""
    return genesis(identity(connection), predecessor(connection))


def head(connection: sqlite3.Connection) -> Head:
    """Return the journal's last entry; what stands before the first when there is none."""
    row = connection.execute("SELECT seq, digest FROM entry ORDER BY seq DESC LIMIT 1").fetchone()
    return Head(beginning(connection), origin(connection)) if row is None else Head(*row)


def boots_by_number(connection: sqlite3.Connection) -> dict[int, Boot]:
    """Return the boots that the journal has counted, by their numbers."""
    return {boot.boot: boot for boot in boots(connection)}


def add_boots(connection: sqlite3.Connection, new: Iterable[Boot]) -> None:
    """Write rows of boots, which must not be there yet, in the transaction of their entries."""
    connection.executemany("INSERT INTO boot VALUES (?,?,?,?)", new)


def without_entry(connection: sqlite3.Connection, known: Sequence[Boot]) -> Iterator[Boot]:
    """Yield those of the boots that are later than the last entry's: no digest covers them, and a
    boot has its row with its first entry."""
    row = connection.execute("SELECT boot FROM entry ORDER BY seq DESC LIMIT 1").fetchone()
    if row is not None:
        yield from (boot for boot in known if boot.boot > row[0])


def boots(connection: sqlite3.Connection) -> list[Boot]:
    """Return the boots that the journal has counted, in order."""
    query = "SELECT boot, boot_id, wall, after_seq FROM boot ORDER BY boot"
    return [Boot(*row) for row in connection.execute(query).fetchall()]
