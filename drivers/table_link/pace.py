"""Two clocks of the controller's half: how often a device is greeted, and how long a gap may last.

- **A device that comes and goes** (a loose plug, a supply that fails) is greeted at once up to
  ``GREETINGS`` times in a row and then once a second. It sends no event before it is greeted, so
  nothing is lost, and a log of the links does not grow without limit.
- **A gap in its events** is closed within a fifth of a second by the device, which sends again what
  is not acknowledged. One that lasts means that it will not: another controller has acknowledged
  what is missing here. Then the device is greeted again to learn its numbers.
"""

from __future__ import annotations

from typing import Final

GREETINGS: Final = 30
GREETING_EVERY_S: Final = 1.0
GAP_AT_MOST_S: Final = 2.0

_SOON_S: Final = 0.001
"""Not worth waiting for."""


class Pace:
    """When the device may be greeted again; ``now`` is monotonic seconds."""

    __slots__ = ("_paid_until",)

    def __init__(self) -> None:
        self._paid_until = 0.0

    def greeted(self, now: float) -> None:
        """It answered HELLO."""
        self._paid_until = max(self._paid_until, now) + GREETING_EVERY_S

    def wait_s(self, now: float) -> float:
        """How long HELLO has to wait, in seconds."""
        wait = self._paid_until - now - GREETINGS * GREETING_EVERY_S
        return wait if wait > _SOON_S else 0.0


class Gap:
    """Whether an event is missing, and for how long."""

    __slots__ = ("_since",)

    def __init__(self) -> None:
        self._since: float | None = None

    def lasts_too_long(self, now: float) -> bool:
        """An event came and one before it is missing; whether that has lasted too long."""
        if self._since is None:
            self._since = now
        return now - self._since >= GAP_AT_MOST_S

    def closed(self) -> None:
        """Nothing is missing."""
        self._since = None
