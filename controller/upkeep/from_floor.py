"""A table's journal taken back from the floor, and put in the place of one that is lost.
The rules:

- The newest of the keys that count whose log the mirror has is the table's. Its checkpoint must be
  signed with that key, and cosigned by the mirror that the configuration names.
- All entries are fetched; the tree over them has to be that of the checkpoint, and so has the tree
  over the export of the file that is made of them. So it is the table's journal, byte for byte, as
  far as the floor had it; nobody without the table's key can give another one.
- What the floor gives may be less than it once had, or than the table has signed. That shows
  nothing here: devices, witnesses and people tell, and the next start holds the table.
- Nothing is put in place before all of it is well. Then it is a recovery from a copy
  (:mod:`~.recover`); entries behind it that a damaged journal's own row signs are added.
- Journals that were closed before it are not fetched into files: the archive has those.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from controller.evidence.tree.checkpoint import (
    BadCheckpoint,
    Checkpoint,
    name_of,
    note_of,
    read_checkpoint,
)
from controller.evidence.tree.cosignature import WitnessKey
from controller.evidence.tree.entries import checkpoint_over
from controller.evidence.verification import Watch
from controller.journal import schema
from controller.journal.errors import CannotRecover, JournalError
from controller.journal.keys import PublicKey
from controller.journal.lock import StateLock
from controller.journal.reader import JournalReader
from controller.upkeep.floor_log import FloorLog, RemadeJournal
from controller.upkeep.recover import RecoveredJournal, recover

MADE: Final = "journal.of-the-floor"
"""The directory, in the state directory, in which the file is made."""

UNCHANGED: Final = "Nothing was changed"


@dataclass(frozen=True, slots=True)
class FloorCheckpoint:
    """What the mirror has of a ``log``, which may be asked for more: the checkpoint, its ``text``,
    and when that was cosigned, in seconds since 1970."""

    log: FloorLog
    said: Checkpoint
    text: str
    time: int


def recover_from_floor(
    directory: Path, url: str, mirror: WitnessKey, keys: Sequence[PublicKey], watch: Watch
) -> tuple[RecoveredJournal, FloorCheckpoint]:
    """Put what the mirror at ``url`` has in the place of the journal in ``directory``; what was
    done, and what the mirror had. ``keys`` are those that count, the oldest first. Raises as
    :func:`~controller.upkeep.recover.recover` does, and FloorFails."""
    if not directory.is_dir():
        raise CannotRecover(f"{directory} is no directory; name the table's state directory")
    made = directory / MADE
    with ExitStack() as stack:
        lock = StateLock(directory)
        stack.callback(lock.release)
        shutil.rmtree(made, ignore_errors=True)  # of one that was cut off
        stack.callback(shutil.rmtree, made, ignore_errors=True)
        found = newest(url, mirror, keys)
        stack.callback(found.log.close)
        made.mkdir(mode=0o700)
        _make_journal(made, found, keys, watch)
        lock.release()
        try:
            done = recover(directory, made, keys, found.text)
        except CannotRecover as error:
            path = str(made / schema.FILE_NAME)
            raise type(error)(str(error).replace(path, f"what {url} has")) from error
    return done, found


def newest(url: str, mirror: WitnessKey, keys: Sequence[PublicKey]) -> FloorCheckpoint:
    """What the mirror has of the newest of the keys whose log it has. Raises CannotRecover: it has
    none, or what it has is not signed. FloorFails."""
    for key in reversed(keys):
        with closing(FloorLog(url, name_of(key))) as log:
            if (text := log.checkpoint()) is not None:
                return _checked(log, text, key, mirror)
    raise CannotRecover(
        f"{url} has no log of this table: none of {', '.join(map(name_of, keys))}. Is that the "
        f"floor's [floor] url, and does it know the table's key? {UNCHANGED}"
    )


def _checked(log: FloorLog, text: str, key: PublicKey, mirror: WitnessKey) -> FloorCheckpoint:
    try:
        said = read_checkpoint(text, [key])
    except BadCheckpoint as error:
        raise CannotRecover(f"the checkpoint that {log.url} gives {error}. {UNCHANGED}") from error
    cosigned = mirror.newest_of(text.partition("\n\n")[2].splitlines(), note_of(text))
    if cosigned is None:
        raise CannotRecover(
            f"the checkpoint that {log.url} gives is not cosigned by {mirror.name}, the mirror "
            f"that [floor] vkey names. {UNCHANGED}"
        )
    if not said.size:
        raise CannotRecover(f"{log.url} has no entries of this table. {UNCHANGED}")
    return FloorCheckpoint(log, said, text, cosigned[0])


def _make_journal(
    made: Path, found: FloorCheckpoint, keys: Collection[PublicKey], watch: Watch
) -> None:
    journal, url = RemadeJournal(made / schema.FILE_NAME), found.log.url
    with watch(found.said.size) as advance, closing(journal):
        for first, lines in found.log.entries(found.said.size):
            for seq, line in enumerate(lines, first + 1):
                _take_step(partial(journal.take_line, line), f"entry {seq}", url)
                advance()
            _take_step(journal.write, f"entries {first + 1} to {first + len(lines)}", url)
        _take_step(journal.finish, "the log's end", url)
        if not journal.is_begun:
            raise CannotRecover(
                f"{url} has the beginning of the table's journal no more: it was removed by age, "
                f"and what is behind it makes no journal. {UNCHANGED}"
            )
    if journal.root != found.said.root:
        raise CannotRecover(
            f"the entries that {url} gives are others than the table signed: they do not lead to "
            f"the checkpoint of {found.said.size}. Somebody has altered them there; keep what the "
            f"floor has, and tell whoever runs it. {UNCHANGED}"
        )
    try:
        with JournalReader(made) as reader:
            checkpoint_over(reader, found.text, keys, reader.iterate(reader.begins))
    except BadCheckpoint as error:
        raise CannotRecover(f"the checkpoint that {url} gives {error}. {UNCHANGED}") from error


def _take_step(step: Callable[[], None], what: str, url: str) -> None:
    """Do it. Raises CannotRecover: what came is none of a journal."""
    try:
        step()
    except (JournalError, ValueError, OverflowError, RecursionError, sqlite3.IntegrityError) as bad:
        why = f"{what}, as {url} gives it, is none of a journal: {bad}. {UNCHANGED}"
        raise CannotRecover(why) from bad
