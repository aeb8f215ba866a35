"""Reading the whole journal, or its second copy, again and again while the table plays, so that
damage is found before it is needed; and rebuilding the counters from it, and comparing (JKP-03).
The rules:

- A separate thread takes small steps and pauses ``REST`` times as long after each; a new pass
  begins again ``PAUSE_S`` after the last one. The journal and its copy have a thread each: a medium
  that hangs does not stop the checks of the other.
- Damage of the journal is ``journal-damaged``, of the copy ``copy-damaged``; each is reported once,
  and the file is left alone until the next start. A walk that finds nothing ends what stood from
  before: while ``journal-damaged`` is present the first pass does not pause, since no device is
  contacted until it is over.
- A step that fails as nobody has foreseen is logged, what is open is let go of, and the work is
  begun again after ``AGAIN_S``: a check that has ended without a word would be taken for one that
  is well.
- A disk that cannot be read at the moment is looked at again with the next walk. One that a table
  waits for is begun again after ``RETRY_S``, and the log says each time what was in the way.

Of the counters:

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
  the next time; damage is for the reading above to find.
"""

from __future__ import annotations

import contextlib
import logging
import sqlite3
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from controller import ENGINE_VERSION
from controller.counters.balance import differing
from controller.evidence.scrub import Walk
from controller.journal.errors import DamagedJournal, JournalError
from controller.journal.keys import PublicKey
from controller.journal.model import Entry, Head
from controller.journal.reader import JournalReader
from controller.replay.counted_table import CountedTable
from controller.replay.replay import SNAPSHOT, Replay
from controller.table.snapshot import FORMAT, BadSnapshot
from controller.threads import start

_log = logging.getLogger(__name__)
REST: Final = 50  # it takes a fiftieth of one processor: ten million entries in two hours
PAUSE_S: Final = 3600.0
RETRY_S: Final = 60.0
DAMAGED, COPY_DAMAGED = "journal-damaged", "copy-damaged"
Tell = Callable[[str, str, bool], None]
"""Takes a fault's code, its particulars and whether it is there; called in the thread."""
AGAIN_S: Final = 600.0


class Stepping(ABC):
    """What is minded beside play; ``name`` is the thread's."""

    def __init__(self, name: str) -> None:
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run_thread, name=name, daemon=True)

    @abstractmethod
    def step(self) -> float:
        """Do what is next; after how many seconds the following step is due."""

    @abstractmethod
    def _rest(self) -> float:
        """Let go of what is open; after how many seconds the following step is due."""

    def start(self) -> None:
        """Start the thread; from now on it alone takes steps. Raises NoThread: none is to be
        had."""
        start(self._thread)

    def _run_thread(self) -> None:
        while not self._stop.wait(self._stepped()):
            pass

    def _stepped(self) -> float:
        try:
            return self.step()
        except Exception:
            _log.exception("%s failed; it is begun again in %.0f s", self._thread.name, AGAIN_S)
            self._rest()
            return AGAIN_S

    def stop(self) -> None:
        """Have the thread end; it may be in the middle of a step."""
        self._stop.set()

    def join(self, until: float) -> None:
        """Wait for its end until then, in seconds of the monotonic clock; one that hangs in a dead
        disk is left to the end of the process."""
        if self._thread.ident is not None:
            self._thread.join(max(0.0, until - time.monotonic()))
        if not self._thread.is_alive():
            self._rest()


class Scrubber(Stepping):
    """Walks over the journal in ``place``, whose damage is ``fault``. ``end`` says the last entry
    that this process made durable in it, None where it makes none; ``keys`` are those with which it
    signs; ``hurried``: the first walk takes no rests. ``facts`` are the part of the status."""

    def __init__(
        self,
        place: Path,
        fault: str,
        tell: Tell,
        end: Callable[[], Head] | None = None,
        keys: Collection[PublicKey] = (),
        *,
        hurried: bool = False,
    ) -> None:
        super().__init__("scrub")
        self._place = place
        self._fault = fault
        self._tell = tell
        self._end = end
        self._keys = keys
        self._hurried = hurried
        self._reader: JournalReader | None = None
        self._walk: Walk | None = None
        self._left_alone = False
        self._walks = 0
        self.facts: dict[str, object] = {"walks": 0, "checked": 0, "fault": None}

    def step(self) -> float:
        """See :class:`Stepping`."""
        begun = time.monotonic()
        if self._left_alone:
            return PAUSE_S
        try:
            if self._walk is None:
                self._reader = JournalReader(self._place)
                self._walk = Walk(self._reader, self._end, self._keys)
            walk = self._walk
            walk.step()
        except DamagedJournal as error:
            if self._reader is not None and self._reader.stale:
                # A copy at rest, to which the copier has come back, is read again.
                return self._put_off(error)
            self._left_alone = True
            self.facts["fault"] = f"{self._place}: {error.what}"
            self._tell(self._fault, error.what, True)
            return self._rest()
        except (JournalError, sqlite3.Error, OSError) as error:
            return self._put_off(error)
        self.facts["checked"] = walk.seq
        if not walk.done:
            return 0.0 if self._hurried else REST * (time.monotonic() - begun)
        self._hurried = False
        self._walks += 1
        self.facts["walks"] = self._walks
        self._tell(self._fault, "every entry was looked at again", False)
        return self._rest()

    def _put_off(self, error: Exception) -> float:
        """Begin the walk again later: soon, and with a report, where a table waits for it."""
        pause_s = self._rest()
        if not self._hurried or self._stop.is_set():
            return pause_s
        _log.warning(
            "%s could not be looked at whole: %s. No device is spoken to until it has been; "
            "it is tried again in %.0f s. If that goes on, look at the disk ('dmesg')",
            self._place,
            error,
            RETRY_S,
        )
        return RETRY_S

    def _rest(self) -> float:
        if self._reader is not None:
            self._reader.close()
        self._reader = self._walk = None
        return PAUSE_S

    def stop(self) -> None:
        """Have the thread end; it may be in the middle of a step."""
        super().stop()
        if self._thread.is_alive() and (reader := self._reader) is not None:
            with contextlib.suppress(sqlite3.ProgrammingError):  # closed at this moment
                reader.connection.interrupt()  # SQLite's own check takes a second


COUNTERS_DIFFER, DIFFERS = "counters-differ", "journal-differs"
RECOUNT_S: Final = 600.0
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
        return RECOUNT_S


def _comparable(entry: Entry) -> CountedTable | None:
    form = entry.type, entry.body.get("format"), entry.body.get("engine")
    if form != (SNAPSHOT, FORMAT, ENGINE_VERSION):
        return None
    try:
        return CountedTable.load(entry.body)
    except BadSnapshot:
        return None
