"""``journal archive``, and the archived files in ``journal verify --archive``.

The rules:

- A journal is closed by its controller alone, whose key signs what goes on from it. Given on a
  stopped table the command verifies the journal, plays it again unless ``--no-replay`` says that
  this takes too long, and leaves a request (:mod:`controller.upkeep.request`): the next
  start closes it. It changes nothing else.
- Given again, running or stopped, it copies the closed file and its heads to the archive; it can be
  repeated after any interruption.
- A line of files is verified from the oldest to the journal itself, as one: what was played in one
  file goes on in the next.
"""

from __future__ import annotations

import argparse
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from controller.cli.connection import state_directory
from controller.cli.exits import DONE, NOT_PERMITTED, NOT_WELL, WRONG_USE, CommandFailed
from controller.cli.journal import sealing
from controller.cli.journal.again import Again
from controller.cli.journal.trust import Trust, trust
from controller.cli.output import complain, say, say_json
from controller.evidence.checks.verify import Finding, OnEntry, Report
from controller.evidence.checks.vouching import doubts_of
from controller.journal.errors import CannotArchive, JournalError, NoJournal, StateInUse
from controller.journal.lock import StateLock
from controller.journal.model import Boot
from controller.journal.reader import JournalReader

if TYPE_CHECKING:
    from controller.cli.group import Group

AGAIN = "start the controller, then give it again"


def register(group: Group) -> None:
    """Add the command."""
    command = group.command(
        "archive", _archive, "Have a stopped table's journal closed; given again, copy it"
    )
    command.add_argument("--to", metavar="DIR", type=Path, required=True, help="the archive")
    command.add_argument(
        "--no-replay", action="store_true", help="verify the chain only, without playing it again"
    )
    sealing.add_options(command)


def _archive(options: argparse.Namespace) -> int:
    from controller.upkeep import request

    directory, to = state_directory(options), options.to
    if not to.is_dir():
        raise CommandFailed(WRONG_USE, f"{to} is no directory: name the archive's, and make it")
    try:
        wanted = request.asked(directory)
        if wanted is not None and (_closed(directory, wanted) or _in_place(directory, wanted)):
            return _copied(options, directory, to, wanted)
        lock = StateLock(directory)
        try:
            if wanted is not None:
                complain(
                    f"an earlier request was for the journal {wanted.hex()}, which is not here any "
                    "more: it is taken away"
                )
            _ask(options, directory)
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
        say_json({"requested": True})
    else:
        say(f"the next start closes the journal: {AGAIN}")
    return DONE


def _ask(options: argparse.Namespace, directory: Path) -> None:
    """Verify, and leave the request."""
    from controller.journal.log.log_check import check_log
    from controller.replay.recovery import recover
    from controller.table.sequence import BETTING
    from controller.upkeep import request

    with JournalReader(directory) as reader:
        check_log(reader.path)  # whose lock is ours: the reader takes it for a controller's
        by = trust(options, reader)
        sealed = sealing.read_sealed(options, reader, by)
        again = None if options.no_replay else Again().take
        report = sealing.verified(reader, sealed, by.keys, again)
        named = [one for one in report.findings if one not in doubts_of(reader, by.keys).findings]
        if named:
            raise CommandFailed(
                NOT_WELL,
                f"{reader.path} is not well, and stays where it is: {named[0]}\n"
                "'tablectl journal verify' says all of it",
            )
        if reader.head.seq <= reader.begins + 1:
            raise CannotArchive(
                f"{reader.path} holds nothing to archive: entry {reader.head.seq} is its last"
            )
        play = recover(reader, reader.iterate).counted
        identity = reader.identity
    if not play.quiet or play.table.phase == BETTING:
        raise CommandFailed(
            NOT_PERMITTED,
            f"the table is not between rounds ({play.table.state}), or something waits at it: "
            "finish the round, clear it (next), stop the controller and try again",
        )
    request.ask(directory, identity)


def _copied(options: argparse.Namespace, directory: Path, to: Path, wanted: bytes) -> int:
    """Copy what was closed on request."""
    from controller.evidence.seals.archived_heads import beside
    from controller.upkeep import request
    from controller.upkeep.whole_copies import copy_compared

    if not (closed := _closed(directory, wanted)):
        raise CommandFailed(
            NOT_PERMITTED,
            f"the journal is not closed yet: {AGAIN}; its log says what is in the way",
        )
    archived = to / closed[-1].name
    copy_compared(closed[-1], archived)
    copy_compared(beside(closed[-1]), beside(archived))
    request.done(directory)
    if options.json:
        say_json({"archived": str(archived), "heads": str(beside(archived))})
    else:
        say(f"archived as {archived}, its signed heads as {beside(archived).name}")
        say("a new journal goes on from it")
    return DONE


def _closed(directory: Path, wanted: bytes) -> list[Path]:
    """The closed files of the journal of that name."""
    from controller.journal.line import closed_files

    name = f"journal-{wanted.hex()}-"
    return [file for file in closed_files(directory) if file.name.startswith(name)]


def _in_place(directory: Path, wanted: bytes) -> bool:
    """Whether the journal of that name is the one that is played."""
    with JournalReader(directory) as reader:
        return reader.identity == wanted


@dataclass(frozen=True, slots=True)
class Line:
    """Archived files verified: how many entries and heads they hold, and what is wrong."""

    entries: int = 0
    heads: int = 0
    findings: tuple[Finding, ...] = ()
    remarks: tuple[str, ...] = ()

    def before(self, report: Report) -> Report:
        """The report of the journal that goes on from them, together with theirs."""
        findings = (*self.findings, *report.findings)
        remarks = (*self.remarks, *report.remarks)
        entries = self.entries + report.entries
        return replace(report, entries=entries, findings=findings, remarks=remarks)


def verify_line(by: Trust, reader: JournalReader, archive: Path, on_entry: OnEntry | None) -> Line:
    """Verify the archived files that a journal goes on from, the oldest first, each with the heads
    that went along."""
    from controller.evidence.seals.archived_heads import beside
    from controller.journal.line import line_of

    if not archive.is_dir():  # a wrong path is nothing that is wrong with a journal
        raise CommandFailed(
            WRONG_USE, f"--archive: {archive} is no directory: is its medium there?"
        )
    line, broken = line_of(reader, archive)
    findings = [Finding(None, broken)] if broken else []
    remarks: list[str] = []
    entries = heads = 0
    boots: Sequence[Boot] = ()
    for path in line:
        with JournalReader(archive, path.name) as older:
            findings += _other_boots(boots, older, f"{path.name}: ")
            boots = older.boots
            keys, there = by.keys, beside(path)
            if by.of_the_journal:
                keys = list(dict.fromkeys([*keys, *(key for key, _ in sealing.told(older))]))
            signed = keys and there.exists()  # archives of earlier versions have none
            sealed = sealing.sealed_by(keys, older, there) if signed else sealing.Sealed()
            report = sealing.verified(older, sealed, keys, on_entry, closed=True)
        entries += report.entries
        heads += len(sealed.good)
        findings += [Finding(None, f"{path.name}: {finding}") for finding in report.findings]
        remarks += [f"{path.name}: {remark}" for remark in report.remarks]
    findings += _other_boots(boots, reader, "")
    return Line(entries, heads, tuple(findings), tuple(remarks))


def _other_boots(before: Sequence[Boot], reader: JournalReader, where: str) -> Iterator[Finding]:
    """Whether a journal has the boots of the one that it goes on from: no digest covers those."""
    if list(reader.boots[: len(before)]) != list(before):
        what = "its boots are others than those of the journal that it goes on from"
        yield Finding(None, f"{where}{what}")
