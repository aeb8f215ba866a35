"""Archiving: the whole file is moved to the archive, and a new file continues it, which can be
proven.

The rules:

- It is done at a stopped table, with its lock held. The file that is archived was verified before;
  here it is copied byte for byte, compared, and made durable before anything else happens.
- The new journal names its predecessor: that file's identity, the number and digest of its last
  entry. They are part of the digest that its own first entry is chained to. Numbers of entries and
  boots go on. Its first entry is a snapshot, which also carries up to where the events of each
  device are stored: none is taken twice because the entry that has it is elsewhere. It carries the
  key of the signed heads too: heads that are lost behind an archive are missed all the same; and
  the frontier of the tree, which goes on (:mod:`controller.journal.tree.entries`).
- At every moment there is exactly one journal in the state directory, and it is whole: the old one
  until the new one, complete and durable, takes its place in one step. What is interrupted before
  that is started again; a copy in the archive of what was not replaced is a copy, and stays.
- The signed heads go along, and only while one of this journal stands
  (:mod:`controller.journal.sealing.archived_heads`).
- A file in the archive is read-only and named by its journal and the entries that it holds. It is
  verified like any other, alone or with those before and behind it (:func:`line_of`).
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from controller.journal import rows, schema
from controller.journal.batch import prepare
from controller.journal.disk import sync_directory
from controller.journal.errors import CannotArchive, JournalError
from controller.journal.events import CARRIED, load_positions, spelled
from controller.journal.log.wal import PAGE_BYTES
from controller.journal.model import Boot, Draft, Predecessor
from controller.journal.reader import JournalReader
from controller.journal.sealing.archived_heads import NEXT, beside, shorten, standing_head
from controller.journal.sealing.heads import SignedHead
from controller.journal.sealing.keys import PublicKey
from controller.journal.sealing.recorded import SEALING, recorded_heads
from controller.journal.tree import nodes
from controller.journal.tree.entries import TREE, NoNode, frontier_told
from controller.journal.tree.growing import GrowingTree
from controller.journal.tree.note import read_checkpoint
from controller.json_values import JsonObject
from controller.regular_files import read_regular

PARTIAL: Final = ".partial"
_CHUNK: Final = 1 << 20


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


def file_name(identity: bytes, first: int, last: int) -> str:
    """The name in the archive of a journal's file that holds those entries."""
    return f"journal-{identity.hex()}-{first:012d}-{last:012d}.sqlite3"


def steps(
    directory: Path, to: Path, snapshot: JsonObject, moment: Moment, heads: Heads
) -> Iterator[tuple[str, Path]]:
    """Archive the journal in ``directory`` into ``to`` and begin a new one with ``snapshot``, the
    play as it is after the last entry; yields what has just been made durable, step by step.

    The caller holds the directory's lock and has verified the journal.

    Raises:
        CannotArchive: with what is in the way and what to do.
        OSError: of the disk; what was done so far is begun again the next time.
    """
    path = directory / schema.FILE_NAME
    _check_stopped(path)
    with JournalReader(directory) as reader:
        last, first = reader.head, rows.beginning(reader.connection) + 1
        if last.seq <= first:
            raise CannotArchive(f"{path} holds nothing to archive: entry {last.seq} is its last")
        head = standing_head(reader, heads.path, heads.keys)
        archived = to / file_name(reader.identity, first, last.seq)
        before = Predecessor(reader.identity, last.seq, last.digest)
        boots = list(reader.boots)
        carried = {
            CARRIED: spelled(load_positions(reader.connection)),
            SEALING: recorded_heads(reader)[1],
            TREE: _tree_over(directory, last.seq, head, heads.keys),
        }
    _copy(path, archived)
    yield "copied", archived
    _copy(heads.path, beside(archived))
    yield "heads copied", beside(archived)
    new = path.with_name(path.name + NEXT)
    _begin(new, path, before, boots, Draft("snapshot", {**snapshot, **carried}), moment)
    yield "begun", new
    _check_stopped(path)
    new.replace(path)
    sync_directory(directory)
    yield "replaced", path
    shorten(heads.path, head)
    yield "heads shortened", heads.path


