"""What a journal's file holds, as values, and what a forger makes fit again there: numbers,
digests, boots, the tree, heads and the signed row.

Nothing in a :class:`Ledger` is checked. Its file is made anew from it with SQLite alone, as a
forger makes one.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from controller.evidence.heads import read_head
from controller.evidence.tree.checkpoint import checkpoint_of
from controller.evidence.tree.entries import LOWEST, place_of
from controller.evidence.tree.merkle import HASH_BYTES, joined, leaf_hash, push
from controller.journal import rows, schema
from controller.journal.canonical import canonical, genesis
from controller.journal.chain import digest_of
from controller.journal.commits import signed_text
from controller.journal.export import record
from controller.journal.keys import ControllerKey, SecretKey
from controller.journal.model import FORMAT, TREE, VERSIONS
from controller.journal.opening import PAGE_BYTES

Row = list[Any]
"""A row of ``entry``, in the order of :data:`controller.journal.rows.COLUMNS`."""

SEQ, BOOT, MONO_NS, WALL, TYPE, DEVICE, SESSION = range(7)
EVENT_NO, OFFER, BODY, DIGEST = 8, 10, 11, 12


@contextmanager
def body_of(row: Row) -> Iterator[dict[str, Any]]:
    """An entry's body, to be changed."""
    body = json.loads(row[BODY])
    yield body
    row[BODY] = canonical(body)


class Key(ControllerKey):
    """A controller's key in memory."""

    def __init__(self, secret: SecretKey) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(secret.raw)
        self.path, self.installed, self.made = Path(), False, False
        self.text, self.public = secret.text, secret.public
        self.fingerprint = self.public.fingerprint


@dataclass(slots=True)
class Tree:
    """The tree over a journal's lines: ``roots`` by the number of the last one, and the file of
    ``nodes``; nothing where it goes on and does not say from which tree."""

    roots: dict[int, bytes] = field(default_factory=dict)
    nodes: bytearray = field(default_factory=bytearray)


@dataclass(slots=True)
class Ledger:
    """What a journal's file holds. ``signed`` are the rows of that table without their first
    column, None where there is no such table."""

    identity: bytes
    boots: list[tuple[int, str, str, int]]
    predecessor: tuple[bytes, int, bytes] | None
    entries: list[Row]
    signed: list[tuple[Any, ...]] | None
    version: int

    @property
    def begins(self) -> int:
        """The number before that of its first entry."""
        return self.predecessor[1] if self.predecessor else 0

    @property
    def last(self) -> int:
        """The number of its last entry."""
        return int(self.entries[-1][SEQ]) if self.entries else self.begins

    @property
    def story(self) -> tuple[object, ...]:
        """All that anybody reads of it but its signature."""
        return self.identity, self.boots, self.predecessor, self.entries

    @property
    def commit_ends(self) -> list[int]:
        """The places of entries with which a commit ended: what one wrote has one moment."""
        moments = [(row[BOOT], row[MONO_NS]) for row in self.entries]
        return [at for at in range(len(moments) - 1) if moments[at] != moments[at + 1]]

    @property
    def _origin(self) -> bytes:
        """The digest before its first entry."""
        return genesis(self.identity, self.predecessor)

    @property
    def _boot_ids(self) -> dict[int, str]:
        return {boot: boot_id for boot, boot_id, _, _ in self.boots}

    def copied(self) -> Ledger:
        """The same, to be altered."""
        entries = [list(row) for row in self.entries]
        signed = None if self.signed is None else list(self.signed)
        return replace(self, boots=list(self.boots), entries=entries, signed=signed)

    def cut(self, place: int, key: Key) -> Ledger:
        """As it was when the entry at that place was its last one, genuine in all of it."""
        earlier = self.copied()
        del earlier.entries[place + 1 :]
        earlier.forget_boots()
        earlier.signed = [earlier.signed_row(key)]
        return earlier

    # ---- what is made to fit ------------------------------------------------------------------

    def number(self) -> None:
        """Number the entries as they follow each other."""
        for seq, row in enumerate(self.entries, self.begins + 1):
            row[SEQ] = seq

    def chain(self, first: int = 0, upto: int | None = None) -> None:
        """Compute the digests anew from the place ``first`` in its entries, up to, and without, the
        place ``upto``; boots say where they begin."""
        names = self._boot_ids
        before = self.entries[first - 1][DIGEST] if first else self._origin
        for row in self.entries[first:upto]:
            row[DIGEST] = before = digest_of(tuple(row), names.get(row[BOOT], ""), before)

    def begin_boots(self) -> None:
        """Have each boot begin with its first entry; those without entries in this file stay."""
        firsts: dict[int, Row] = {}
        for row in self.entries:
            firsts.setdefault(row[BOOT], row)
        self.boots = [
            (boot, name, firsts[boot][WALL], firsts[boot][SEQ] - 1)
            if boot in firsts
            else (boot, name, wall, min(after, self.last))
            for boot, name, wall, after in self.boots
        ]

    def forget_boots(self) -> None:
        """Those behind its end."""
        self.boots = [boot for boot in self.boots if boot[3] < self.last]

    def strip_format(self) -> None:
        """Take away from the first entry which form it is of."""
        with body_of(self.entries[0]) as body:
            if isinstance(told := body.get(VERSIONS), dict):
                told.pop(FORMAT, None)

    # ---- what is made of it -------------------------------------------------------------------

    def lines(self) -> Iterator[str]:
        """The entries as an export has them."""
        names = self._boot_ids
        for number, row in enumerate(self.entries):
            line = record(rows.entry_of(tuple(row))) | {"boot_id": names.get(row[BOOT], "")}
            if not number:
                line |= {"journal": self.identity.hex()}
                if self.predecessor is not None:
                    named, seq, last = self.predecessor
                    before = {"journal": named.hex(), "seq": seq, "digest": last.hex()}
                    line |= {"predecessor": before}
            yield json.dumps(line, separators=(",", ":"))

    def tree(self) -> Tree:
        """The tree as it is now."""
        stack: list[tuple[int, bytes]] = []
        if self.predecessor is not None:
            size = self.begins
            levels = [level for level in range(size.bit_length() - 1, -1, -1) if size >> level & 1]
            try:
                told = json.loads(self.entries[0][BODY])[TREE]["hashes"]
                stack = list(zip(levels, map(bytes.fromhex, told), strict=True))
            except (LookupError, TypeError, ValueError):
                return Tree()
        found = Tree()
        for row, line in zip(self.entries, self.lines(), strict=True):
            for level, value in push(stack, leaf_hash(line.encode("ascii"))):
                if level >= LOWEST:
                    at = HASH_BYTES * place_of(level, (row[SEQ] - 1) >> level)
                    found.nodes.extend(bytes(max(0, at + HASH_BYTES - len(found.nodes))))
                    found.nodes[at : at + HASH_BYTES] = value
            found.roots[row[SEQ]] = joined(value for _, value in stack)
        return found

    def signed_row(self, key: Key, place: int = -1) -> tuple[Any, ...]:
        """The signed row of the entry at that place."""
        at = self.entries[place]
        text = signed_text(self.identity, at[SEQ], at[DIGEST], at[WALL])
        return at[SEQ], at[DIGEST], at[WALL], key.fingerprint, key.sign(text)

    def heads_anew(self, heads: Iterable[bytes] | None, key: Key) -> list[bytes]:
        """Heads of the journal as it is now, for the same entries as ``heads`` are, under that key;
        without those for entries that it has not."""
        digests = {row[SEQ]: row[DIGEST] for row in self.entries} | {self.begins: self._origin}
        roots, found = self.tree().roots, []
        for head in map(read_head, heads or ()):
            if head.seq not in digests:
                continue
            checkpoint = ""
            if head.checkpoint and head.seq in roots:
                checkpoint = checkpoint_of(key.public, head.seq, roots[head.seq]).signed(key)
            digest = digests[head.seq].hex()
            told = {"journal": self.identity.hex(), "digest": digest, "checkpoint": checkpoint}
            found.append(replace(head, **told).signed(key).line.encode("ascii"))
        return found


