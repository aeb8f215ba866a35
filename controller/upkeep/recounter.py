"""Rebuilding the counters from the journal while the table plays, and comparing (JKP-03).
The rules:

- Every snapshot has the counters as they were kept in memory. From the snapshot before it, what was
  entered since is replayed in a thread of its own, and the counters so rebuilt have to be those
  that the snapshot has; so has the rest of the play. Each snapshot is compared once, so everything
  counted since the start is compared step by step; what was before, ``journal verify`` replays.
- It is bounded: some two thousand entries lie between two snapshots. They are replayed a few at a
  time with pauses, so that no answer to a device is delayed.
- Counters that differ are ``counters-differ``, which holds play between rounds; another difference
  is ``journal-differs``. Both are reported once for each snapshot.
- Snapshots of another engine or format cannot be compared, nor can the one that a journal begins
  with: what led to it was archived. A journal that cannot be read at the moment is looked at again
  the next time; damage is the scrubber's to find.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from controller import ENGINE_VERSION
from controller.counters.balance import differing
from controller.journal.errors import JournalError
from controller.journal.model import Entry
from controller.journal.reader import JournalReader
from controller.replay.counted_table import CountedTable
from controller.replay.replay import SNAPSHOT, Replay
from controller.table.snapshot import FORMAT, BadSnapshot
from controller.upkeep.scrubber import REST, Stepping, Tell

COUNTERS_DIFFER, DIFFERS = "counters-differ", "journal-differs"
PAUSE_S: Final = 600.0
"""How often it is looked whether there is a new snapshot: a busy table makes one in some hours."""

FEW: Final = 10  # entries that are replayed in one step: a millisecond


class Recounter(Stepping):
    """Compares the counters in the snapshots of the journal in ``directory``; ``tell`` is called in
    the thread."""

    def __init__(self, directory: Path, tell: Tell) -> None:
        super().__init__("recount")
        self._directory = directory
        self._tell = tell
        self._compared = self._next = 0
        self._reader: JournalReader | None = None
        self._replay: Replay | None = None
        self._entries: Iterator[Entry] = iter(())

    def step(self) -> float:
        """See :class:`Stepping`."""
        begun = time.monotonic()
        try:
            if self._replay is None and not self._begin_comparing():
                return self._rest()
            if not self._advance():
                return self._rest()
        except (JournalError, sqlite3.Error, OSError):
            return self._rest()
        return REST * (time.monotonic() - begun)

    def _begin_comparing(self) -> bool:
        self._reader = JournalReader(self._directory)
        last, before = [*islice(self._reader.snapshots(), 2), 0, 0][:2]
        if last <= self._compared:
            return False
        self._next = last
        archived = self._reader.predecessor
        if archived is not None and last == archived.seq + 1:
            return self._note_compared()
        self._entries = self._reader.iterate(before - 1 if before else 0, last)
        if before:
            counted = _comparable(next(self._entries))
            if counted is None:
                return self._note_compared()
            self._replay = Replay(counted)
        else:
            self._replay = Replay()
        return True

    def _advance(self) -> bool:
        assert self._replay
        few = list(islice(self._entries, FEW))
        for entry in few:
            if entry.seq == self._next:
                self._compare(self._replay.counted, entry)
                return self._note_compared()
            differs = self._replay.replay_entry(entry)
            if differs and self._replay.same_engine:
                self._tell(DIFFERS, f"entry {entry.seq} ({entry.type}): {differs[0]}", True)
                return self._note_compared()
        return bool(few)

    def _compare(self, counted: CountedTable, entry: Entry) -> None:
        kept = _comparable(entry)
        if kept is None:
            return
        if wrong := differing(kept.counters, counted.counters):
            self._tell(COUNTERS_DIFFER, f"at entry {entry.seq}: {'; '.join(wrong)}", True)
        elif differs := counted.differences(entry.body):
            self._tell(DIFFERS, f"entry {entry.seq} (snapshot): {differs[0]}", True)

    def _note_compared(self) -> bool:
        """That snapshot needs no second look, and there is nothing more to replay."""
        self._compared = self._next
        return False

    def _rest(self) -> float:
        if self._reader is not None:
            self._reader.close()
        self._reader = self._replay = None
        self._entries = iter(())
        return PAUSE_S


def _comparable(entry: Entry) -> CountedTable | None:
    form = entry.type, entry.body.get("format"), entry.body.get("engine")
    if form != (SNAPSHOT, FORMAT, ENGINE_VERSION):
        return None
    try:
        return CountedTable.load(entry.body)
    except BadSnapshot:
        return None
