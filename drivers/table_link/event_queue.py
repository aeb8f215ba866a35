"""A device's events that are not yet acknowledged (section 4, the device's side).

Events are sent in order, at most eight in flight, each once; those in flight are sent again when
200 ms pass without progress. Progress is an acknowledgement that covers something new; the 200 ms
run from the later of that, the first transmission of the oldest in flight, and the last resend.

An acknowledgement beyond the last event is of numbers that this device never gave out: it
covers nothing, in EVENT_ACK and in HELLO alike.
"""

from __future__ import annotations

from collections import deque

from drivers.table_link import timing


class EventQueue:
    """Payloads of the unacknowledged events; the oldest has number ``oldest``."""

    __slots__ = ("_in_flight", "_payloads", "last", "resend_at")

    def __init__(self, last: int = 0, payloads: tuple[bytes, ...] = ()) -> None:
        self.last = last
        self._payloads = deque(payloads)
        self._in_flight = 0
        self.resend_at: float | None = None

    def __len__(self) -> int:
        return len(self._payloads)

    @property
    def oldest(self) -> int:
        """The oldest unacknowledged event's number, 0 when there is none."""
        return self.last - len(self._payloads) + 1 if self._payloads else 0

    def payloads(self) -> tuple[bytes, ...]:
        """All unacknowledged, oldest first."""
        return tuple(self._payloads)

    def add(self, payload: bytes) -> None:
        """The event numbered ``last`` + 1 was made."""
        self.last += 1
        self._payloads.append(payload)

    def drop_through(self, event_no: int) -> int:
        """Forget what is stored elsewhere; returns how many events that covered."""
        if not self._payloads or not self.oldest <= event_no <= self.last:
            return 0
        covered = event_no - self.oldest + 1
        for _ in range(covered):
            self._payloads.popleft()
        self._in_flight = max(0, self._in_flight - covered)
        return covered

    def acknowledge(self, event_no: int, now: float) -> None:
        """EVENT_ACK: restarts the 200 ms if it covers something new."""
        if self.drop_through(event_no):
            self.resend_at = now + timing.RESEND_AFTER_S if self._in_flight else None

    def rewind(self) -> None:
        """Nothing is in flight any more: the line or the controller began anew."""
        self._in_flight = 0
        self.resend_at = None

    def to_send(self, now: float) -> list[bytes]:
        """What is due: all in flight when 200 ms have passed, then new ones up to eight."""
        due: list[bytes] = []
        if self.resend_at is not None and now >= self.resend_at:
            due = [self._payloads[index] for index in range(self._in_flight)]
            self.resend_at = now + timing.RESEND_AFTER_S
        upto = min(len(self._payloads), timing.EVENT_WINDOW)
        if self._in_flight < upto:
            if self._in_flight == 0:
                self.resend_at = now + timing.RESEND_AFTER_S
            due += [self._payloads[index] for index in range(self._in_flight, upto)]
            self._in_flight = upto
        return due
