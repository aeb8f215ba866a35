"""The clock on the wall: times of the journal as the clocks at the table show them.

The journal has UTC; local time is that of the machine on which the report is made, or of the zone
that is named.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, tzinfo

from controller.counters.spans.belonging import Moment
from controller.journal.model import Entry
from controller.local_time import local_zone


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
        """That time of that day as the journal writes it, to the second.

        Raises:
            OverflowError, ValueError, OSError: the calendar does not go so far.
        """
        local = datetime.combine(day, at, self._zone)
        return local.astimezone(UTC).isoformat(timespec="seconds")
