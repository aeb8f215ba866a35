"""What is watched of every device's line: floods of events, links that flap, and its counters.

**Floods.** Every event is journaled (law 1), so a device that keeps to the protocol and reports
without end would fill the disk. What slows it is the acknowledgement: a device has eight events in
flight at most (protocol section 4), and keeps the rest until these are acknowledged. So:

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

A shoe of eight decks, two card sets, has 832 cards, and after an outage or a shuffle a device may
report as many in one go; the burst is several times of that. The fastest that people do is ten keys
a second. Who is slowed is nobody that a table has.

**Flaps.** Every link that comes up is journaled, for what follows depends on it; how often that can
be is bounded below, where a flapping device is greeted once a second. Of a device that is down and
reports one reason after the other, ``STORIES`` are journaled in a minute; all of them go to the
log.

**Counters.** One since the start says little about a line that has begun to fail. So the
differences are kept, of ten seconds for a minute and of a minute for an hour, those that are not 0:
some dozen kilobytes at most, whatever happens. They are added up once for all who ask until the
next look: whoever may look at the table may ask.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable, Collection, Mapping
from typing import Final

from controller.daemon.health.findings import FaultFinding
from controller.daemon.health.watches import EVERY_S
from controller.forms.json_values import JsonObject
from controller.rate import Rate
from drivers.api import DeviceEvent

Counts = Mapping[str, Mapping[str, int]]
"""Counters by device and name."""

MINUTE: Final = round(60 / EVERY_S)
"""Differences that make up a minute."""
HOUR: Final = 60
"""Minutes."""


class Lately:
    """Looks at ``counts`` as often as every other watch; ``now`` is monotonic seconds."""

    faults: Collection[str] = ()

    def __init__(self, counts: Callable[[], Counts], now: Callable[[], float]) -> None:
        self._counts = counts
        self._now = now
        self._last = {name: Counter(counted) for name, counted in counts().items()}
        self._last_at = now()
        self._looks = 0
        self._short: deque[tuple[float, dict[str, Counter[str]]]] = deque(maxlen=MINUTE)
        self._long: deque[tuple[float, dict[str, Counter[str]]]] = deque(maxlen=HOUR)
        self._sums: dict[str, tuple[float, dict[str, Counter[str]]]] = {}

    def findings(self) -> list[FaultFinding]:
        """Keep what was counted since the last look; it finds nothing by itself."""
        present = {name: Counter(counted) for name, counted in self._counts().items()}
        seconds, since = self._since(present)
        self._last, self._last_at = present, self._last_at + seconds
        self._short.append((seconds, since))
        self._sums = {}
        self._looks += 1
        if self._looks % MINUTE == 0:
            self._long.append(_summed(self._short))
        return []

    def recent_counts(self) -> JsonObject:
        """``minute`` and ``hour``: ``seconds`` of each, and ``links``, counters that are not 0."""
        if not self._sums:
            begun = list(self._short)[len(self._short) - self._looks % MINUTE :]
            hour = [*self._long, *begun]
            self._sums = {"minute": _summed(self._short), "hour": _summed(hour)}
        rest = self._rest()
        return {name: _as_told([past, rest]) for name, past in self._sums.items()}

    def minute(self) -> Mapping[str, Mapping[str, int]]:
        """What each link has counted within the last minute, as :meth:`recent_counts` has it."""
        return _summed([*self._short, self._rest()])[1]

    def _rest(self) -> tuple[float, dict[str, Counter[str]]]:
        return self._since({name: Counter(counted) for name, counted in self._counts().items()})

    def _since(self, present: Mapping[str, Counter[str]]) -> tuple[float, dict[str, Counter[str]]]:
        since = {name: counted - self._last[name] for name, counted in present.items()}
        return self._now() - self._last_at, since


def _summed(
    parts: Collection[tuple[float, Mapping[str, Counter[str]]]],
) -> tuple[float, dict[str, Counter[str]]]:
    links: dict[str, Counter[str]] = {}
    for _, part in parts:
        for name, counted in part.items():
            links.setdefault(name, Counter()).update(counted)
    return sum(seconds for seconds, _ in parts), links


def _as_told(parts: Collection[tuple[float, Mapping[str, Counter[str]]]]) -> JsonObject:
    seconds, links = _summed(parts)
    return {
        "seconds": round(seconds),
        "links": {name: dict(counted) for name, counted in links.items()},
    }


MANY: Final = 20
FEW: Final = 5
IN_S: Final = 60.0
STORIES: Final = 6

FLAPPING: Final = "link-flapping"


class Comings:
    """Counts how often one device's link came up; ``plain`` is its name for people."""

    def __init__(self, plain: str, now: Callable[[], float]) -> None:
        self._plain = plain
        self._now = now
        self._ups: deque[float] = deque(maxlen=10 * MANY)
        self._downs: deque[float] = deque()
        self._flapping = False

    def up(self) -> None:
        """The link came up."""
        self._ups.append(self._now())
        self._downs.clear()

    def is_news(self) -> bool:
        """After the link went down: whether that is to be reported to the table."""
        _forget(self._downs, self._now())
        if len(self._downs) >= STORIES:
            return False
        self._downs.append(self._now())
        return True

    def flapping(self) -> str:
        """The report about a flapping link; empty while it is stable."""
        _forget(self._ups, self._now())
        count = len(self._ups)
        self._flapping = count > MANY or (self._flapping and count > FEW)
        return f"the {self._plain} came up {count} times within a minute" if self._flapping else ""


def _forget(times: deque[float], now: float) -> None:
    while times and times[0] <= now - IN_S:
        times.popleft()


BURST: Final = 4096
PER_S: Final = 20.0
QUIET_S: Final = 60.0
"""So long nothing of it may have waited before it counts as quiet."""
SAMPLE: Final = 64
"""Events over which it is measured how fast they came."""

FLOODS: Final = "device-floods"


class Inflow:
    """Stored events of one device: ``acknowledge`` has each, or a later one, in its turn."""

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
        """A new event is stored; ``more``: a later one may be, too, and :meth:`flush` follows."""
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
