"""``journal recover``: what is wrong with a stopped table's journal, and its copy in its place.

The rules:

- Without ``--from`` nothing is changed and nothing is salvaged: it says what is damaged and up to
  where entries can be read, with exit status 1.
- With ``--from`` the journal is replaced by the copy, or not touched at all; what was done, and
  what the damaged journal had beyond, is reported.
"""

from __future__ import annotations

import argparse
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

from controller.cli.connection import state_directory
from controller.cli.exits import DONE, NOT_PERMITTED, NOT_WELL, WRONG_USE, CommandFailed
from controller.cli.journal.seals import add_keys, trust
from controller.cli.output import complain, say, say_json
from controller.evidence.checks.examine import examine
from controller.evidence.trust import JOURNAL, Trust
from controller.faults.catalogue import fault_of
from controller.journal.errors import DamagedJournal, JournalError, NoJournal, StateInUse
from controller.journal.lock import StateLock
from controller.journal.reader import JournalReader
from controller.upkeep.recover import NothingToRecover, recover
from controller.upkeep.recovered import RECOVERED

if TYPE_CHECKING:
    from controller.cli.group import Group


def register(group: Group) -> None:
    """Add the command."""
    command = group.command("recover", _recover, "A damaged journal of a stopped table")
    command.add_argument(
        "--from",
        dest="copy",
        metavar="DIR",
        help="the second copy to put in its place (else: only say what is wrong)",
    )
    add_keys(command)


def _recover(options: argparse.Namespace) -> int:
    directory = state_directory(options)
    try:
        if options.copy is None:
            return _examined(options, directory)
        by = _trust(options, Path(options.copy))
        done = recover(directory, Path(options.copy), by.keys)
    except NothingToRecover as error:
        raise CommandFailed(NOT_PERMITTED, str(error)) from error
    except StateInUse as error:
        raise CommandFailed(
            NOT_PERMITTED, f"{error}\nonly a stopped table's journal is recovered"
        ) from error
    except NoJournal as error:
        raise CommandFailed(WRONG_USE, str(error)) from error
    except DamagedJournal as error:
        raise CommandFailed(NOT_WELL, f"the copy is damaged itself: {error.what}") from error
    except (JournalError, sqlite3.Error, OSError) as error:
        raise CommandFailed(NOT_WELL, str(error)) from error
    if options.json:
        say_json(
            {
                "entries": done.entries,
                "last_seq": done.last_seq,
                "added": done.added,
                "beyond": done.beyond,
                "kept": [str(path) for path in done.kept],
                "next_start": RECOVERED,
                "key": by.by,
            }
        )
        return NOT_WELL if by.of_the_journal else DONE
    say(by.said)
    say(f"{done.entries} entries, up to {done.last_seq}, taken from {options.copy}")
    if done.added:
        say(f"{done.added} entries behind them added from the damaged journal: they follow from it")
    if done.beyond:
        say(f"not taken over from the damaged journal: {done.beyond}")
    for path in done.kept:
        say(f"kept as it was: {path}")
    fault = fault_of(RECOVERED)
    say(f"the next start holds the table ({fault.code}). {fault.text} {fault.next_step}")
    return NOT_WELL if by.of_the_journal else DONE


def _trust(options: argparse.Namespace, directory: Path) -> Trust:
    """Which keys count; a journal that cannot be read tells none."""
    try:
        with JournalReader(directory) as reader:
            return trust(options, reader)
    except (sqlite3.Error, JournalError, TypeError, ValueError):
        if options.key or options.config:
            raise
        return Trust((), JOURNAL)


def _examined(options: argparse.Namespace, directory: Path) -> int:
    """Say what is wrong; the lock is held so that nobody plays on meanwhile."""
    lock = StateLock(directory)
    try:
        by = _trust(options, directory)
        found = examine(directory, by.keys)
    finally:
        lock.release()
    if options.json:
        told = {"well": found.well, "last_seq": found.last_seq, "findings": list(found.findings)}
        say_json({**told, "remarks": list(found.remarks), "key": by.by})
    else:
        say(by.said)
        for line in (*found.remarks, *found.findings):
            say(line)
        nothing = "it has no entry" if found.well else "nothing could be read"
        upto = f"entries can be read up to {found.last_seq}" if found.last_seq else nothing
        say(f"the journal in {directory} is {'well' if found.well else 'DAMAGED'}; {upto}")
        say("entries cut off at its end do not show here; a device, head or copy may know of more")
    if not found.well:
        complain("keep every file as it is; --from DIR puts the second copy in its place")
    return DONE if found.well and not by.of_the_journal else NOT_WELL
