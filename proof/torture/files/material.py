"""A journal made by real play: in virtual time, its files as a power cut leaves them.

Most of it is in the file and the last part in the log only, as at a table. Beside it there are the
same files as they were earlier, the second copy, level, the signed heads, and what the devices were
told is stored.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from controller.daemon import quiet_moments
from controller.daemon.committer import CHECKPOINT_BYTES
from controller.journal import rows
from controller.journal.keys import ControllerKey, PublicKey
from controller.journal.opening import PAGE_BYTES
from controller.journal.reader import JournalReader
from controller.journal.schema import FILE_NAME
from controller.upkeep.second_copy import JournalCopy
from hil_tests.bench.setup import MBS, setup_for
from proof.torture.virtual.people import People
from proof.torture.virtual.site import Site

LOG_NAME = FILE_NAME + "-wal"
LOG_SHARE = 12
"""One round in this number is in the log only."""
SNAPSHOTS = 4
"""In the journal; at a table there is one in some seventy rounds."""

Content = list[tuple[object, ...]]


@dataclass(frozen=True, slots=True)
class Files:
    """A journal's file and its log, as bytes."""

    file: bytes
    log: bytes

    @property
    def pages(self) -> int:
        """How many pages the file has."""
        return len(self.file) // PAGE_BYTES


@dataclass(frozen=True, slots=True)
class PlayedJournal:
    """The journal as it was ``left``, and at moments ``before``; ``content`` is all that anybody
    reads of it. ``copy`` is the second copy's directory, ``heads`` the file of signed heads, signed
    with ``key``, which the file ``private`` has; ``acknowledged`` the last event of each device's
    session."""

    left: Files
    before: tuple[Files, ...]
    content: Content
    copy: Path
    heads: Path
    key: PublicKey
    private: Path
    acknowledged: Mapping[str, tuple[int, int]]

    @property
    def signing(self) -> ControllerKey:
        """The key that signs what is written."""
        return ControllerKey(self.private)


def play_journal(folder: Path, rounds: int, seed: int) -> PlayedJournal:
    """Play that number of rounds at a table with a jackpot unit, two power cuts among them."""
    logging.disable()
    source = random.Random(seed)
    often, quiet_moments.EVERY = quiet_moments.EVERY, max(10, rounds * 20 // SNAPSHOTS)  # type: ignore[misc]
    site = Site(folder, setup_for(MBS, seed=seed % 9999, spin_ms=0), source, tens=False)
    people = People(site, source, lambda: None)
    state = site.config.state_directory
    before: list[Files] = []
    in_log = max(2, rounds // LOG_SHARE)
    try:
        while people.rounds < rounds:
            people.play_round()
            if site.alive.journal.wal_bytes > CHECKPOINT_BYTES:
                site.alive.journal.checkpoint()
            if people.rounds in (rounds // 3, rounds // 2):
                before.append(_files(state))
                site.end_life(new_boot=True)
            if people.rounds == rounds - in_log:
                site.alive.journal.checkpoint()
                before.append(_files(state))
        left = _files(state)
        copy = folder / "copy"
        with JournalReader(state) as reader:
            _copy(copy, reader)
            content = content_of(reader)
        return PlayedJournal(
            left,
            tuple(before),
            content,
            copy,
            site.config.heads,
            ControllerKey(site.config.key).public,
            site.config.key,
            dict(site.life.journal.latest_stored()),
        )
    finally:
        site.life.end_life()
        quiet_moments.EVERY = often  # type: ignore[misc]
        logging.disable(logging.NOTSET)


def content_of(reader: JournalReader) -> Content:
    """Everything that is read of a journal: name, boots and entries. When its file was made is
    written there for people who look at it with other tools; nothing reads that."""
    execute = reader.connection.execute
    return [
        (rows.identity(reader.connection),),
        *execute("SELECT * FROM boot ORDER BY boot").fetchall(),
        *execute(f"SELECT {rows.COLUMNS} FROM entry ORDER BY seq").fetchall(),
    ]


def _files(state: Path) -> Files:
    return Files((state / FILE_NAME).read_bytes(), (state / LOG_NAME).read_bytes())


def _copy(place: Path, reader: JournalReader) -> None:
    copy = JournalCopy(place, reader)
    while copy.copy_next():
        pass
    copy.close()
