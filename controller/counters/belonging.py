"""To which shift, or to which gaming day, an entry belongs.

The rules:

- Order is the order of the journal. A span ends where another begins, and no entry is in two.
- **A shift** begins with the entry behind a supervisor's ``shift``, which is the last one of the
  shift before. Shift 0 is what was before the first. A round is never in two shifts: ``shift`` is
  permitted between rounds only, and takes the way back into the round before it.
- **A gaming day** begins at the hour that the settings in force name (``table.day_begins``), local
  time. A round belongs to the day in which its bets were opened, with all that comes until it is
  cleared or the next one is opened, however late; so does a correction that brings a cleared round
  back. What comes between rounds belongs to the day in which it comes.
- An ``open`` that was taken back opens nothing: what was entered behind it stays where it was
  counted, and the round before it keeps its day.
- A restart or a power cut changes neither shift nor day of the round that it falls into.
- A clock that steps back over the beginning of a day, by less than a day, does not bring the day
  before back: what follows stays in the day that has begun. One that is wrong by a day or more is
  taken at its word, so a date that was never played may have an account of its own; nothing is lost
  and nothing counted twice.

Of time:

- Time that has passed is measured by the monotonic clock of one boot alone, while the controller
  runs. What lies between its last entry and its next start is not counted: no clock tells how long
  the table was off.
- The wall clock is a remark. It is shown, and it says which gaming day it is; nothing is measured
  by it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final

from controller.counters.counting import SHIFT
from controller.table.events.event import Event
from controller.table.events.of_people import SupervisorCommanded
from controller.table.sequence import BETTING, ENDED, PLAYING
from controller.table.state.table import Table

NS_A_SECOND = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Moment:
    """``boot`` and ``mono_ns`` of an entry; ``wall`` is the time of the wall clock as the journal
    has it (ISO 8601), ``local`` the same as the clocks at the table show it, None where the text is
    no time. ``starts``: the entry is a start of the controller."""

    boot: int
    mono_ns: int
    wall: str
    local: datetime | None
    starts: bool = False

    def since(self, before: Moment | None) -> int:
        """Nanoseconds for which the controller has run since that entry, the one before this."""
        if before is None or self.starts or before.boot != self.boot:
            return 0
        return max(0, self.mono_ns - before.mono_ns)


DayAndShift = tuple[date | None, int]
"""A part of a day that is in one shift."""

Span = int | date | DayAndShift | None
"""A shift's number, a day, or both; None for what came before the journal that was read."""

IN_ROUND: Final = (BETTING, PLAYING, ENDED)
_DAY: Final = timedelta(days=1)


class ByShift:
    """By the number of the shift. It is asked once for each entry, in their order; ``now`` is the
    span that the next one belongs to."""

    def __init__(self, now: int) -> None:
        self.now = now

    def span_of(self, event: Event, _: Moment, __: Table) -> int:
        """The span of the event that ``table`` has taken."""
        span = self.now
        if ends_shift(event):
            self.now += 1
        return span

    def of_round(self, _: int) -> int:
        """The span of the round of that number, the present one or the one before it: one that
        could still change belongs to the present shift."""
        return self.now

    def share_before(self, _: Moment | None, __: Moment, passed_ns: int) -> int:
        """Of the time between two entries, how much belongs to the span before the second one,
        which :meth:`span_of` has been asked about."""
        return passed_ns


class ByDay:
    """By the gaming day; ``begun`` tells when each has begun, by the clock on the wall. One that
    goes on is given the day that goes on, and those in which the last rounds were ``opened``."""

    def __init__(
        self, now: date | None = None, opened: Mapping[int, date | None] | None = None
    ) -> None:
        self.now = now
        self.begun: dict[date, datetime] = {}
        self._opened = dict(opened or {})

    @property
    def opened(self) -> Mapping[int, date | None]:
        """The days of the last rounds, by their numbers."""
        return self._opened

    def span_of(self, _: Event, moment: Moment, table: Table) -> date | None:
        """See :class:`ByShift`."""
        number = table.round_number
        if table.outcome.opened == number:
            self._opened = {
                old: day for old, day in self._opened.items() if number - 2 <= old < number
            }
            self._opened[number] = self._day_by_clock(moment, table)
        if table.phase in IN_ROUND:
            self.now = self._opened.get(number)
        else:
            self.now = self._day_by_clock(moment, table)
        return self.now

    def of_round(self, number: int) -> date | None:
        """See :class:`ByShift`."""
        return self._opened.get(number)

    def share_before(self, before: Moment | None, moment: Moment, passed_ns: int) -> int:
        """See :class:`ByShift`: as far as the day's beginning, where it came in between."""
        begins = self.begun.get(self.now) if self.now is not None else None
        if begins is None or before is None or before.local is None or moment.local is None:
            return passed_ns
        first, then = (one.local.replace(tzinfo=None) for one in (before, moment) if one.local)
        if not first < begins <= then:
            return passed_ns
        return min(passed_ns, int((begins - first).total_seconds() * NS_A_SECOND))

    def _day_by_clock(self, moment: Moment, table: Table) -> date | None:
        if moment.local is None or not table.started:
            return self.now
        begins = time.fromisoformat(table.settings.day_begins)
        local = moment.local.replace(tzinfo=None)
        day = local.date() if local.time() >= begins else local.date() - _DAY
        if self.now is not None and day == self.now - _DAY:
            return self.now
        self.begun.setdefault(day, datetime.combine(day, begins))
        return day


class ByDayAndShift:
    """By both: what belongs to a span belongs to its day and to its shift."""

    def __init__(self, days: ByDay, shift: int) -> None:
        self.days, self.shifts = days, ByShift(shift)

    @property
    def now(self) -> DayAndShift:
        """See :class:`ByShift`."""
        return self.days.now, self.shifts.now

    def span_of(self, event: Event, moment: Moment, table: Table) -> DayAndShift:
        """See :class:`ByShift`."""
        return self.days.span_of(event, moment, table), self.shifts.span_of(event, moment, table)

    def of_round(self, number: int) -> DayAndShift:
        """See :class:`ByShift`."""
        return self.days.of_round(number), self.shifts.of_round(number)

    def share_before(self, before: Moment | None, moment: Moment, passed_ns: int) -> int:
        """See :class:`ByShift`: by the day alone, for an entry that ends a shift is in it."""
        return self.days.share_before(before, moment, passed_ns)


Belonging = ByShift | ByDay | ByDayAndShift
"""To which spans entries belong."""


def ends_shift(event: Event) -> bool:
    """Whether the event, which the table has taken, ends the shift and begins another."""
    return isinstance(event, SupervisorCommanded) and event.said_command.verb == SHIFT
