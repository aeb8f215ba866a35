"""Replaces a damaged journal by its second copy; the damaged files are kept and nothing is guessed.

The rules:

- Only of a stopped table: the locks of both directories are held throughout.
- The copy is verified whole before anything is touched, what is put in place again before it is.
- It is taken up to its signed row: whose word the keys are, the caller says. A copy without a row
  is taken only where it is of a version that signed no commits.
- Entries of the damaged journal behind that are added as far as its own row signs them
  (:mod:`controller.journal.copies.salvage`).
- The damaged files keep their bytes under new names (``.damaged-1`` and so on). Nothing is deleted.
- A power cut at any moment leaves the journal as it was or as it is to be, or the file
  ``.recovering`` beside it: with that no controller starts until recovery was run again.
- A mark is left for the next start, which holds the table
  (:mod:`controller.journal.copies.recovered`).
- A sound journal that is as long as its copy is not changed; nor is a sound one that differs from
  it: people decide which is right.
"""

from __future__ import annotations

import os
import sqlite3
from collections import deque
from collections.abc import Collection
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.journal import rows, schema
from controller.journal.chain import chained
from controller.journal.checks.examine import MOST_TOLD, examine
from controller.journal.checks.indexes import problems_of_pages
from controller.journal.checks.verify import Report, verify
from controller.journal.copies.copying import Relation, standing
from controller.journal.copies.recovered import mark
from controller.journal.copies.salvage import add_what_follows
from controller.journal.disk import sync_directory, sync_file
from controller.journal.errors import JournalError
from controller.journal.lock import StateLock
from controller.journal.log.log_check import check_log
from controller.journal.log.wal import wal_bytes
from controller.journal.opening import RECOVERING
from controller.journal.reader import JournalReader
from controller.journal.sealing import commits
from controller.journal.sealing.commits import UNCOVERED, SignedCommit
from controller.journal.sealing.keys import PublicKey
from controller.journal.sealing.recorded import signs_commits

BESIDE: Final = ("", "-wal")
"""What a journal consists of: its file and its log."""


class CannotRecover(JournalError):
    """Nothing was changed; the message says why and what may be done instead."""


class NothingToRecover(CannotRecover):
    """The journal is well and has all that its copy has."""


@dataclass(frozen=True, slots=True)
class Recovered:
    """What was done: ``entries`` up to ``last_seq`` from the copy, ``added`` ones behind them from
    the damaged journal; ``beyond`` tells of those that could not be taken over. ``kept`` are the
    damaged files under their new names."""

    entries: int
    last_seq: int
    added: int
    beyond: str
    kept: tuple[Path, ...]

    @property
    def summary(self) -> str:
        """What the table reports of it, in plain words."""
        parts = [f"it has entries up to {self.last_seq} from the copy"]
        if self.added:
            parts.append(f"{self.added} behind them from the damaged journal")
        if self.beyond:
            parts.append(f"not taken over: {self.beyond}")
        return "; ".join([*parts, *(f"kept as {path.name}" for path in self.kept[:1])])


def recover(directory: Path, copy: Path, keys: Collection[PublicKey]) -> Recovered:
    """Put the copy, as far as one of ``keys`` has signed it, in the place of the journal in
    ``directory``.

    Raises :class:`CannotRecover` with nothing changed,
    :class:`~controller.journal.errors.StateInUse`, or another :class:`JournalError`; OSError and
    sqlite3.Error where the disk fails on the way, after which it is run again.
    """
    if not directory.is_dir():
        raise CannotRecover(f"{directory} is no directory; name the table's state directory")
    path = directory / schema.FILE_NAME
    made = path.with_name(path.name + RECOVERING)
    with ExitStack() as stack:
        for place in (directory, copy):
            stack.callback(StateLock(place).release)
        with JournalReader(copy) as reader:
            report, row = _verified(reader), _signed(reader, keys)
            begins, last = reader.begins, row.seq if row else report.last_seq
            _put_back(path)
            _may_replace(directory, reader, keys)
            _remove(made)
            _duplicate(reader, made)
        further, beyond = add_what_follows(directory, made, last, keys)
        _cut(made, further or row)
        added = further.seq - last if further else 0
        if not further and last < report.last_seq:
            left = f"entries {last + 1} to {report.last_seq} of the copy are {UNCOVERED}"
            beyond = "; ".join(filter(None, (left, beyond)))
        _put(made, last + added)
        done = Recovered(last - begins, last, added, beyond, _keep(path))
        mark(directory, done.summary)
        made.rename(path)
        sync_directory(directory)
    return done


def _verified(reader: JournalReader) -> Report:
    """Refuse a copy that is not whole."""
    check_log(reader.path)
    report = verify(reader)
    if not report.well:
        found = "; ".join(map(str, report.findings[:MOST_TOLD]))
        raise CannotRecover(
            f"the copy {reader.path} is damaged itself: {found}. Nothing was changed"
        )
    if not report.entries:
        raise CannotRecover(f"the copy {reader.path} has no entries. Nothing was changed")
    return report


def _signed(reader: JournalReader, keys: Collection[PublicKey]) -> SignedCommit | None:
    """The copy's row; None for a copy from before commits were signed. Refuse any other without a
    good one."""
    cover = reader.cover(keys)
    if cover.key is not None:
        return cover.row
    if cover.row is None and cover.is_before and not signs_commits(reader):
        return None
    raise CannotRecover(
        f"the copy {reader.path} is not to be trusted: {cover.wrong or 'it has no signed row'}. "
        "Nothing was changed"
    )


