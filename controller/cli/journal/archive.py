"""``journal archive``, and the archived files in ``journal verify --archive``.

The rules:

- Only a stopped table's journal is archived, between rounds, and only one that is well: it is
  verified first, and played again unless ``--no-replay`` says that this takes too long.
- The signed heads go along: those that ``--heads`` names, else those beside the journal. One of
  this journal has to stand.
- The command can be repeated after any interruption (:mod:`controller.journal.copies.archive`).
- A line of files is verified from the oldest to the journal itself, as one: what was played in one
  file goes on in the next.
"""

from __future__ import annotations

import argparse
import sqlite3
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from controller.cli.connection import state_directory
from controller.cli.exits import DONE, NOT_PERMITTED, NOT_WELL, WRONG_USE, CommandFailed
from controller.cli.journal import sealing
from controller.cli.journal.again import Again
from controller.cli.output import say, say_json
from controller.journal.checks.verify import Finding, OnEntry, Report
from controller.journal.errors import CannotArchive, JournalError, NoJournal, StateInUse
from controller.journal.lock import StateLock
from controller.journal.reader import JournalReader
from controller.regular_files import read_whole

if TYPE_CHECKING:
    from controller.cli.group import Group

BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


def register(group: Group) -> None:
    """Add the command."""
    command = group.command(
        "archive", _archive, "Move a stopped table's journal to an archive and begin a new one"
    )
    command.add_argument("--to", metavar="DIR", type=Path, required=True, help="the archive")
    command.add_argument(
        "--no-replay", action="store_true", help="verify the chain only, without playing it again"
    )
    sealing.add_options(command)


def _archive(options: argparse.Namespace) -> int:
    directory, to = state_directory(options), options.to
    if not to.is_dir():
        raise CommandFailed(WRONG_USE, f"{to} is no directory: name the archive's, and make it")
    try:
        lock = StateLock(directory)
        try:
            done, against = _under_lock(options, directory, to)
        finally:
            lock.release()
    except StateInUse as error:
        raise CommandFailed(
            NOT_PERMITTED, f"{error}\nonly a stopped table's journal is archived"
        ) from error
    except CannotArchive as error:
        raise CommandFailed(NOT_PERMITTED, str(error)) from error
    except NoJournal as error:
        raise CommandFailed(WRONG_USE, str(error)) from error
    except (JournalError, sqlite3.Error, OSError) as error:
        raise CommandFailed(
            NOT_WELL, f"{error}\nnothing is lost; the command can be given again"
        ) from error
    if options.json:
        listed = [{"seq": finding.seq, "what": finding.what} for finding in against]
        paths = {"archived": str(done["copied"]), "heads": str(done["heads copied"])}
        say_json({**paths, "heads_against_it": listed})
    else:
        say(f"archived as {done['copied']}, its signed heads as {done['heads copied'].name}")
        say("a new journal goes on from it")
        for finding in against:
            say(f"its signed heads tell against it, there as here: {finding}")
    return DONE


def _under_lock(
    options: argparse.Namespace, directory: Path, to: Path
) -> tuple[dict[str, Path], list[Finding]]:
    """Verify and archive; the files made, by step, and the heads' findings against the journal.

    Such findings do not prevent archiving: a supervisor has let play continue with them by name,
    and otherwise they would never end. They are archived with the heads, and reported.
    """
    from controller.journal.copies.archive import steps
    from controller.journal.copies.successor import Heads, Moment
    from controller.journal.log.log_check import check_log
    from controller.journal.sealing.archived_heads import standing_head
    from controller.replay.recovery import recover, snapshot
    from controller.table.sequence import BETTING

    with JournalReader(directory) as reader:
        check_log(reader.path)  # whose lock is ours: the reader takes it for a controller's
        heads = Heads(sealing.heads_path(options), sealing.public_keys(options, reader)[:1])
        standing_head(reader, heads.path, heads.keys)  # said before the long part
        report, against = _verified(options, reader)
        if not report.well:
            raise CommandFailed(
                NOT_WELL,
                f"{reader.path} is not well, and stays where it is: {report.findings[0]}\n"
                "'tablectl journal verify' says all of it",
            )
        found = recover(reader, reader.iterate)
        play = found.counted
    if not play.quiet or play.table.phase == BETTING:
        raise CommandFailed(
            NOT_PERMITTED,
            f"the table is not between rounds ({play.table.state}), or something waits at it: "
            "finish the round, clear it (next), stop the controller and try again",
        )
    boot_id = read_whole(BOOT_ID).decode("ascii").strip()
    wall = datetime.now(UTC).isoformat(timespec="milliseconds")
    moment = Moment(boot_id, time.monotonic_ns(), wall)
    return dict(steps(directory, to, snapshot(play, found.shown), moment, heads)), against


def _verified(options: argparse.Namespace, reader: JournalReader) -> tuple[Report, list[Finding]]:
    """The report without the heads, and what these tell against it."""

    def verified(by: sealing.Sealed | None) -> Report:
        return sealing.verified(reader, by, None if options.no_replay else Again().take)

    sealed = sealing.read_sealed(options, reader)
    report = verified(sealed)
    if report.well or sealed is None:
        return report, []
    if len(report.findings) == len(sealed.findings):  # of heads only: no second reading
        return replace(report, findings=()), list(report.findings)
    alone = verified(None)
    return alone, [finding for finding in report.findings if finding not in alone.findings]


@dataclass(frozen=True, slots=True)
class Line:
    """Archived files verified: how many entries and heads they hold, and what is wrong."""

    entries: int = 0
    heads: int = 0
    findings: tuple[Finding, ...] = ()

    def before(self, report: Report) -> Report:
        """The report of the journal that goes on from them, together with theirs."""
        findings = (*self.findings, *report.findings)
        return replace(report, entries=self.entries + report.entries, findings=findings)


def verify_line(
    options: argparse.Namespace, reader: JournalReader, archive: Path, on_entry: OnEntry | None
) -> Line:
    """Verify the archived files that a journal goes on from, the oldest first, each with the heads
    that went along."""
    from controller.journal.copies.archive import line_of
    from controller.journal.sealing.archived_heads import beside

    if not archive.is_dir():  # a wrong path is nothing that is wrong with a journal
        raise CommandFailed(
            WRONG_USE, f"--archive: {archive} is no directory: is its medium there?"
        )
    line, broken = line_of(reader, archive)
    findings = [Finding(None, broken)] if broken else []
    entries = heads = 0
    for path in line:
        with JournalReader(archive, path.name) as older:
            keys, there = sealing.public_keys(options, older), beside(path)
            signed = keys and there.exists()  # archives of earlier versions have none
            sealed = sealing.sealed_by(keys, older, there) if signed else sealing.Sealed()
            report = sealing.verified(older, sealed, on_entry)
        entries += report.entries
        heads += len(sealed.good)
        findings += [Finding(None, f"{path.name}: {finding}") for finding in report.findings]
    return Line(entries, heads, tuple(findings))
