"""Keeps the second copy level with the journal, in a separate thread that nothing waits for.
The rules:

- The thread looks every ``POLL_S`` whether the journal has grown and copies what is new, a slice at
  a time. It has a connection of its own to the journal: no acknowledgement waits for it, and a
  slow or dead medium costs play nothing.
- A failure is reported once as ``copy-failing``, and copying is tried again from the beginning,
  opening included, every ``RETRY_S``: by then the medium may have been put back. A medium that does
  not answer is ``copy-failing`` too; the thread waits for it, and nobody else does.
- The thread begins with the comparison that is required before play, and copies nothing before it
  is started.
- Conditions from before the start, or since, end when the copy is level again. Damage that the
  scrubber found in it ends too if the copy was begun again; else the scrubber decides.
- A copy on the journal's own disk is reported: a medium that is not mounted leaves its directory
  behind, and two copies on one disk are lost together.
- A copy that goes further than the journal, or differs, ends the copying until the next start:
  ``journal-behind-copy``, ``copy-differs``. An entry of the journal that does not follow from the
  copy's last is ``journal-damaged``.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Final

from controller.files.media import MediumSilent
from controller.journal.errors import DamagedJournal, JournalError
from controller.journal.reader import JournalReader
from controller.threads import start
from controller.upkeep.scrubber import COPY_DAMAGED, DAMAGED, Tell
from controller.upkeep.second_copy import SLICE, JournalCopy, Relation

_log = logging.getLogger(__name__)
POLL_S: Final = 0.2  # how far, in time, the copy may be behind while its medium is quick enough
RETRY_S: Final = 60.0
COMPARED_S: Final = 2.0
"""How long a start waits at most for the comparison with the copy, in seconds. A medium that is
well needs a hundredth of it."""

HANGS_S: Final = 10.0
"""From then on a step is said to hang. A card that tidies up may hold one write for seconds."""

FAILING, BEHIND, DIFFERS = "copy-failing", "journal-behind-copy", "copy-differs"
OF_THE_COPY: Final = (FAILING, COPY_DAMAGED, BEHIND, DIFFERS)
"""The faults that are over when there is no second copy any more."""


class _JournalDamaged(Exception):
    """It is the journal that is damaged, and not its copy."""


class Copier:
    """Copies the journal in ``directory`` to ``place``. ``last`` says the number of the journal's
    last durable entry; ``facts`` are the part of the status."""

    def __init__(self, directory: Path, place: Path, last: Callable[[], int], tell: Tell) -> None:
        self._directory = directory
        self._place = place
        self._last = last
        self._tell = tell
        self._reader: JournalReader | None = None
        self._copy: JournalCopy | None = None
        self._stands: set[str] = set()
        self._anew = False
        self._over = False
        self.facts: dict[str, object] = {
            "directory": str(place),
            "same_disk": None,
            "last": None,
            "fault": None,
        }
        self._since: float | None = None
        self._hung = False
        self._lost: str | None = None
        self._compared = threading.Event()
        self._go = threading.Event()
        self._until = 0.0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run_thread, name="copy", daemon=True)

    def behind(self) -> str | None:
        """Before play: that the journal ends before its copy does, in plain words; None if it does
        not. Other faults are reported later, by the steps."""
        try:
            standing = self._open().standing()
        except (JournalError, sqlite3.Error, OSError):
            self._give_up()
            return None
        if standing.relation is not Relation.BEHIND:
            self._give_up()
        return standing.what if standing.relation is Relation.AHEAD else None

    def step(self) -> float:
        """Do what is next; after how many seconds the following step is due."""
        self._since = time.monotonic()
        try:
            return self._step()
        finally:
            self._since = None

    def _step(self) -> float:
        if self._over:
            return RETRY_S
        try:
            copied = self._advance()
        except _JournalDamaged as error:
            self._end_copying(DAMAGED, str(error))
        except (JournalError, sqlite3.Error, OSError) as error:
            self._give_up()
            self._stands.add(FAILING)
            what = f"it is damaged: {error.what}" if isinstance(error, DamagedJournal) else error
            self._report(FAILING, str(what))
        else:
            if self._hung:
                self._hung = False
                self._stands.add(FAILING)
            if copied == SLICE:
                return 0.0
            if self._copy is not None and self._stands:
                self._is_level()
            return RETRY_S if self._over else POLL_S
        return RETRY_S

    def _is_level(self) -> None:
        """What stood is over; damage of a copy that was not begun again is the scrubber's to
        end."""
        over = self._stands if self._anew else self._stands - {COPY_DAMAGED}
        self._stands = self._stands - over
        for fault in sorted(over):
            self.facts["fault"] = None
            self._tell(fault, "the copy is level again", False)

    def _advance(self) -> int:
        copy = self._copy
        if copy is None:
            copy = self._open()
            standing = copy.standing()
            if standing.relation is not Relation.BEHIND:
                ahead = standing.relation is Relation.AHEAD
                self._end_copying(BEHIND if ahead else DIFFERS, standing.what)
                return 0
        if self._last() <= copy.last:
            return 0
        try:
            copied = copy.copy_next()
        except DamagedJournal as error:
            raise _JournalDamaged(error.what) from error
        self.facts["last"] = copy.last
        if copied < SLICE:
            copy.tidy()
        return copied

    def _open(self) -> JournalCopy:
        if self._copy is None:
            self._reader = self._reader or JournalReader(self._directory)
            self._copy = JournalCopy(self._place, self._reader)
            self._anew = self._copy.last == 0
            self.facts["last"] = self._copy.last
            same = self._place.stat().st_dev == self._directory.stat().st_dev
            if same and not self.facts["same_disk"]:
                _log.warning(
                    "the second copy in %s is on the same disk as the journal: is its medium "
                    "mounted?",
                    self._place,
                )
            self.facts["same_disk"] = same
        return self._copy

    def _end_copying(self, fault: str, what: str) -> None:
        self._over = True
        self._give_up()
        self._report(fault, what)

    def _give_up(self) -> None:
        """Close both; what is opened next time is checked again."""
        with contextlib.suppress(sqlite3.Error, OSError):
            if self._copy is not None:
                self._copy.close(failed=True)
        if self._reader is not None:
            self._reader.close()
        self._copy = self._reader = None

    def _report(self, fault: str, what: str) -> None:
        said = f"{fault}: {what}"
        if self.facts["fault"] != said:
            self.facts["fault"] = said
            self._tell(fault, what, True)

    # ---- the thread ---------------------------------------------------------------------------

    def stood(self, faults: Collection[str]) -> None:
        """Before the thread starts: the table has ``faults`` from before."""
        self._stands |= set(OF_THE_COPY) & set(faults)

    def compare(self, within_s: float) -> str | None:
        """Start the thread, which looks before play what :meth:`behind` says; that. Raises
        MediumSilent: it is not known within that time, in seconds. NoThread: none is to be had."""
        self._since = time.monotonic()
        start(self._thread)
        if not self._compared.wait(within_s):
            raise MediumSilent(errno.ETIMEDOUT, "the medium of the second copy does not answer")
        return self._lost

    def start(self) -> None:
        """Have the thread copy; from now on it alone takes steps."""
        self._go.set()
        if self._thread.ident is None:
            start(self._thread)

    def report_if_hung(self, after_s: float = HANGS_S) -> None:
        """Report a step that has hung for ``after_s`` seconds; called in the loop. The next step
        that succeeds ends it."""
        since = self._since
        if since is not None and not self._hung and time.monotonic() - since >= after_s:
            self._hung = True
            self._report(FAILING, "its medium does not answer")

    def _run_thread(self) -> None:
        self._lost = self.behind()
        self._since = None
        self._compared.set()
        self._go.wait()
        rest = 0.0
        while not self._stop.wait(rest):
            rest = self.step()
        while self._copy is not None and time.monotonic() < self._until and self.step() == 0.0:
            pass

    def stop(self, until: float) -> None:
        """Have the thread end, which copies what it can until then, in seconds of the monotonic
        clock; what it cannot is copied after the next start."""
        self._until = until
        self._stop.set()
        self._go.set()

    def join(self, until: float) -> None:
        """Wait until then for what :meth:`stop` began. A thread that hangs in a dead medium is left
        to the end of the process."""
        if self._thread.ident is not None:
            self._thread.join(max(0.0, until - time.monotonic()))
            if self._thread.is_alive():
                return
        if self._copy is not None:
            with contextlib.suppress(sqlite3.Error):
                self._copy.close()
        if self._reader is not None:
            self._reader.close()
        self._copy = self._reader = None
