"""The journal that goes on from one that has ended, and how it takes its place.

The rules:

- It names its predecessor: that file's identity, the number and digest of its last entry. They are
  part of the digest that its own first entry is chained to. Numbers of entries and boots go on.
- Its first entry is a snapshot, which also carries up to where the events of each device are
  stored: none is taken twice because the entry that has it is elsewhere. It carries the key of the
  signed heads too: heads that are lost behind an archive are missed all the same; and the frontier
  of the tree, which goes on (:mod:`controller.journal.tree.entries`). It says by which number it is
  stored, as a start does: an earlier version must not take it for its own before somebody starts.
- At every moment there is exactly one journal in the state directory, and it is whole: the old one
  until the new one, complete and durable, takes its place in one step. What is interrupted before
  that is started again.
- The file of signed heads is shortened last (:mod:`controller.journal.sealing.archived_heads`).
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Callable, Collection, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller import STORES
from controller.journal import rows, schema
from controller.journal.batch import prepare
from controller.journal.disk import sync_directory
from controller.journal.errors import CannotArchive
from controller.journal.events import CARRIED, load_positions, spelled
from controller.journal.log.wal import PAGE_BYTES
from controller.journal.model import Boot, Draft, Predecessor
from controller.journal.reader import JournalReader
from controller.journal.sealing.archived_heads import NEXT, shorten, standing_head
from controller.journal.sealing.heads import SignedHead
from controller.journal.sealing.keys import PublicKey
from controller.journal.sealing.recorded import SEALING, recorded_heads
from controller.journal.tree import nodes
from controller.journal.tree.entries import TREE, NoNode, frontier_told
from controller.journal.tree.growing import GrowingTree
from controller.journal.tree.note import read_checkpoint
from controller.json_values import JsonObject
from controller.regular_files import give, open_regular, read_regular

VERSIONS: Final = "versions"
"""In a start, and in such a first entry: by which number the journal is stored, among others."""


@dataclass(frozen=True, slots=True)
class Moment:
    """When the new journal begins: the kernel's name of the boot, its monotonic clock, the wall
    clock as a remark."""

    boot_id: str
    mono_ns: int
    wall: str


@dataclass(frozen=True, slots=True)
class Heads:
    """The file of signed heads, and the keys whose heads count."""

    path: Path
    keys: Collection[PublicKey]


@dataclass(frozen=True, slots=True)
class Ended:
    """A journal as it has ended: the ``name`` of its file in an archive, its last signed ``head``,
    and what the one that goes on from it begins with."""

    name: str
    head: SignedHead
    before: Predecessor
    boots: list[Boot]
    carried: JsonObject


def file_name(identity: bytes, first: int, last: int) -> str:
    """The name in the archive of a journal's file that holds those entries."""
    return f"journal-{identity.hex()}-{first:012d}-{last:012d}.sqlite3"


def ended_journal(directory: Path, heads: Heads, *, at_once: bool = False) -> Ended:
    """The journal in ``directory``, all of which is in its file; ``at_once``: a table waits.

    Raises:
        CannotArchive: it holds nothing, or no head of it stands; or it would take long.
    """
    with JournalReader(directory) as reader:
        last, first = reader.head, rows.beginning(reader.connection) + 1
        if last.seq <= first:
            raise CannotArchive(
                f"{reader.path} holds nothing to archive: entry {last.seq} is its last"
            )
        head = standing_head(reader, heads.path, heads.keys)
        return Ended(
            file_name(reader.identity, first, last.seq),
            head,
            Predecessor(reader.identity, last.seq, last.digest),
            list(reader.boots),
            {
                CARRIED: spelled(load_positions(reader.connection)),
                SEALING: recorded_heads(reader)[1],
                TREE: _tree_over(directory, last.seq, head, heads.keys, at_once=at_once),
                VERSIONS: {"stores": STORES},
            },
        )


def go_on(
    directory: Path,
    ended: Ended,
    snapshot: JsonObject,
    moment: Moment,
    heads: Path,
    check: Callable[[], None],
) -> Iterator[tuple[str, Path]]:
    """Begin the new journal with ``snapshot``, the play as it is after the last entry, and put it
    in the place of the old one, of which whatever is to be kept is kept by now; yields what has
    just been made durable. ``check`` is asked once more before the old one goes."""
    path = directory / schema.FILE_NAME
    new = path.with_name(path.name + NEXT)
    _begin(new, path, ended, Draft("snapshot", {**snapshot, **ended.carried}), moment)
    yield "begun", new
    check()
    new.replace(path)
    sync_directory(directory)
    yield "replaced", path
    shorten(heads, ended.head)
    yield "heads shortened", heads


def _tree_over(
    directory: Path, seq: int, head: SignedHead, keys: Collection[PublicKey], *, at_once: bool
) -> JsonObject | None:
    """What the new journal's first entry says of the tree over the old one; None where that goes on
    from a journal that an earlier version archived. A tree that was lost is made anew from every
    entry, which may take long; ``at_once`` raises :class:`CannotArchive` in its place."""
    trusted = read_checkpoint(head.checkpoint, list(keys)) if head.checkpoint else None
    tree = GrowingTree(directory, trusted)
    try:
        if at_once and tree.root_at(seq) is None:
            raise CannotArchive("the tree over it is not level yet; it grows beside play")
        hashes = tree.frontier_at(seq)
    except NoNode:
        return None
    there = (directory / schema.FILE_NAME).stat()  # root archives, the table's own user goes on
    with read_regular(directory / nodes.FILE_NAME) as file:
        give(file.fileno(), there)
    return frontier_told(seq, hashes)


def _begin(new: Path, old: Path, ended: Ended, snapshot: Draft, moment: Moment) -> None:
    """Make the new journal, whole and durable, under a name of its own."""
    new.unlink(missing_ok=True)
    new.touch(mode=0o600, exist_ok=False)
    before, boots = ended.before, ended.boots
    boot = Boot(len(boots) + 1, moment.boot_id, moment.wall, before.seq)
    with closing(sqlite3.connect(new, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        connection.execute("PRAGMA synchronous = FULL")
        schema.migrate(connection, new, secrets.token_bytes(16))
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(
            "INSERT INTO predecessor VALUES (1, ?, ?, ?)",
            (before.identity, before.seq, before.digest),
        )
        rows.add_boots(connection, (*boots, boot))
        origin = before.seq, rows.origin(connection)
        _, values = prepare([snapshot], boot, origin, {}, moment.mono_ns, moment.wall)
        connection.executemany(rows.INSERT, values)
        connection.execute("COMMIT")
    there = old.stat()
    fd = open_regular(new)
    try:
        give(fd, there)
        os.fchmod(fd, there.st_mode & 0o777)
        os.fsync(fd)
    finally:
        os.close(fd)
    sync_directory(new.parent)
