"""Devices that come and go: counted, told as a condition, and kept from drowning the journal.

Every link that comes up is journaled, for what follows depends on it; how often that can be is
bounded below, where a flapping device is greeted once a second. Of one that is down and gives one
reason after the other, ``STORIES`` are journaled in a minute; all of them go to the log.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection
from typing import Final

from controller.daemon.health.selftests import Verdict
from drivers.vocabulary import PLAIN_KINDS

MANY: Final = 20
FEW: Final = 5
IN_S: Final = 60.0
STORIES: Final = 6

FLAPPING: Final = "link-flapping"


class Flaps:
    """Counts the links that came up; ``now`` is monotonic seconds. It is a
    :class:`~.health.watches.Watch`."""

    faults: Collection[str] = (FLAPPING,)

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._ups: dict[str, deque[float]] = {}
        self._downs: dict[str, deque[float]] = {}
        self._flapping: set[str] = set()

    def up(self, device: str) -> None:
        """Its link came up."""
        self._ups.setdefault(device, deque(maxlen=10 * MANY)).append(self._now())
        self._downs.pop(device, None)

    def is_news(self, device: str) -> bool:
        """Its link is down: whether the table is to hear of it."""
        told = self._downs.setdefault(device, deque())
        _forget(told, self._now())
        if len(told) >= STORIES:
            return False
        told.append(self._now())
        return True

    def look(self) -> list[Verdict]:
        """Who comes and goes."""
        told = []
        for device, ups in self._ups.items():
            _forget(ups, self._now())
            if len(ups) > MANY:
                self._flapping.add(device)
            elif len(ups) <= FEW:
                self._flapping.discard(device)
            if device in self._flapping:
                plain = PLAIN_KINDS.get(device, device)
                told.append(f"the {plain} came up {len(ups)} times within a minute")
        return [Verdict(FLAPPING, "; ".join(told), present=bool(told))]


def _forget(times: deque[float], now: float) -> None:
    """Drop what is longer ago than counts."""
    while times and times[0] <= now - IN_S:
        times.popleft()
