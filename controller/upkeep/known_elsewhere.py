"""What else knows of the journal at a start: the last night, and the closed files.

An earlier state of it is signed as well as the last one: whoever puts that back cannot take away
what lies elsewhere. Each is asked by itself: one that cannot be read hides no other.

A journal that was taken from the floor has no row, and the checkpoint that vouches for it.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import Final

from controller.evidence.at_start import has_entry
from controller.evidence.recorded import CUT, DIFFERS
from controller.evidence.tree.checkpoint import BadCheckpoint
from controller.evidence.tree.entries import checkpoint_over
from controller.files.media import MediumQuestion
from controller.journal.errors import JournalError
from controller.journal.keys import PublicKey
from controller.journal.line import closed_files
from controller.journal.model import Entry
from controller.journal.reader import JournalReader, OpenJournal
from controller.upkeep import night_report
from controller.upkeep.next_start import left_checkpoint
from controller.upkeep.night_report import NightReport

_log = logging.getLogger(__name__)

WITHIN_S: Final = 2.0
"""Each medium is waited for so long."""

UNREADABLE: Final = (JournalError, sqlite3.Error, OSError, ValueError, TypeError)


def last_night(state: Path) -> NightReport | None:
    """The last report, if it is of the journal in the directory ``state``."""
    try:
        report = MediumQuestion(lambda: night_report.read_night_report(night_report.USUAL)).answer(
            WITHIN_S
        )
    except OSError:
        return None
    return report if report is not None and report["state"] == str(state) else None


def vouched_by_floor(
    directory: Path, keys: Collection[PublicKey], entries: Callable[[int], Iterable[Entry]]
) -> str:
    """The checkpoint that a recovery from the floor has left, where one of the keys signed it over
    all of the journal and nothing more; "" otherwise. ``entries`` gives those behind a number: all
    are read, which takes a minute for each million."""
    if (text := left_checkpoint(directory)) is None:
        return ""
    try:
        with JournalReader(directory) as reader:
            checkpoint_over(reader, text, keys, entries(reader.begins))
    except BadCheckpoint as error:
        _log.error("the checkpoint that was left for this start %s: it vouches for nothing", error)
        return ""
    return text


def night_before(directory: Path, journal: OpenJournal) -> Iterator[tuple[str, str]]:
    """Whether the journal has what the last night verified."""
    report = last_night(directory)
    last = None if report is None else report["journal"]
    if report is None or last is None:
        return
    before, verified = journal.predecessor, f"entry {last['to']}, verified {report['ended']},"
    if last["journal"] == journal.identity.hex():
        if last["to"] > journal.head.seq:
            yield CUT, f"{verified} is missing: the journal ends with entry {journal.head.seq}"
        elif not has_entry(journal, last["to"], bytes.fromhex(last["digest"])):
            yield DIFFERS, f"{verified} is another one in the journal now"
    elif (
        before is not None and last["journal"] == before.identity.hex() and last["to"] > before.seq
    ):
        yield CUT, f"{verified} of the closed journal is missing: it ends with {before.seq}"


def closed_before(directory: Path, identity: bytes) -> Iterator[tuple[str, str]]:
    """Whether the journal of that name was closed already: then what lies there is an earlier
    state of it."""
    try:
        closed = closed_files(directory)
    except OSError:
        return
    own = f"journal-{identity.hex()}-"
    for file in closed:
        if file.name.startswith(own):
            yield CUT, f"it was closed as {file}: what lies in its place is an earlier state of it"
