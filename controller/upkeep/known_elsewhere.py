"""What else knows of the journal at a start: the last night, the closed files, and the second copy.

An earlier state of it is signed as well as the last one: whoever puts that back cannot take away
what lies elsewhere. Each is asked by itself: one that cannot be read hides no other.

A journal that was taken from the floor has no row, and the checkpoint that vouches for it. Where
there is a copy and no journal, none is created: an empty one would later be taken for the table's.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from controller.configuration.model import Configuration
from controller.evidence.at_start import has_entry
from controller.evidence.recorded import CUT, DIFFERS
from controller.evidence.tree.checkpoint import BadCheckpoint
from controller.evidence.tree.entries import checkpoint_over
from controller.files.media import MediumQuestion, MediumSilent
from controller.journal.errors import DamagedJournal, JournalError
from controller.journal.keys import PublicKey
from controller.journal.model import Entry
from controller.journal.reader import JournalReader, OpenJournal, closed_files
from controller.journal.schema import FILE_NAME
from controller.upkeep import night_report
from controller.upkeep.copier import COMPARED_S
from controller.upkeep.next_start import left_checkpoint
from controller.upkeep.night_report import NightReport

_log = logging.getLogger(__name__)
WITHIN_S: Final = 2.0  # each medium is waited for so long


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
    with suppress(OSError):
        for file in closed_files(directory, identity):
            yield CUT, f"it was closed as {file}: what lies in its place is an earlier state of it"


class JournalBehindCopy(JournalError):
    """The journal lost its end, or all of it; the second copy has what is missing."""


def advice(config: Configuration, error: BaseException | None) -> str:
    """What more is to be said of a damaged journal: whether there is a copy, and the command that
    puts it in place. Empty for any other error."""
    if not isinstance(error, DamagedJournal):
        return ""
    if config.copy is None:
        return ". There is no second copy: [state] copy names none"
    return f". {recovers(config)}"


def recovers(config: Configuration) -> str:
    """The command that puts the second copy in place, in words."""
    command = f"tablectl journal recover --state {config.state_directory} --from {config.copy}"
    return f"'{command}' puts the second copy in its place"


def must_not_be_gone(config: Configuration) -> None:
    """Before the journal is opened, which makes one where there is none. Raises
    :class:`JournalBehindCopy` when the copy shows that there was one, or hangs."""
    if config.copy is None:
        return
    path, copied = config.state_directory / FILE_NAME, config.copy / FILE_NAME
    if _size(path) != 0:
        return
    try:
        size = MediumQuestion(lambda: _size(copied)).answer(COMPARED_S)
    except MediumSilent as error:
        raise JournalBehindCopy(
            f"there is no journal {path}, or it is empty, and the medium of its second copy "
            f"{copied} does not answer, so nobody knows whether there was one. No new one was "
            "made. Look to that medium; [state] copy names it"
        ) from error
    if size:
        raise JournalBehindCopy(
            f"there is no journal {path}, or it is empty, but its second copy {copied} is there. "
            f"No new one was made; {recovers(config)}. To begin anew without what it has, move "
            f"{config.copy} away and keep it"
        )


def _size(path: Path) -> int | None:
    """In bytes, 0 where there is no such file; None where the disk does not say."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
    except OSError:
        return None
