"""Replaces a damaged journal by its second copy; the damaged files are kept and nothing is guessed.
The rules:

- Only of a stopped table: the locks of both directories are held throughout.
- The copy is verified whole before anything is touched, what is put in place again before it is.
- It is taken up to its signed row: whose word the keys are, the caller says. A copy without a good
  row is not taken.
- For a copy that was taken from the floor a checkpoint stands in for the row (:mod:`~.from_floor`).
- Entries behind that, of the copy and of the damaged journal, are added where the row of the
  damaged one is readable and good, and they lead to the entry that it was signed for. Otherwise
  none is: what no signature covers is not taken over. It stays where it is, and is reported.
- The damaged files keep their bytes under new names (``.damaged-1`` and so on). Nothing is deleted.
- A copy that has more than was taken over is put aside the same way, last of all: it would show
  every start that the journal has lost its end. A new one is begun then.
- A power cut at any moment leaves the journal as it was or as it is to be, or the file
  ``.recovering`` beside it: with that no controller starts until recovery was run again.
- A mark is left for the next start, which holds the table (:mod:`~.next_start`).
- A sound journal that is as long as its copy is not changed; nor is a sound one that differs from
  it: people decide which is right.
"""

from __future__ import annotations

import os
import sqlite3
from collections import deque
from collections.abc import Collection, Iterable
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from controller.evidence.examine import MOST_TOLD, examine
from controller.evidence.scrub import problems_of_pages
from controller.evidence.verify import VerificationReport, verify
from controller.journal import commits, rows, schema
from controller.journal.chain import Chain, chained
from controller.journal.commits import UNCOVERED, SignedCommit, read_row
from controller.journal.errors import CannotRecover, DamagedJournal, JournalError, NothingToRecover
from controller.journal.keys import PublicKey
from controller.journal.lock import SUFFIXES, StateLock
from controller.journal.log_check import check_log
from controller.journal.opening import RECOVERING, open_for_writing, wal_bytes
from controller.journal.reader import JournalReader
from controller.regular_files import sync_directory, sync_file
from controller.upkeep.closure import take_second_name_away
from controller.upkeep.next_start import leave_checkpoint, mark
from controller.upkeep.second_copy import Relation, go_on_likewise, standing, take_over

BESIDE: Final = ("", "-wal")  # what a journal consists of: its file and its log


@dataclass(frozen=True, slots=True)
class RecoveredJournal:
    """What was done: ``entries`` up to ``last_seq`` from the copy, ``added`` ones behind them from
    the damaged journal; ``beyond`` tells of those that could not be taken over. ``kept`` are the
    damaged files, and a copy that was put aside, under their new names; ``source`` is what it came
    from."""

    entries: int
    last_seq: int
    added: int
    beyond: str
    kept: tuple[Path, ...]
    source: str = "the copy"

    @property
    def summary(self) -> str:
        """What the table reports of it, in plain words."""
        parts = [f"it has entries up to {self.last_seq} from {self.source}"]
        if self.added:
            parts.append(f"{self.added} behind them from the damaged journal")
        if self.beyond:
            parts.append(f"not taken over: {self.beyond}")
        return "; ".join([*parts, *(f"kept as {path.name}" for path in self.kept[:1])])


def recover(
    directory: Path, copy: Path, keys: Collection[PublicKey], checkpoint: str = ""
) -> RecoveredJournal:
    """Put the copy, as far as one of ``keys`` has signed it, in the place of the journal in
    ``directory``. ``checkpoint`` vouches for all of a copy that was taken from the floor. Raises
    CannotRecover with nothing changed, StateInUse, or another JournalError; OSError and
    sqlite3.Error where the disk fails on the way, after which it is run again."""
    if not directory.is_dir():
        raise CannotRecover(f"{directory} is no directory; name the table's state directory")
    path = directory / schema.FILE_NAME
    made = path.with_name(path.name + RECOVERING)
    with ExitStack() as stack:
        for place in (directory, copy):
            stack.callback(StateLock(place).release)
        with JournalReader(copy) as reader:
            report, row = _verified(reader), None if checkpoint else _signed(reader, keys)
            begins, last = reader.begins, row.seq if row else report.last_seq
            _put_back(path)
            _may_replace(directory, reader, keys)
            take_second_name_away(directory)
            for suffix in (*SUFFIXES, "-journal"):  # what an unfinished recovery had made
                made.with_name(made.name + suffix).unlink(missing_ok=True)
            with closing(open_for_writing(made, reader.identity)) as target:
                go_on_likewise(reader.connection, target)
                walk = _on(reader, target, Chain.behind(target, begins), last)
                added, beyond = _added(directory, reader, target, walk, keys)
        if not added and last < report.last_seq:
            left = f"entries {last + 1} to {report.last_seq} of the copy are {UNCOVERED}"
            beyond = "; ".join(filter(None, (left, beyond)))
        _make_durable(made, last + added)
        done = RecoveredJournal(last - begins, last, added, beyond, _keep_damaged(path))
        if checkpoint:
            done = replace(done, source="the floor")
            leave_checkpoint(directory, checkpoint)
        mark(directory, done.summary)
        made.rename(path)
        sync_directory(directory)
        if last + added < report.last_seq:
            done = replace(done, kept=(*done.kept, *_put_aside(copy / schema.FILE_NAME)))
    return done


