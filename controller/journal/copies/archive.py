"""Closed journals as files: copied whole and compared, and the line in which each goes on from the
one before.

The rules:

- A file is copied byte for byte, compared, and made durable; it has its name only then.
- A file in an archive is read-only and named by its journal and the entries that it holds. It is
  verified like any other, alone or with those before and behind it (:func:`line_of`).
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Final

from controller.journal.disk import sync_directory
from controller.journal.errors import CannotArchive, JournalError
from controller.journal.model import Predecessor
from controller.journal.reader import JournalReader
from controller.regular_files import give, new_regular, read_regular

PARTIAL: Final = ".partial"
_CHUNK: Final = 1 << 20


class OtherContent(CannotArchive):
    """The file that was to be copied is another one than it was."""


def copy_compared(
    source: Path, archived: Path, *, alike: bool = False, known: bytes | None = None
) -> bytes:
    """Copy a file whole; it has its name only when all of it is on the disk and compared. Returns
    its SHA-256, which must be the ``known`` one. ``alike``: the copy belongs to whom the file
    belongs to."""
    digest = digest_of(source)
    if known is not None and digest != known:
        raise OtherContent(f"{source} is not what was verified any more, and stays")
    if not os.path.lexists(archived):
        partial = partial_of(archived)
        partial.unlink(missing_ok=True)
        with read_regular(source) as old, new_regular(partial, 0o600) as new:
            while chunk := old.read(_CHUNK):
                new.write(chunk)
            new.flush()
            os.fchmod(new.fileno(), 0o440)
            if alike:
                give(new.fileno(), os.fstat(old.fileno()))
            os.fsync(new.fileno())
        if digest_of(partial) != digest:
            raise CannotArchive(f"{partial} is not what was written: look at the archive's disk")
        partial.replace(archived)
        sync_directory(archived.parent)
    if digest_of(archived) != digest:
        raise CannotArchive(
            f"{archived} is there and is another file than {source}: verify both, keep both, and "
            "name another archive"
        )
    return digest


def partial_of(archived: Path) -> Path:
    """The name of a copy that is not whole yet."""
    return archived.with_name(archived.name + PARTIAL)


def digest_of(path: Path) -> bytes:
    """The SHA-256 of a file as the disk has it: what the kernel kept of it in memory is let go
    first."""
    with read_regular(path) as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        found = sha256()
        while chunk := file.read(_CHUNK):
            found.update(chunk)
        return found.digest()


def line_of(reader: JournalReader, *archives: Path) -> tuple[list[Path], str]:
    """The archived files in those directories that a journal goes on from, the oldest first, and
    what is wrong with the line: a predecessor that is missing or is another than its successor
    names; "" when it is whole."""
    line: list[Path] = []
    before = reader.predecessor
    while before is not None:
        pattern = f"journal-{before.identity.hex()}-*-{before.seq:012d}.sqlite3"
        found = [path for archive in archives for path in sorted(archive.glob(pattern))]
        successor = line[0].name if line else str(reader.path)
        names = f"{successor} goes on from entry {before.seq} of journal {before.identity.hex()}"
        if not found:
            where = " or ".join(map(str, archives))
            return line, f"{names}, which {f'is not in {where}' if where else 'was archived'}"
        path = found[0]
        try:
            with JournalReader(path.parent, path.name) as older:
                is_it = (older.identity, *_end(older)) == _as_told(before)
                following = older.predecessor
        except (JournalError, sqlite3.DatabaseError) as error:
            return line, f"{names}; {path} cannot be read: {error}"
        if not is_it:
            return line, f"{names}, and {path} does not end with that entry"
        line.insert(0, path)
        before = following
    return line, ""


@contextmanager
def older(reader: JournalReader, *places: Path) -> Iterator[tuple[list[JournalReader], str]]:
    """The journals in those directories that ``reader`` goes on from, opened, the oldest first, and
    what breaks their line, "" where it is whole."""
    with ExitStack() as stack:
        paths, broken = line_of(reader, *places)
        yield [stack.enter_context(JournalReader(path.parent, path.name)) for path in paths], broken


def _end(reader: JournalReader) -> tuple[int, bytes]:
    return reader.head.seq, reader.head.digest


def _as_told(before: Predecessor) -> tuple[bytes, int, bytes]:
    return before.identity, before.seq, before.digest
