"""Devices whose links go up and down repeatedly: counted, reported as a condition, and limited in
the journal.

Every link that comes up is journaled, for what follows depends on it; how often that can be is
bounded below, where a flapping device is greeted once a second. Of a device that is down and
reports one reason after the other, ``STORIES`` are journaled in a minute; all of them go to the
log.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final

MANY: Final = 20
FEW: Final = 5
IN_S: Final = 60.0
STORIES: Final = 6

FLAPPING: Final = "link-flapping"


class Comings:
    """Counts how often one device's link came up; ``plain`` is the device's name for people,
    ``now`` gives monotonic seconds."""

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
    """Drop the times that are too old to count."""
    while times and times[0] <= now - IN_S:
        times.popleft()
