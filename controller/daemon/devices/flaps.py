"""Devices that come and go: counted, told as a condition, and kept from drowning the journal.

Every link that comes up is journaled, for what follows depends on it; how often that can be is
bounded below, where a flapping device is greeted once a second. Of one that is down and gives one
reason after the other, ``STORIES`` are journaled in a minute; all of them go to the log.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Sequence
from typing import Final

from controller.daemon.health.selftests import Verdict

MANY: Final = 20
FEW: Final = 5
IN_S: Final = 60.0
STORIES: Final = 6

FLAPPING: Final = "link-flapping"


class Comings:
    """Counts how often one device's link came up; ``plain`` is the device in plain words, ``now``
    monotonic seconds."""

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
        """The link is down: whether the table is to hear of it."""
        _forget(self._downs, self._now())
        if len(self._downs) >= STORIES:
            return False
        self._downs.append(self._now())
        return True

    def flapping(self) -> str:
        """What is to be said of it; empty while it is quiet."""
        _forget(self._ups, self._now())
        count = len(self._ups)
        self._flapping = count > MANY or (self._flapping and count > FEW)
        return f"the {self._plain} came up {count} times within a minute" if self._flapping else ""


class Flaps:
    """Looks who comes and goes. A :class:`~controller.daemon.watches.Watch`."""

    faults: Collection[str] = (FLAPPING,)

    def __init__(self, devices: Sequence[Comings]) -> None:
        self._devices = devices

    def look(self) -> list[Verdict]:
        """Who comes and goes."""
        found = [words for device in self._devices if (words := device.flapping())]
        return [Verdict(FLAPPING, "; ".join(found), present=bool(found))]


def _forget(times: deque[float], now: float) -> None:
    """Drop what is longer ago than counts."""
    while times and times[0] <= now - IN_S:
        times.popleft()
