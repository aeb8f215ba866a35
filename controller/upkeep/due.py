"""When the journal is closed as a file and a new one begun: at a start, between rounds. While the
table runs: :mod:`controller.daemon.quiet_moments`. The rules:

- It is due by the age of its first entry or by its size, as ``[archive]`` says, or where ``tablectl
  journal archive`` asks for it (:mod:`controller.upkeep.next_start`). How it is done:
  :mod:`controller.upkeep.closure`.
- It is done before the journal is opened, and keeps no table from being opened: what is in the way
  is logged, and it is due again at the next start. A start that would have to play much of the
  journal again for it leaves it to another one.
- Only a journal that would be played on is closed: whatever is found at a start (damage, a recovery
  that was not finished, a last entry that is not signed, an end that the second copy has and it has
  not, a replay that comes out otherwise) would not be found any more in the one that goes on from
  it.
- While the second copy is not level the journal waits: a closed one is copied no more. So it does
  while the medium of the heads fails; a start waits ``ANSWERED_S`` for that and no longer.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, Protocol

from controller import ENGINE_VERSION
from controller.causes.finding import cause_of
from controller.causes.who_may import READ
from controller.configuration.model import MIB, ArchiveSettings, Configuration
from controller.evidence.at_start import compare_head
from controller.evidence.heads import last_head
from controller.files.media import MediumQuestion
from controller.journal.chain import chained, checked_positions
from controller.journal.errors import CannotArchive, JournalError
from controller.journal.lock import StateLock
from controller.journal.model import Head, read_written
from controller.journal.opening import opened_to_play_on
from controller.journal.reader import JournalReader
from controller.journal.schema import FILE_NAME
from controller.journal.store import Journal
from controller.replay.counted_table import CountedTable
from controller.replay.recovery import Recovered, recover, snapshot
from controller.replay.replay import SNAPSHOT
from controller.table.sequence import CLOSED, IDLE
from controller.upkeep import next_start
from controller.upkeep.closure import closing_steps, tidy
from controller.upkeep.copier import COMPARED_S
from controller.upkeep.known_elsewhere import closed_before, night_before
from controller.upkeep.signing import ANSWERED_S, Signing
from controller.upkeep.successor import Beginning, Signatory

_log = logging.getLogger(__name__)
MOST_AGAIN: Final = 4000
"""Entries that a start plays again for it at most: twice as many as from one snapshot to the next
(:mod:`controller.daemon.quiet_moments`)."""


class StartSurroundings(Protocol):
    """What a start has from outside: :class:`controller.daemon.outside.Outside`."""

    @property
    def boot_id(self) -> Callable[[], str]:
        """Names the boot of the machine."""

    @property
    def wall(self) -> Callable[[], datetime]:
        """The wall clock."""

    @property
    def mono_ns(self) -> Callable[[], int]:
        """The monotonic one, in nanoseconds."""


def due(settings: ArchiveSettings, bytes_: int, first: datetime | None, wall: datetime) -> str:
    """Why a journal of that size, with its ``first`` entry written then (None: it does not say), is
    to be closed, in words; "" where it is not."""
    if settings.after_bytes is not None and bytes_ > settings.after_bytes:
        return f"it has {bytes_ // MIB} MiB"
    if settings.after_days is not None and first is not None:
        age = wall - first
        if age > timedelta(days=settings.after_days):
            return f"its first entry is {age.days} days old"
    return ""


def close_if_due(config: Configuration, signing: Signing, outside: StartSurroundings) -> None:
    """Before the journal is opened: tidy up behind a closing that was cut off, and close the
    journal where that is due."""
    directory, why = config.state_directory, ""
    done: dict[str, Path] = {}
    if not (directory / FILE_NAME).exists():
        return
    try:
        lock = StateLock(directory)
    except JournalError:  # whoever opens the journal says the same, and to whom it belongs
        return
    try:
        tidy(directory)
        wanted = next_start.requested_journal(directory)
        if not config.archive.closes and wanted is None:
            return
        with opened_to_play_on(directory / FILE_NAME) as connection:
            checked_positions(connection, directory / FILE_NAME)
            connection.close()
        with JournalReader(directory) as reader:
            if wanted == reader.identity:
                why = "'tablectl journal archive' asked for it"
            else:
                size, first = reader.path.stat().st_size, first_written(reader)
                why = due(config.archive, size, first, outside.wall())
            if not why:
                return
            play = _prepared(config, signing, reader)
        whose = Signatory(config.table.id, config.heads, signing.key, signing.trusted)
        wall = outside.wall().isoformat(timespec="milliseconds")
        moment = Beginning(outside.boot_id(), outside.mono_ns(), wall)
        body = snapshot(play.counted, play.shown)
        for step, path in closing_steps(directory, body, moment, whose):
            done[step] = path
            if step == "replaced":
                closed = done["named again"]
                _log.info("the journal was closed as %s, for %s; a new one goes on", closed, why)
    except (JournalError, sqlite3.Error, OSError, ValueError) as error:
        if "replaced" in done:
            _log.warning("the journal was closed, and not tidied up behind it: %s", error)
        elif why:
            _log.warning("the journal is due to be closed, for %s, and is not: %s", why, error)
    finally:
        lock.release()


def first_written(journal: Journal | JournalReader) -> datetime | None:
    """When the journal's first entry was written, by the wall clock of then; None where it has
    none."""
    if journal.head.seq == journal.begins:
        return None
    try:
        first = next(journal.iterate(journal.begins, journal.begins + 1), None)
    except JournalError:  # it is damaged there, which the scrubber says
        return None
    return read_written(first.wall) if first else None


def _prepared(config: Configuration, signing: Signing, reader: JournalReader) -> Recovered:
    """The play at the journal's end. Raises CannotArchive: this is no moment for it; the journal is
    not to be played on as it is; its second copy is not level with it; or the medium of its heads
    does not answer."""
    for _, wrong in closed_before(config.state_directory, reader.identity):
        raise CannotArchive(wrong)
    cover = reader.cover(signing.trusted)
    if cover.wrong:
        raise CannotArchive(cover.wrong)
    if signing.key.public not in signing.trusted or cover.key != signing.key.public:
        raise CannotArchive("its last entry is signed with another key than this controller's")
    last = reader.last_of_type(SNAPSHOT)
    usable = last is not None and last.body.get("engine") == ENGINE_VERSION
    if reader.head.seq - (last.seq if last and usable else reader.begins) > MOST_AGAIN:
        raise CannotArchive("too much of it would be played again; this start writes a snapshot")
    found = recover(reader, lambda after: chained(reader.connection, reader.path, after))
    play = found.counted
    if not between_rounds(play):
        raise CannotArchive(f"the table is not between rounds ({play.table.state})")
    if found.differences:
        raise CannotArchive(f"played again it comes out otherwise: {found.differences[0]}")
    if config.copy is not None:
        _check_level(config.copy, reader)
    try:
        newest = MediumQuestion(lambda: last_head(config.heads, signing.trusted)).answer(ANSWERED_S)
    except OSError as error:
        raise CannotArchive(
            f"its signed heads {config.heads} cannot be read: "
            f"{cause_of(error, config.heads, wants=READ)}"
        ) from error
    if newest is None:
        raise CannotArchive(f"{config.heads} has no head of it")
    for _, wrong in (*compare_head(reader, newest), *night_before(reader.directory, reader)):
        raise CannotArchive(wrong)
    return found


def _check_level(copy: Path, reader: JournalReader) -> None:
    try:
        identity, last = MediumQuestion(lambda: _read_end(copy)).answer(COMPARED_S)
    except (JournalError, sqlite3.Error, OSError) as error:
        raise CannotArchive(f"its second copy in {copy} cannot be read ({error})") from error
    if (identity, last) != (reader.identity, reader.head):
        raise CannotArchive(
            f"its second copy in {copy} is not level with it: that one ends with entry {last.seq}, "
            f"the journal with entry {reader.head.seq}"
        )


def _read_end(directory: Path) -> tuple[bytes, Head]:
    with JournalReader(directory) as reader:
        return reader.identity, reader.head


def between_rounds(play: CountedTable) -> bool:
    """Whether nothing is played and nothing waits."""
    return play.quiet and play.table.phase in (IDLE, CLOSED)
