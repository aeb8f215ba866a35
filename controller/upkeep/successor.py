"""The journal that goes on from one that has ended, and how it takes its place. The rules:

- It names its predecessor: that file's identity, the number and digest of its last entry. They are
  part of the digest that its own first entry is chained to. Numbers of entries and boots go on.
- Its first entry is a snapshot, which also carries up to where the events of each device are
  stored: none is taken twice because the entry that has it is elsewhere. It carries the key of the
  signed heads too: heads that are lost behind an archive are missed all the same; what starts have
  found wrong (:mod:`controller.evidence.recorded`); and the frontier of the tree, which goes
  on (:mod:`controller.evidence.tree.entries`). It says of which form it is and by which number it
  is stored, as a start does: an earlier version must not take it for its own before somebody
  starts.
- At every moment there is exactly one journal in the state directory, and it is whole: the old one
  until the new one, complete and durable, takes its place in one step. What is interrupted before
  that is started again.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from controller import STORES
from controller.evidence.heads import SignedHead, last_head, shorten
from controller.evidence.recorded import HEADS, doubted_to, found_by_starts, recorded_heads
from controller.evidence.tree.entries import NoNode
from controller.evidence.tree.growing import GrowingTree
from controller.forms.json_values import JsonObject
from controller.journal import commits, rows, schema
from controller.journal.commits import Signer
from controller.journal.errors import CannotArchive
from controller.journal.events import CARRIED, load_positions, prepare, spelled
from controller.journal.keys import PublicKey
from controller.journal.model import (
    FORMAT,
    FOUND,
    SEALING,
    TREE,
    VERSIONS,
    Boot,
    Draft,
    Predecessor,
)
from controller.journal.opening import PAGE_BYTES
from controller.journal.reader import JournalReader
from controller.regular_files import give_owner, open_regular, sync_directory


@dataclass(frozen=True, slots=True)
class Beginning:
    """When the new journal begins: the kernel's name of the boot, its monotonic clock, the wall
    clock as a remark."""

    boot_id: str
    mono_ns: int
    wall: str


@dataclass(frozen=True, slots=True)
class Signatory:
    """The table whose journal goes on: its ``name``, the file of its signed ``heads``, its
    ``key``, and those that are ``trusted``."""

    name: str
    heads: Path
    key: Signer
    trusted: Collection[PublicKey] = ()


@dataclass(frozen=True, slots=True)
class EndedJournal:
    """A journal as it has ended: the ``name`` of its file in an archive, which says its entries, a
    signed ``head`` of its end, and what the one that goes on from it begins with."""

    name: str
    head: SignedHead
    before: Predecessor
    boots: list[Boot]
    carried: JsonObject


def ended_journal(directory: Path, table: Signatory, moment: Beginning) -> EndedJournal:
    """The journal in ``directory``, all of which is in its file, while the table waits. Raises
    CannotArchive: it holds nothing, or it would take long."""
    with JournalReader(directory) as reader:
        last, first = reader.head, rows.beginning(reader.connection) + 1
        if last.seq <= first:
            what = f"{reader.path} holds nothing to archive: entry {last.seq} is its last"
            raise CannotArchive(what)
        name, digest = reader.identity.hex(), last.digest.hex()
        found, told = found_by_starts(reader), recorded_heads(reader)[1]
        tree, root = _tree_over(directory, last.seq, table)
        doubted = doubted_to(found, [*table.trusted, table.key.public])
        head = SignedHead(name, table.name, last.seq, digest, len(reader.boots), moment.wall)
        return EndedJournal(
            f"journal-{name}-{first:012d}-{last.seq:012d}.sqlite3",
            head.sealed(table.key, root, doubted),
            Predecessor(reader.identity, *last),
            list(reader.boots),
            {
                CARRIED: spelled(load_positions(reader.connection)),
                # A head stands by now, whatever the last start could write.
                SEALING: told and {name: told[name] for name in told if name != HEADS},
                FOUND: found,
                TREE: tree,
                VERSIONS: {"stores": STORES, FORMAT: schema.FORMAT},
            },
        )


def go_on(
    directory: Path, ended: EndedJournal, snapshot: JsonObject, moment: Beginning, table: Signatory
) -> Iterator[tuple[str, Path]]:
    """Begin the new journal with ``snapshot``, the play as it is after the last entry, and put it
    in the place of the old one, of which whatever is to be kept is kept by now; yields what has
    just been made durable."""
    path = directory / schema.FILE_NAME
    new = path.with_name(path.name + ".next")
    _make_new(new, path, ended, Draft("snapshot", {**snapshot, **ended.carried}), moment, table.key)
    yield "begun", new
    new.replace(path)
    sync_directory(directory)
    yield "replaced", path
    shorten(table.heads, ended.head)
    yield "heads shortened", table.heads


def _tree_over(directory: Path, seq: int, table: Signatory) -> tuple[JsonObject, bytes]:
    """What the new journal's first entry says of the tree over the old one, and its root. A tree
    that was lost is made anew from every entry, which may take long: then :class:`CannotArchive` is
    raised."""
    key, there = table.key.public, table.heads.exists()
    newest = last_head(table.heads, [key], with_checkpoint=True) if there else None
    tree = GrowingTree(directory, newest.signed_checkpoint([key]) if newest else None)
    try:
        root = tree.root_at(seq)
        if root is None:
            raise CannotArchive("the tree over it is not level yet; it grows beside play")
        hashes = tree.frontier_at(seq)
    except NoNode as error:
        raise CannotArchive(str(error)) from error
    return {"size": seq, "hashes": [one.hex() for one in hashes]}, root


def _make_new(
    new: Path, old: Path, ended: EndedJournal, snapshot: Draft, moment: Beginning, key: Signer
) -> None:
    new.unlink(missing_ok=True)
    new.touch(mode=0o600, exist_ok=False)
    before, boots = ended.before, ended.boots
    boot = Boot(len(boots) + 1, moment.boot_id, moment.wall, before.seq)
    with closing(sqlite3.connect(new, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        connection.execute("PRAGMA synchronous = FULL")
        schema.create(connection, new, secrets.token_bytes(16))
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO predecessor VALUES (1, ?, ?, ?)", before)
        rows.add_boots(connection, (*boots, boot))
        origin = before.seq, rows.origin(connection)
        entries, values = prepare([snapshot], boot, origin, {}, moment.mono_ns, moment.wall)
        connection.executemany(rows.INSERT, values)
        last = entries[-1].seq, entries[-1].digest
        commits.store_signature(connection, key, rows.identity(connection), last, moment.wall)
        connection.execute("COMMIT")
    there = old.stat()
    fd = open_regular(new)
    try:
        give_owner(fd, there)
        os.fchmod(fd, there.st_mode & 0o777)
        os.fsync(fd)
    finally:
        os.close(fd)
    sync_directory(new.parent)
