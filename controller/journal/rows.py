"""Rows of the journal as entries: what is read is read here, by writer, reader and verification.

Entries are fetched a page at a time and no statement stays open between two pages: a reader that
is slow, or given up halfway, never holds back the checkpoint of a live table. The journal being
append-only, the pages together are as consistent as one long look would be.

What the table is recovered from is read by :func:`chained`: an entry that does not follow from the
one before it is never handed on.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from controller.journal.canonical import columns, decode, digest, genesis
from controller.journal.disk import of_the_disk
from controller.journal.errors import (
    DamagedJournal,
    DiskFailed,
    JournalError,
    NotAJournal,
    damaged,
)
from controller.journal.model import Boot, Draft, Entry, Head, Predecessor
from controller.journal.schema import MARKS

COLUMNS = (
    "seq, boot, mono_ns, wall, type, device, session, numbering, event_no, t_ms, offer, "
    "body, digest"
)
INSERT = f"INSERT INTO entry ({COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)"  # noqa: S608
PAGE = 1000

Row = tuple[
    int,
    int,
    int,
    str,
    str,
    str | None,
    int | None,
    int | None,
    int | None,
    int | None,
    int | None,
    str,
    bytes,
]
"""A row in the order of :data:`COLUMNS`."""


def digest_of(row: Row, boot_id: str, before: bytes) -> bytes:
    """Return the digest that a row should have after the entry whose digest is ``before``."""
    return digest(before, columns(row[0], row[1], boot_id, *row[2:11]), row[11])


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
    while after < last:
        rows: list[Row] = connection.execute(
            f"SELECT {COLUMNS} FROM entry WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?",  # noqa: S608
            (after, last, PAGE),
        ).fetchall()
        if not rows:
            return
        yield rows
        after = rows[-1][0]


def entries(
    connection: sqlite3.Connection, path: Path, after: int = 0, upto: int | None = None
) -> Iterator[Entry]:
    """Yield entries in order, ``after`` < seq <= ``upto``.

    Raises :class:`NotAJournal` naming the file at ``path`` when one cannot be read.
    """
    try:
        yield from map(entry_of, chain.from_iterable(pages(connection, after, upto)))
    except (sqlite3.DatabaseError, JournalError, ValueError, TypeError, RecursionError) as error:
        raise NotAJournal(
            f"{path} is damaged ({error}); 'tablectl journal verify' says where"
        ) from error


def chained(
    connection: sqlite3.Connection, path: Path, after: int = 0, upto: int | None = None
) -> Iterator[Entry]:
    """Yield entries in order, ``after`` < seq <= ``upto``, each only once its digest is known to
    follow from the one before it, and its offer to be drawn once.

    Raises :class:`DamagedJournal` naming the file and the entry that was changed or is missing.
    """
    seq = after
    try:
        seq = after = max(after, beginning(connection))
        last = head(connection)[0] if upto is None else upto
        before, boot = _at(connection, after)
        known = {boot.boot: boot for boot in boots(connection)}
        for page in pages(connection, after, last):
            for row in page:
                if row[0] != seq + 1:
                    raise damaged(path, _missing(seq + 1, row[0] - 1))
                expected = digest_of(row, boot_id_of(known.get(row[1])), before)
                if expected != row[12]:
                    raise damaged(
                        path,
                        f"entry {row[0]} was changed, or does not follow from the entry before it",
                    )
                if row[1] != boot and not began_with(known.get(row[1]), row):
                    raise damaged(path, f"the beginning of boot {row[1]} was changed")
                seq, before, boot = row[0], row[12], row[1]
                if row[10] is not None and not _is_indexed(connection, row):
                    raise damaged(path, f"the index of draws has lost entry {seq}")
                yield entry_of(row)
    except DamagedJournal:
        raise
    except (sqlite3.DatabaseError, JournalError, ValueError, TypeError, RecursionError) as error:
        if isinstance(error, sqlite3.DatabaseError) and of_the_disk(error):
            raise DiskFailed(
                f"{path} cannot be read beyond entry {seq} ({error}); look at the disk ('dmesg')"
            ) from error
        raise damaged(path, f"it cannot be read beyond entry {seq}: {error}") from error
    if seq < last:
        raise damaged(path, _missing(seq + 1, last))


def boot_id_of(boot: Boot | None) -> str:
    """Return the kernel's name of a boot, the empty text of one that is not known."""
    return "" if boot is None else boot.boot_id


def began_with(boot: Boot | None, row: Row) -> bool:
    """Whether a boot began with the entry in this row, as its own row says; a boot that is not
    known is another fault."""
    return boot is None or (boot.after_seq, boot.wall) == (row[0] - 1, row[3])


def _at(connection: sqlite3.Connection, seq: int) -> tuple[bytes, int]:
    """Digest and boot of an entry as stored; before the first one the origin and no boot."""
    if seq == beginning(connection):
        return origin(connection), 0
    row = connection.execute("SELECT digest, boot FROM entry WHERE seq = ?", (seq,)).fetchone()
    if row is None:
        raise ValueError(f"entry {seq} is missing")
    return bytes(row[0]), int(row[1])


def _missing(first: int, last: int) -> str:
    """Say which entries are missing."""
    if first >= last:
        return f"entry {first} is missing"
    return f"entries {first} to {last} are missing"


def _is_indexed(connection: sqlite3.Connection, row: Row) -> bool:
    """Whether the index that keeps an offer from being drawn twice knows the draw."""
    query = "SELECT seq FROM entry INDEXED BY entry_draw WHERE offer = ?"
    return bool(connection.execute(query, (row[10],)).fetchone() == (row[0],))


def last_of_type(connection: sqlite3.Connection, kind: str) -> Entry | None:
    """Return the last entry of a type.

    Looks backwards from the end: quick for the types of :data:`schema.MARKS`, which have an index,
    and for what happens daily; about a second in ten million entries for what never happened.
    """
    for seq in seqs_of_type(connection, kind):
        query = f"SELECT {COLUMNS} FROM entry WHERE seq = ?"  # noqa: S608
        return entry_of(connection.execute(query, (seq,)).fetchone())
    return None


def seqs_of_type(connection: sqlite3.Connection, kind: str) -> Iterator[int]:
    """Yield the numbers of the entries of a type, the last one first, each looked up when it is
    asked for."""
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
    before = predecessor(connection)
    named = None if before is None else (before.identity, before.seq, before.digest)
    return genesis(identity(connection), named)


def head(connection: sqlite3.Connection) -> tuple[int, bytes]:
    """Return number and digest of the last entry, those before the first when there is none."""
    row = connection.execute("SELECT seq, digest FROM entry ORDER BY seq DESC LIMIT 1").fetchone()
    return (beginning(connection), origin(connection)) if row is None else row


def head_of(connection: sqlite3.Connection) -> Head:
    """Return the journal's head."""
    return Head(*head(connection))


def boots(connection: sqlite3.Connection) -> list[Boot]:
    """Return the boots that the journal has counted, in order."""
    query = "SELECT boot, boot_id, wall, after_seq FROM boot ORDER BY boot"
    return [Boot(*row) for row in connection.execute(query).fetchall()]