def _tree_over(
    directory: Path, seq: int, head: SignedHead, keys: Collection[PublicKey]
) -> JsonObject | None:
    """What the new journal's first entry says of the tree over the old one; None where that goes on
    from a journal that an earlier version archived."""
    trusted = read_checkpoint(head.checkpoint, list(keys)) if head.checkpoint else None
    tree = GrowingTree(directory, trusted)
    try:
        hashes = tree.frontier_at(seq)
    except NoNode:
        return None
    there = (directory / schema.FILE_NAME).stat()  # root archives, the table's own user goes on
    os.chown(directory / nodes.FILE_NAME, there.st_uid, there.st_gid)
    return frontier_told(seq, hashes)


def _check_stopped(path: Path) -> None:
    """Whether all of the journal is in its file: a log that stayed behind would be read as the new
    journal's."""
    for suffix in ("-wal", "-shm", "-journal"):
        beside = path.with_name(path.name + suffix)
        if beside.exists():
            raise CannotArchive(
                f"{beside} is there: the table runs, or was not stopped in order. Start its "
                "controller once and stop it, then archive"
            )


def _copy(source: Path, archived: Path) -> None:
    """Copy a file whole; it has its name only when all of it is on the disk and compared."""
    digest = _digest_of(source)
    if not archived.exists():
        partial = archived.with_name(archived.name + PARTIAL)
        partial.unlink(missing_ok=True)
        partial.touch(mode=0o600, exist_ok=False)  # whatever the umask of who gave the command
        with source.open("rb") as old, partial.open("wb") as new:
            while chunk := old.read(_CHUNK):
                new.write(chunk)
            new.flush()
            os.fsync(new.fileno())
        if _digest_of(partial) != digest:
            raise CannotArchive(f"{partial} is not what was written: look at the archive's disk")
        partial.chmod(0o440)
        partial.replace(archived)
        sync_directory(archived.parent)
    if _digest_of(archived) != digest:
        raise CannotArchive(
            f"{archived} is there and is another file than {source}: verify both, keep both, and "
            "name another archive"
        )


def _digest_of(path: Path) -> bytes:
    with read_regular(path) as file:
        found = sha256()
        while chunk := file.read(_CHUNK):
            found.update(chunk)
        return found.digest()


def _begin(
    new: Path,
    old: Path,
    before: Predecessor,
    boots: list[Boot],
    snapshot: Draft,
    moment: Moment,
) -> None:
    """Make the new journal, whole and durable, under a name of its own."""
    new.unlink(missing_ok=True)
    new.touch(mode=0o600)
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
    os.chown(new, there.st_uid, there.st_gid)
    new.chmod(there.st_mode & 0o777)
    fd = os.open(new, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
    sync_directory(new.parent)


def line_of(reader: JournalReader, archive: Path) -> tuple[list[Path], str]:
    """The archived files that a journal goes on from, the oldest first, and what is wrong with the
    line: a predecessor that is missing or is another than its successor names; "" when it is
    whole."""
    line: list[Path] = []
    before = reader.predecessor
    while before is not None:
        found = sorted(archive.glob(f"journal-{before.identity.hex()}-*-{before.seq:012d}.sqlite3"))
        successor = line[0].name if line else str(reader.path)
        names = f"{successor} goes on from entry {before.seq} of journal {before.identity.hex()}"
        if not found:
            return line, f"{names}, which is not in {archive}"
        path = found[0]
        try:
            with JournalReader(archive, path.name) as older:
                is_it = (older.identity, *_end(older)) == _as_told(before)
                following = older.predecessor
        except (JournalError, sqlite3.DatabaseError) as error:
            return line, f"{names}; {path} cannot be read: {error}"
        if not is_it:
            return line, f"{names}, and {path} does not end with that entry"
        line.insert(0, path)
        before = following
    return line, ""


def _end(reader: JournalReader) -> tuple[int, bytes]:
    return reader.head.seq, reader.head.digest


def _as_told(before: Predecessor) -> tuple[bytes, int, bytes]:
    return before.identity, before.seq, before.digest