def read_ledger(path: Path) -> Ledger:
    """What the file holds."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        execute = connection.execute
        [(version,)] = execute("PRAGMA user_version")
        there = "signed" in schema.objects(connection)
        signed = "SELECT seq, digest, wall, key, signature FROM signed"
        before = rows.predecessor(connection)
        return Ledger(
            rows.identity(connection),
            execute("SELECT boot, boot_id, wall, after_seq FROM boot ORDER BY boot").fetchall(),
            before,
            [list(row) for row in execute(f"SELECT {rows.COLUMNS} FROM entry ORDER BY seq")],
            execute(signed).fetchall() if there else None,
            version,
        )


def write_ledger(ledger: Ledger, path: Path) -> None:
    """Make the file."""
    path.write_bytes(_empty(ledger.signed is not None, len(ledger.signed or ()) > 1))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        execute, many = connection.execute, connection.executemany
        execute("PRAGMA synchronous = OFF")
        execute("PRAGMA journal_mode = OFF")
        execute("BEGIN")
        execute("INSERT INTO journal VALUES (1, ?, '2026-11-26T00:00:00+00:00')", [ledger.identity])
        many("INSERT INTO boot VALUES (?,?,?,?)", ledger.boots)
        if ledger.predecessor is not None:
            execute("INSERT INTO predecessor VALUES (1,?,?,?)", ledger.predecessor)
        many(rows.INSERT, ledger.entries)
        for row in ledger.signed or ():
            execute("INSERT INTO signed VALUES (1,?,?,?,?,?)", row)
        execute(f"PRAGMA user_version = {ledger.version}")
        execute("COMMIT")


@cache
def _empty(signed: bool, several: bool) -> bytes:
    """A file with all tables and nothing in them; ``several``: of the signed row, with a table that
    takes more than one."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        for statement in schema.STATEMENTS:
            if not statement.startswith("CREATE TABLE signed "):
                connection.execute(statement)
            elif several:
                connection.execute("CREATE TABLE signed (one, seq, digest, wall, key, signature)")
            elif signed:
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
        return connection.serialize()