def _verified(reader: JournalReader) -> VerificationReport:
    check_log(reader.path)
    report = verify(reader)
    if not report.well:
        found = "; ".join(map(str, report.findings[:MOST_TOLD]))
        what = f"the copy {reader.path} is damaged itself: {found}. Nothing was changed"
        raise CannotRecover(what)
    if not report.entries:
        raise CannotRecover(f"the copy {reader.path} has no entries. Nothing was changed")
    return report


def _signed(reader: JournalReader, keys: Collection[PublicKey]) -> SignedCommit:
    cover = reader.cover(keys)
    if cover.row is not None and cover.key is not None:
        return cover.row
    what = f"the copy {reader.path} is not to be trusted: {cover.wrong}. Nothing was changed"
    raise CannotRecover(what)


def _on(reader: JournalReader, target: sqlite3.Connection, walk: Chain, last: int) -> Chain:
    while walk.seq < min(last, reader.head.seq):
        walk = take_over(reader, target, walk, rows.PAGE, last)
    return walk


def _added(
    directory: Path,
    copy: JournalReader,
    target: sqlite3.Connection,
    walk: Chain,
    keys: Collection[PublicKey],
) -> tuple[int, str]:
    """Add what leads to the entry that the damaged journal's row was signed for; how many entries
    that were, and what keeps those behind the copy from it."""
    begun = walk.seq
    if not (directory / schema.FILE_NAME).exists():
        return 0, ""  # another box: there is no damaged journal
    try:
        with JournalReader(directory) as journal:
            signed, wrong = read_row(journal.connection)
            last = journal.head.seq
            if signed is None or not signed.is_of(copy.identity, keys):
                wrong = wrong or "its row is not signed with a key that is known here"
                wrong = f"entries up to {last} of the damaged journal: {wrong}"
                return 0, wrong if last > begun else ""
            if signed.seq <= begun:
                return 0, ""
            if wrong := _leads_to(signed, (copy, journal), replace(walk)):
                return 0, f"{wrong}, and none behind entry {begun} is taken over"
            walk = _on(journal, target, _on(copy, target, walk, signed.seq), signed.seq)
    except (sqlite3.Error, JournalError, TypeError, ValueError) as error:
        what = error.what if isinstance(error, DamagedJournal) else error
        return 0, f"the damaged journal cannot be read behind entry {begun} ({what})"
    commits.copy(target, signed)
    return walk.seq - begun, ""


def _leads_to(signed: SignedCommit, readers: Iterable[JournalReader], walk: Chain) -> str:
    for reader in readers:
        known = rows.boots_by_number(reader.connection)
        for page in rows.pages(reader.connection, walk.seq, signed.seq):
            for row in page:
                if walk.broken_by(row, known):
                    return f"entries {row[0]} to {reader.head.seq} of {reader.path} do not follow"
    if (walk.seq, walk.digest) != (signed.seq, signed.digest):
        return f"entry {signed.seq}, which the damaged journal's row was signed for, is not there"
    return ""


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


def _make_durable(made: Path, last: int) -> None:
    # What SQLite leaves beside a file that was closed in order is empty; else it was not.
    if wal_bytes(made):
        raise CannotRecover(f"{made}-wal was not moved into its file: run it again")
    for suffix in SUFFIXES[1:]:
        made.with_name(made.name + suffix).unlink(missing_ok=True)
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


def _keep_damaged(path: Path) -> tuple[Path, ...]:
    """Give the damaged files other names; returns those. The journal's own name goes on to stand
    for the old file until the new one takes it over in one step."""
    number = 1
    while any(_damaged_name(path, number, suffix).exists() for suffix in BESIDE):
        number += 1
    kept: list[Path] = []
    for suffix in BESIDE:
        there, new = path.with_name(path.name + suffix), _damaged_name(path, number, suffix)
        if there.exists():
            os.link(there, new)
            kept.append(new)
    sync_directory(path.parent)
    # The log belongs to the old file; beside the new one SQLite would take it for that one's.
    for suffix in SUFFIXES[1:]:
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    sync_directory(path.parent)
    return tuple(kept)


def _put_aside(path: Path) -> tuple[Path, ...]:
    """Give the copy's files other names, and those alone. Cut off in between it is a copy without
    its log: shorter, and as good."""
    kept = _keep_damaged(path)
    path.unlink()
    sync_directory(path.parent)
    return kept


def _put_back(path: Path) -> None:
    """The log that a recovery, cut off since, had put aside: entries may be in it alone."""
    log, number = path.with_name(path.name + "-wal"), 1
    while (kept := _damaged_name(path, number, "")).exists():
        aside = _damaged_name(path, number, "-wal")
        if path.exists() and kept.samefile(path) and aside.exists() and not log.exists():
            os.link(aside, log)
            sync_directory(path.parent)
            for again in (aside, kept):  # names of what has its own again
                again.unlink()
            return
        number += 1


def _damaged_name(path: Path, number: int, suffix: str) -> Path:
    return path.with_name(f"{path.name}.damaged-{number}{suffix}")