def _cut(made: Path, row: SignedCommit | None) -> None:
    """End what was made with the entry that the row was signed for."""
    if row is None:
        return
    with closing(sqlite3.connect(made, isolation_level=None)) as connection:
        commits.copy(connection, row)
        if rows.head(connection)[0] == row.seq:
            return
        query = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
        triggers = connection.execute(query).fetchall()
        connection.execute("BEGIN IMMEDIATE")
        for name, _ in triggers:
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute("DELETE FROM entry WHERE seq > ?", (row.seq,))
        connection.execute("DELETE FROM boot WHERE after_seq >= ?", (row.seq,))
        for _, sql in triggers:
            connection.execute(sql)
        connection.execute("COMMIT")
        connection.execute("VACUUM")  # a journal has no free pages


def _may_replace(directory: Path, copy: JournalReader, keys: Collection[PublicKey]) -> None:
    """Refuse where the journal is well and needs no copy, or contradicts it; and where it goes on
    from the one that the copy is of, which would go back to before it was archived."""
    if not examine(directory, keys).well:
        _must_not_be_older(directory, copy)
        return
    with JournalReader(directory) as journal:
        found = standing(journal.connection, copy.connection)
    if found.relation is Relation.BEHIND:
        raise NothingToRecover(
            f"the journal in {directory} is well and goes as far as its copy: there is nothing to "
            "recover. Nothing was changed"
        )
    if found.relation is Relation.DIFFERS:
        raise CannotRecover(
            f"the journal in {directory} and {copy.path} are both well, and {found.what}. Which of "
            "them is the table's is for an inspector to say: keep both. Nothing was changed"
        )


def _must_not_be_older(directory: Path, copy: JournalReader) -> None:
    """Refuse the copy of what was archived before the damaged journal was begun."""
    try:
        with JournalReader(directory) as journal:
            before = journal.predecessor
    except (sqlite3.Error, OSError, TypeError, ValueError, JournalError):
        return  # it does not say what it goes on from any more
    if before is not None and before.identity == copy.identity:
        raise CannotRecover(
            f"{copy.path} is a copy of the journal that was archived before the one in {directory} "
            f"was begun: it ends with entry {copy.head.seq} and has nothing of the damaged one. "
            "Keep both and have the maker look at the damaged one. Nothing was changed"
        )


def _duplicate(reader: JournalReader, made: Path) -> None:
    """A file with all that the copy and its log hold."""
    with closing(sqlite3.connect(made)) as target:
        reader.connection.backup(target)


def _put(made: Path, last: int) -> None:
    """See that what was made is one file, whole, and on stable storage."""
    _sweep(made)
    with closing(sqlite3.connect(f"file:{made}?immutable=1", uri=True)) as connection:
        problems = list(problems_of_pages(connection))
        deque(chained(connection, made), 0)  # to its end, keeping none: there may be millions
        if problems or rows.head(connection)[0] != last:
            raise CannotRecover(
                f"{made} did not become what it should ({problems[:1]}, entry "
                f"{rows.head(connection)[0]} of {last}): look at the disk, then run it again"
            )
    made.chmod(0o640)
    # The command is often given by root, but the table's user continues the journal.
    there = made.parent.stat()
    os.chown(made, there.st_uid, there.st_gid, follow_symlinks=False)
    sync_file(made)
    sync_directory(made.parent)


def _sweep(made: Path) -> None:
    """What SQLite leaves beside a file that was closed in order is empty; else it was not."""
    if wal_bytes(made):
        raise CannotRecover(f"{made}-wal was not moved into its file: run it again")
    for suffix in ("-wal", "-shm"):
        made.with_name(made.name + suffix).unlink(missing_ok=True)


def _remove(made: Path) -> None:
    """Take away what an unfinished recovery had made."""
    for suffix in ("", "-wal", "-shm", "-journal"):
        made.with_name(made.name + suffix).unlink(missing_ok=True)


def _keep(path: Path) -> tuple[Path, ...]:
    """Give the damaged files other names; returns those. The journal's own name goes on to stand
    for the old file until the new one takes it over in one step."""
    number = 1
    while any(_kept(path, number, suffix).exists() for suffix in BESIDE):
        number += 1
    kept: list[Path] = []
    for suffix in BESIDE:
        there, new = path.with_name(path.name + suffix), _kept(path, number, suffix)
        if there.exists():
            os.link(there, new)
            kept.append(new)
    sync_directory(path.parent)
    # The log belongs to the old file; beside the new one SQLite would take it for that one's.
    for suffix in ("-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    sync_directory(path.parent)
    return tuple(kept)


def _put_back(path: Path) -> None:
    """The log that a recovery, cut off since, had put aside: entries may be in it alone."""
    log, number = path.with_name(path.name + "-wal"), 1
    while (kept := _kept(path, number, "")).exists():
        aside = _kept(path, number, "-wal")
        if path.exists() and kept.samefile(path) and aside.exists() and not log.exists():
            os.link(aside, log)
            sync_directory(path.parent)
            for again in (aside, kept):  # names of what has its own again
                again.unlink()
            return
        number += 1


def _kept(path: Path, number: int, suffix: str) -> Path:
    return path.with_name(f"{path.name}.damaged-{number}{suffix}")
