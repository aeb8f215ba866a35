"""The wall clock against the monotonic one, the journal and the network.

The rules:

- **The clock causes only remarks and notices.** Entries are ordered by number, boot and monotonic
  time, so play continues whatever it shows.
- A jump is a remark. One far ahead, at a start or while the table runs, is a notice where the
  network does not keep the clock right: entries are given that time, and when the clock is put
  right every later one is behind them.
- A time that has passed already is a notice, until it has come again.
- Both notices end when a supervisor accepts the time that the clock shows (``resume``, by name and
  reason). What was written before counts no more from then on, at later starts either. A time
  before this program was made cannot be accepted.
- The newest time that a journal knows is not that of its last entry alone: once a clock was wrong,
  what was written by it is last, and the second start would find nothing amiss. So looked at are
  the last entry, how the last ``BOOTS`` boots and the last ``STARTS`` runs began and ended, and the
  last ``SNAPSHOTS`` snapshots. That is some eighty rows, whatever the journal's size, and reaches
  back over as many power cuts and tens of thousands of entries. A clock that was ahead once is told
  of until as much has been written since, or until the time is accepted.
- Whether the network keeps the clock right the kernel knows (``adjtimex``, whatever program does
  it). Reading needs no right, but the unit forbids the call with those that set a clock
  (``ProtectClock=``). Then systemd-timesyncd says it: it touches a file each time that it has heard
  a server, at most 34 minutes apart (systemd-timesyncd.service(8)). Else nobody says it.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Final

from controller.daemon.health.findings import FaultFinding
from controller.journal.errors import JournalError
from controller.journal.model import read_written
from controller.journal.store import Journal
from controller.table.holds import NEVER_RIGHT

STAMP: Final = Path("/run/systemd/timesync/synchronized")
STALE_S: Final = 2 * 2048 + 104.0
"""Two of its longest intervals: a server that was missed once is none that is gone."""

_UNSYNCHRONISED: Final = 5  # TIME_ERROR, adjtimex(2)
_TIMEX_BYTES: Final = 512
"""More than ``struct timex`` has anywhere; its first field, ``modes``, 0: nothing is set."""


def synchronised(stamp: Path = STAMP) -> bool | None:
    """Whether it is; None where nobody says so."""
    state = _kernel()
    if state >= 0:
        return state != _UNSYNCHRONISED
    try:
        age_s = time.time() - stamp.stat().st_mtime
    except OSError:
        return False if stamp.parent.is_dir() else None
    return -1.0 <= age_s <= STALE_S


def in_words(*, known: bool | None) -> str:
    """What :func:`synchronised` says, for a person."""
    if known is None:
        return "whether the network keeps it right is not known"
    return f"{'the network' if known else 'nothing'} keeps it right"


def _kernel() -> int:
    """The clock's state; below 0 where the kernel may not be asked."""
    try:
        return int(ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(_TIMEX_BYTES)))
    except (AttributeError, OSError):
        return -1


BOOTS: Final = 16
STARTS: Final = 16
SNAPSHOTS: Final = 32

STEP_S: Final = 2.0
"""A difference between wall clock and monotonic clock above which the former has jumped. What keeps
a clock right turns it by less than a millisecond between two looks."""

AHEAD_S: Final = 300.0
"""A jump forward that is told where nothing keeps the clock right."""

LONG_AHEAD: Final = timedelta(days=7)
"""The same at a start, since the last entry; a table rests for a few days. While it runs, where it
is not known whether the network keeps the clock right: one without a clock chip is set after each
start."""

