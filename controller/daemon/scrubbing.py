"""Reading the whole journal again and again while the table plays, so that damage is found before
it is needed.

The rules:

- A thread of its own takes small steps and rests ``REST`` times as long after each; a walk is begun
  anew ``PAUSE_S`` after the last one. After the journal its second copy is walked over, if any.
- Damage of the journal is ``journal-damaged``, of the copy ``copy-damaged``; it is told once, and
  that place is left alone until the next start. A walk that finds nothing ends what stood from
  before: with ``journal-damaged`` standing the first walk takes no rests, since no device is spoken
  to until it is over.
- A disk that cannot be read at the moment is looked at again with the next walk.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from controller.journal.errors import DamagedJournal, JournalError
from controller.journal.model import Head
from controller.journal.reader import JournalReader
from controller.journal.scrub import Walk

REST: Final = 50
"""It takes a fiftieth of one processor: ten million entries in two hours."""

PAUSE_S: Final = 3600.0

DAMAGED, COPY_DAMAGED = "journal-damaged", "copy-damaged"

Tell = Callable[[str, str, bool], None]
"""Takes a fault's code, its particulars and whether it is there; called in the thread."""


class Scrubber:
    """Walks over the journal in ``directory``, whose last entry ``end`` says, and over its
    ``copy``. ``told`` is what the status shows; ``hurried``: the first walk takes no rests."""

    def __init__(
        self,
        directory: Path,
        copy: Path | None,
        end: Callable[[], Head],
        tell: Tell,
        *,
        hurried: bool = False,
    ) -> None:
        self._places = [(directory, DAMAGED)] + ([(copy, COPY_DAMAGED)] if copy else [])
        self._end = end
        self._tell = tell
        self._hurried = hurried
        self._at = 0
        self._reader: JournalReader | None = None
        self._walk: Walk | None = None
        self._left_alone: set[Path] = set()
        self.told: dict[str, Any] = {"walks": 0, "checked": 0, "fault": None}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="scrub", daemon=True)

    def step(self) -> float:
        """Do what is next; after how many seconds the following step is due."""
        begun = time.monotonic()
        place, fault = self._places[self._at]
        if place in self._left_alone:
            return self._next_place()
        try:
            walk = self._walk or self._begin(place)
            walk.step()
        except DamagedJournal as error:
            if self._reader is not None and self._reader.stale:
                return self._next_place()  # a copy at rest, to which the copier has come back
            self._left_alone.add(place)
            self.told["fault"] = f"{place}: {error.what}"
            self._tell(fault, error.what, True)
            return self._next_place()
        except (JournalError, sqlite3.Error, OSError):
            return self._next_place()
        if self._at == 0:
            self.told["checked"] = walk.seq
        if walk.done:
            return self._walked(fault)
        return 0.0 if self._hurried else REST * (time.monotonic() - begun)

    def _begin(self, place: Path) -> Walk:
        self._reader = JournalReader(place)
        self._walk = Walk(self._reader, self._end if self._at == 0 else None)
        return self._walk

    def _walked(self, fault: str) -> float:
        """A walk has come to its end and found nothing."""
        if fault == DAMAGED:
            self._hurried = False
            self.told["walks"] += 1
        self._tell(fault, "every entry was looked at again", False)
        return self._next_place()

    def _next_place(self) -> float:
        if self._reader is not None:
            self._reader.close()
        self._reader = self._walk = None
        self._at = (self._at + 1) % len(self._places)
        return PAUSE_S if self._at == 0 else 0.0

    # ---- the thread ---------------------------------------------------------------------------

    def start(self) -> None:
        """Start the thread; from now on it alone takes steps."""
        self._thread.start()

    def _run(self) -> None:
        while not self._stop.wait(self.step()):
            pass

    def close(self, within_s: float = 0.3) -> None:
        """End the thread; one that hangs in a dead disk is left to the end of the process."""
        self._stop.set()
        if self._thread.is_alive():
            if (reader := self._reader) is not None:
                with contextlib.suppress(sqlite3.ProgrammingError):  # closed at this moment
                    reader.connection.interrupt()  # SQLite's own check takes a second
            self._thread.join(within_s)
        if self._reader is not None and not self._thread.is_alive():
            self._reader.close()
            self._reader = self._walk = None
