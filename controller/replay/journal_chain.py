"""The journals of a table as one, the one in force and closed ones that it goes on from, and the
clock on the wall: times of the journal as the clocks at the table show them.

The journal has UTC; local time is that of the machine on which the report is made, or of the zone
that is named.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, tzinfo
from itertools import chain

from controller.counters.belonging import Moment
from controller.journal.model import Entry
from controller.journal.reader import JournalReader
from controller.local_time import local_zone
from controller.not_done import NOT_PERMITTED, NotDone
from controller.replay.counted_table import CountedTable
from controller.replay.finding import SearchPace


class TakenAway(NotDone):
    """What is asked for is, or may be, in a closed journal that is not here; the message says
    which, and what to do."""


@dataclass(frozen=True, slots=True)
class JournalChain:
    """``journals``, the oldest first; ``broken`` says why those before them are missing, "" where
    the first one is the table's first."""

    journals: list[JournalReader]
    broken: str
    pace: SearchPace

    def taken_away(self, what: str) -> TakenAway:
        """The error that says so of what is asked for."""
        return TakenAway(
            NOT_PERMITTED,
            f"{what} is in a closed journal that was taken away: {self.broken}. Name the directory "
            "that has it with --archive DIR",
        )

    def begins_with(self, at: int) -> CountedTable:
        """The table and its counters before the first event of that journal. Raises BadSnapshot:
        this version does not read how an earlier one left them."""
        reader = self.journals[at]
        if reader.predecessor is None:
            return CountedTable()
        return CountedTable.load(self.first(at).body)

    def first(self, at: int) -> Entry:
        """The first entry of that journal."""
        begins = self.journals[at].begins
        return next(self.journals[at].iterate(begins, begins + 1))

    def entries(self, at: int, after: int, upto: int | None) -> Iterator[Entry]:
        """Entries of that journal, ``after`` < seq <= ``upto`` (None: to its end)."""
        return self.pace(self.journals[at].iterate(after, upto))

    def behind(self, at: int) -> Iterator[Entry]:
        """All entries of the journals that go on from that one."""
        rest = range(at + 1, len(self.journals))
        return chain.from_iterable(self.entries(each, 0, None) for each in rest)


class Clock:
    """``zone`` None: that of this machine."""

    def __init__(self, zone: tzinfo | None = None) -> None:
        self._zone = zone or local_zone().rules

    def moment(self, entry: Entry) -> Moment:
        """When the entry was made."""
        return Moment(
            entry.boot, entry.mono_ns, entry.wall, self.local(entry.wall), entry.type == "start"
        )

    def local(self, wall: str) -> datetime | None:
        """A time of the journal as local time; None for what is no time."""
        try:
            return datetime.fromisoformat(wall).astimezone(self._zone)
        except (ValueError, OverflowError, OSError):
            return None

    def utc(self, day: date, at: time = time()) -> str:
        """That time of that day as the journal writes it, to the second. Raises OverflowError,
        ValueError, OSError: the calendar does not go so far."""
        local = datetime.combine(day, at, self._zone)
        return local.astimezone(UTC).isoformat(timespec="seconds")
