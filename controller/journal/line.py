"""The closed files of a journal, and the line in which each goes on from the one before.

A file in an archive is read-only and named by its journal and the entries that it holds. It is
verified like any other, alone or with those before and behind it (:func:`older`).
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from controller.journal import schema
from controller.journal.errors import JournalError
from controller.journal.reader import JournalReader

ARCHIVE: Final = "archive"  # the folder of the closed files, in the state directory
PATTERN: Final = "journal-*.sqlite3"  # of their names


def closed_files(directory: Path, identity: bytes = b"") -> list[Path]:
    """The closed files of that state directory, or those of the journal of that ``identity`` alone,
    the oldest first; not a second name of the journal's own, which the next start takes away.
    Raises OSError: the folder cannot be read."""
    archive = directory / ARCHIVE
    if not archive.is_dir():
        return []
    found = set(archive.glob(f"journal-{identity.hex()}*.sqlite3"))
    found.difference_update(second_names(directory))
    return sorted(found, key=lambda file: file.name.split("-")[2:])


def second_names(directory: Path) -> list[Path]:
    """The names of the journal's own file among those of closed ones."""
    path = directory / schema.FILE_NAME
    own = path.stat() if path.exists() else None
    return [
        file
        for file in (directory / ARCHIVE).glob(PATTERN)
        if own is not None and os.path.samestat(file.lstat(), own)  # not the inode's number alone
    ]


@contextmanager
def older(reader: JournalReader, *places: Path) -> Iterator[tuple[list[JournalReader], str]]:
    """The journals in those directories that ``reader`` goes on from, opened, the oldest first, and
    what is wrong with their line: a predecessor that is missing or is another than its successor
    names; "" where it is whole."""
    line: list[JournalReader] = []
    broken, before = "", reader.predecessor
    with ExitStack() as stack:
        while before is not None:
            pattern = f"journal-{before.identity.hex()}-*-{before.seq:012d}.sqlite3"
            found = [path for place in places for path in sorted(place.glob(pattern))]
            successor = line[0].path.name if line else str(reader.path)
            from_it = f"goes on from entry {before.seq} of journal {before.identity.hex()}"
            names = f"{successor} {from_it}"
            if not found:
                where = " or ".join(map(str, places))
                broken = f"{names}, which {f'is not in {where}' if where else 'was archived'}"
                break
            path = found[0]
            try:
                one = stack.enter_context(JournalReader(path.parent, path.name))
                is_it, following = (one.identity, *one.head) == before, one.predecessor
            except (JournalError, sqlite3.DatabaseError) as error:
                broken = f"{names}; {path} cannot be read: {error}"
                break
            if not is_it:
                broken = f"{names}, and {path} does not end with that entry"
                break
            line.insert(0, one)
            before = following
        yield line, broken


def parts_of(
    line: Sequence[JournalReader], after: int, upto: int | None = None
) -> Iterator[tuple[JournalReader, int, int | None]]:
    """Which of the entries with ``after`` < seq <= ``upto`` (None: all behind) each journal of a
    line has, the oldest first; those that have none are left out."""
    for reader, following in zip(line, [*line[1:], None], strict=True):
        ends = [end for end in (upto, following.begins if following else None) if end is not None]
        low, high = max(after, reader.begins), min(ends, default=None)
        if high is None or low < high:
            yield reader, low, high