EARLIEST: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""This program was not there before: a clock that shows less has not been set."""


class ClockWatch:
    """Compares the ``wall`` clock with the monotonic one, and with the ``newest`` time that was in
    the journal at the start. ``synchronised`` says whether the network keeps it right; ``ahead`` is
    what the table was told of a jump ahead before this start."""

    faults: Collection[str] = ("clock-unset", "clock-ahead", "clock-stepped")

    def __init__(
        self,
        wall: Callable[[], datetime],
        mono_ns: Callable[[], int],
        newest: datetime | None,
        synchronised: Callable[[], bool | None],
        ahead: str = "",
    ) -> None:
        self._wall = wall
        self._mono_ns = mono_ns
        self._newest = newest
        self._synchronised = synchronised
        self._seen = wall(), mono_ns()
        self._ahead = ahead.partition(";")[0]
        if not ahead and newest is not None and self._seen[0] - newest > LONG_AHEAD:
            days = (self._seen[0] - newest).days
            self._ahead = f"{_clock_text(self._seen[0])} (UTC), {days} days after the last entry"

    def findings(self) -> list[FaultFinding]:
        """Whether the clock shows a time that has passed, or one far ahead, and its last jump."""
        wall, mono_ns = self._wall(), self._mono_ns()
        before, before_ns = self._seen
        self._seen = wall, mono_ns
        step = (wall - before).total_seconds() - (mono_ns - before_ns) / 1e9
        found = [self._unset(wall), self._is_ahead(wall, before, step)]
        if abs(step) > STEP_S:
            detail = f"{_jumped(step)}, to {_clock_text(wall)} (UTC)"
            found.append(FaultFinding("clock-stepped", detail, present=True))
        return found

    def accept(self) -> bool:
        """Take the time that the clock shows for right from here on; whether that can be."""
        if self._wall() < EARLIEST:
            return False
        self._newest, self._ahead = None, ""
        return True

    def _unset(self, wall: datetime) -> FaultFinding:
        shows = f"it shows {_clock_text(wall)} (UTC)"
        if wall < EARLIEST:
            return FaultFinding("clock-unset", f"{shows}, {NEVER_RIGHT}", present=True)
        if self._newest is not None and wall < self._newest - timedelta(seconds=STEP_S):
            kept = in_words(known=self._synchronised())
            detail = f"{shows}, {kept}; the journal has an entry of {_clock_text(self._newest)}"
            return FaultFinding("clock-unset", detail, present=True)
        return FaultFinding("clock-unset", shows, present=False)

    def _is_ahead(self, wall: datetime, before: datetime, step: float) -> FaultFinding:
        kept = self._synchronised()
        most_s = LONG_AHEAD.total_seconds() if kept is None else AHEAD_S
        # One that showed a time that had passed is set by a jump: from there on it is ahead.
        right = max(before, self._newest or EARLIEST)
        if kept or step < -STEP_S:
            self._ahead = ""
        elif step > most_s and (wall - right).total_seconds() > most_s and before >= EARLIEST:
            self._ahead = f"{_jumped(step)}, to {_clock_text(wall)} (UTC)"
        detail = f"{self._ahead or _clock_text(wall) + ' (UTC)'}; {in_words(known=kept)}"
        return FaultFinding("clock-ahead", detail, present=bool(self._ahead))


def newest_written(journal: Journal, since: int = 0) -> datetime | None:
    """That time, of what was written behind the entry ``since``; None where there is none."""
    return max(_times(journal, since), default=None)


def _times(journal: Journal, since: int) -> Iterator[datetime]:
    """An entry that cannot be read tells no time: damage is the scrubber's to find."""
    boots = [boot for boot in journal.boots[-BOOTS:] if boot.after_seq >= since]
    numbers = {journal.head.seq, *(boot.after_seq for boot in boots)}
    with suppress(JournalError):
        starts = [entry.seq for entry in islice(journal.starts(), STARTS)]
        numbers |= {*starts, *(number - 1 for number in starts)}
        numbers |= set(islice(journal.snapshots(), SNAPSHOTS))
    told = [boot.wall for boot in boots]
    for number in sorted(numbers):
        if number > max(journal.begins, since):
            with suppress(JournalError):
                told += [entry.wall for entry in journal.iterate(number - 1, number)]
    yield from (written for wall in told if (written := read_written(wall)) is not None)


def _jumped(step_s: float) -> str:
    return f"{'forward' if step_s > 0 else 'back'} by {_seconds(abs(step_s))}"


def _seconds(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds < 120 else str(timedelta(seconds=round(seconds)))


def _clock_text(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%d %H:%M:%S")
