"""Devices that report more than any device of a table does: slowed, and reported as a condition.

Every event is journaled (law 1), so a device that keeps to the protocol and reports without end
would fill the disk. What slows it is the acknowledgement: a device has eight events in flight at
most (protocol section 4), and keeps the rest until these are acknowledged. So:

- ``BURST`` events are acknowledged as soon as they are stored, and from then on ``PER_S`` each
  second; the others are acknowledged when it is their turn. An acknowledgement that comes late is
  not a lost one: the device sends again what is in flight, and that is ignored.
- The next is acknowledged within ``1 / PER_S``, less than the 200 ms after which a device sends
  again, so it does not even do that.
- What became durable together is acknowledged once: an acknowledgement covers all before it
  (protocol section 4), and eight of them cost as much as the events. It covers none of another
  numbering of the same session: what is renumbered is not listened to before all that was being
  stored is acknowledged (:mod:`drivers.table_link.event_stream`).
- Nothing else waits: not the table, not the device's commands and ``PING``, not another device.
- The turns of a device go on when its link breaks; one that comes and goes gains nothing.

The numbers: a shoe of eight decks, two card sets, has 832 cards, and after an outage or a shuffle
a device may report as many in one go; the burst is several times of that. The fastest that people
do is ten keys a second. Who is slowed is nobody that a table has.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Final

from controller.rate import Rate
from drivers.api import DeviceEvent

BURST: Final = 4096
PER_S: Final = 20.0
QUIET_S: Final = 60.0
"""So long nothing of it may have waited before it counts as quiet."""
SAMPLE: Final = 64
"""Events over which it is measured how fast they came."""

FLOODS: Final = "device-floods"


class Inflow:
    """The events of one device that are stored: ``acknowledge`` is called for each when it is its
    turn, or for a later one. ``plain`` is the device's name for people."""

    def __init__(
        self,
        plain: str,
        loop: asyncio.AbstractEventLoop,
        acknowledge: Callable[[DeviceEvent], None],
    ) -> None:
        self._plain = plain
        self._loop = loop
        self._acknowledge = acknowledge
        self._rate = Rate(BURST, PER_S)
        self._came: deque[float] = deque(maxlen=SAMPLE)
        self._waiting: deque[tuple[float, DeviceEvent]] = deque()
        self._covered: DeviceEvent | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._slowed_at: float | None = None
        self._per_s = 0.0

    def stored(self, event: DeviceEvent, *, more: bool = False) -> None:
        """A new event is on stable storage; ``more``: a later one of its session may be, too, and
        :meth:`flush` is called when nothing more is at once."""
        now = self._loop.time()
        self._came.append(now)
        if self._covered is not None and self._covered.session != event.session:
            self.flush()
        wait_s = self._rate.count_one(now)
        if not wait_s and not self._waiting:
            if more:
                self._covered = event
            else:
                self._covered = None
                self._acknowledge(event)
            return
        if not self.floods():
            self._per_s = (len(self._came) - 1) / max(now - self._came[0], 1e-3)
        self._slowed_at = now
        self._waiting.append((now + wait_s, event))
        if self._timer is None:
            self._timer = self._loop.call_at(now + wait_s, self._due)

    def flush(self) -> None:
        """Acknowledge what was stored and waited for more."""
        if self._covered is not None:
            event, self._covered = self._covered, None
            self._acknowledge(event)

    def floods(self) -> str:
        """The report about a device that floods; empty while it does not."""
        if self._slowed_at is None or self._loop.time() >= self._slowed_at + QUIET_S:
            return ""
        return f"the {self._plain} reported {self._per_s:.0f} events a second, {PER_S:g} are taken"

    def close(self) -> None:
        """Nothing is acknowledged any more."""
        if self._timer is not None:
            self._timer.cancel()

    def _due(self) -> None:
        """Acknowledge all whose turn it is: the last of them stands for those before it."""
        now, last = self._loop.time(), None
        while self._waiting and self._waiting[0][0] <= now:
            _, event = self._waiting.popleft()
            if last is not None and last.session != event.session:
                self._acknowledge(last)
            last = event
        self._timer = None
        if self._waiting:
            self._timer = self._loop.call_at(self._waiting[0][0], self._due)
        if last is not None:
            self._acknowledge(last)
