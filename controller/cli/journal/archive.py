"""``journal archive``: a stopped table's journal closed, and copied to an archive.

The rules:

- A journal is closed by its controller alone, whose key signs what goes on from it. Given on a
  stopped table the command verifies the journal, plays it again unless ``--no-replay`` says that
  this takes too long, and leaves a request (:mod:`controller.upkeep.request`): the next
  start closes it. It changes nothing else.
- Given again, running or stopped, it copies the closed file and its heads to the archive; it can be
  repeated after any interruption.
"""

from __future__ import annotations

import argparse
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

from controller.cli.connection import state_directory
from controller.cli.exits import DONE, NOT_PERMITTED, NOT_WELL, WRONG_USE, CommandFailed
from controller.cli.journal import seals
from controller.cli.output import complain, say, say_json
from controller.cli.printed.progress import entries_watched
from controller.journal.errors import CannotArchive, JournalError, NoJournal, StateInUse
from controller.journal.lock import StateLock
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
    seals.add_options(command)


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
    from controller.evidence.again import Again
    from controller.evidence.checks.vouching import doubts_of
    from controller.evidence.verification import verified
    from controller.journal.log.log_check import check_log
    from controller.replay.recovery import recover
    from controller.table.sequence import BETTING
    from controller.upkeep import request

    with JournalReader(directory) as reader:
        check_log(reader.path)  # whose lock is ours: the reader takes it for a controller's
        by = seals.trust(options, reader)
        sealed = seals.read_sealed(options, reader, by)
        again = None if options.no_replay else Again().take
        report = verified(reader, sealed, by.keys, again, watch=entries_watched)
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
