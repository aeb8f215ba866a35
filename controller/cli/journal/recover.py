"""``journal recover``: what is wrong with a stopped table's journal, and its copy in its place.

The rules:

- Without ``--from`` nothing is changed and nothing is salvaged: it says what is damaged and up to
  where entries can be read, with exit status 1.
- With ``--from`` the journal is replaced by the copy, or not touched at all; what was done, and
  what the damaged journal had beyond, is reported. An address is that of the floor's mirror, and
  stands for a copy there. Then the configuration says which mirror it is, and it or ``--key`` which
  keys count: there is no journal whose own word could.
"""

from __future__ import annotations

import argparse
import sqlite3
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

from controller.cli.arguments import add_option
from controller.cli.connection import configuration_path, state_directory
from controller.cli.group import Group
from controller.cli.journal.sources import add_keys, trust
from controller.cli.output import DONE, complain, print_answer
from controller.cli.progress import entries_watched
from controller.configuration.model import wrong_address
from controller.configuration.reading import load_configuration
from controller.configuration.tables import BadConfiguration
from controller.evidence.examine import examine
from controller.evidence.trust import JOURNAL, Trust, counted, keys_beside
from controller.faults.catalogue import fault_of
from controller.journal.errors import DamagedJournal, JournalError, OtherFormat
from controller.journal.lock import StateLock
from controller.journal.reader import JournalReader
from controller.not_done import NOT_WELL, WRONG_USE, NotDone
from controller.upkeep.next_start import RECOVERED, stopped
from controller.upkeep.recover import RecoveredJournal, recover


def register(group: Group) -> None:
    """Add the command."""
    command = group.command("recover", _recover, "A damaged journal of a stopped table")
    add_option(
        command,
        "--from DIR|URL",
        "the second copy, or the floor's mirror ([floor] url), whose journal is put in its "
        "place (else: only say what is wrong)",
        dest="copy",
    )
    add_keys(command)


def _recover(options: argparse.Namespace) -> int:
    directory = state_directory(options)
    with stopped("recovered"):
        if options.copy is None:
            return _examined(options, directory)
        if "://" in options.copy:
            return _from_floor(options, directory)
        try:
            by = _trust(options, Path(options.copy))
            done = recover(directory, Path(options.copy), by.keys)
        except DamagedJournal as error:
            raise NotDone(NOT_WELL, f"the copy is damaged itself: {error.what}") from error
    told = {**asdict(done), "kept": list(map(str, done.kept))}
    print_answer(
        options, {**told, "next_start": RECOVERED, "key": by.by}, _recovered(options, by, done)
    )
    return NOT_WELL if by.of_the_journal else DONE


def _from_floor(options: argparse.Namespace, directory: Path) -> int:
    from controller.upkeep.from_floor import recover_from_floor

    if wrong := wrong_address(options.copy):
        raise NotDone(WRONG_USE, f"--from {options.copy}: {wrong}")
    path = configuration_path(options)
    try:
        floor = load_configuration(path).floor
    except BadConfiguration as bad:
        raise NotDone(WRONG_USE, str(bad)) from bad
    if floor is None or not floor.vkey.is_checked:
        raise NotDone(
            WRONG_USE,
            f"{path} has no [floor] with a vkey of Ed25519 (type 4), which says whose cosignature "
            "counts. Put the old box's configuration there, or name it with --config",
        )
    if (by := counted(options.key or (), keys_beside(path))) is None:
        raise NotDone(
            WRONG_USE,
            f"no key counts: {keys_beside(path)} is not there. Put the old box's there, or give "
            "the table's key (--key)",
        )
    done, made = recover_from_floor(directory, options.copy, floor.vkey, by.keys, entries_watched)
    cosigned = datetime.fromtimestamp(made.time, UTC).isoformat(timespec="seconds")
    told = {**asdict(done), "kept": list(map(str, done.kept))}
    told |= {"origin": made.said.origin, "cosigned": cosigned}
    age = f"it is {made.said.origin} as the mirror cosigned it at {cosigned}: what is newer is lost"
    told |= {"next_start": RECOVERED, "key": by.by}
    print_answer(options, told, [*_recovered(options, by, done), age])
    return DONE


def _recovered(options: argparse.Namespace, by: Trust, done: RecoveredJournal) -> Iterator[str]:
    yield by.whose_word
    yield f"{done.entries} entries, up to {done.last_seq}, taken from {options.copy}"
    if done.added:
        behind = f"{done.added} entries behind them added from the damaged journal"
        yield f"{behind}: they follow from it"
    if done.beyond:
        yield f"not taken over from the damaged journal: {done.beyond}"
    yield from (f"kept as it was: {path}" for path in done.kept)
    fault = fault_of(RECOVERED)
    yield f"the next start holds the table ({fault.code}). {fault.text} {fault.next_step}"


def _trust(options: argparse.Namespace, directory: Path) -> Trust:
    """Which keys count; a journal that cannot be read tells none."""
    try:
        with JournalReader(directory) as reader:
            return trust(options, reader)
    except OtherFormat:  # it is refused as everywhere, and is no damage
        raise
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
    told = {
        "well": found.well,
        "last_seq": found.last_seq,
        "findings": list(map(str, found.findings)),
    }
    nothing = "it has no entry" if found.well else "nothing could be read"
    upto = f"entries can be read up to {found.last_seq}" if found.last_seq else nothing
    print_answer(
        options,
        {**told, "remarks": list(found.remarks), "key": by.by},
        [
            *(by.whose_word, *found.remarks, *map(str, found.findings)),
            f"the journal in {directory} is {'well' if found.well else 'DAMAGED'}; {upto}",
            "entries cut off at its end do not show here; a device, head or copy may know of more",
        ],
    )
    if not found.well:
        complain(
            "keep every file as it is; --from DIR puts the second copy in its place, --from URL "
            "what the floor has"
        )
    return DONE if found.well and not by.of_the_journal else NOT_WELL
