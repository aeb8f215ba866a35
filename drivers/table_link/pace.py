"""Clocks of the controller's half: how often a device is greeted, how long its events may lack.

- **A device that comes and goes** (a loose plug, a supply that fails) is greeted at once up to
  ``GREETINGS`` times in a row and then once a second. It sends no event before it is greeted, so
  nothing is lost, and a log of the links does not grow without limit.
- **A gap in its events** is closed within a fifth of a second by the device, which sends again what
  is not acknowledged. One that lasts means that it will not: another controller has acknowledged
  what is missing here. Then the device is greeted again to learn its numbers.
- **An event that a device has named** as its last one (GATE, DISARM and HELLO do) comes at once:
  what waits for the gate waits for every card that was drawn before. One that does not come within
  ``NAMED_AT_MOST_S`` has the device greeted again; one that then does not come either makes it a
  device that is not used, until one comes.
"""

from __future__ import annotations

from typing import Final

GREETINGS: Final = 30
GREETING_EVERY_S: Final = 1.0
GAP_AT_MOST_S: Final = 2.0
NAMED_AT_MOST_S: Final = 3.0
"""In that time it is sent fifteen times; less than a dealer takes for a defect."""

NAMED_IN_VAIN: Final = 2
"""Times after which a device is not used."""

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


class Named:
    """The last event that a device has named, and for how long it has not come; ``in_vain``: how
    often in a row it did not."""

    __slots__ = ("_last", "_since", "in_vain")

    def __init__(self) -> None:
        self._last = 0
        self._since: float | None = None
        self.in_vain = 0

    def is_named(self, last: int, received: int, now: float) -> None:
        """It has named that one; those up to ``received`` have come."""
        self._last = max(self._last, last)
        if self._since is None and received < self._last:
            self._since = now

    def has_come(self, received: int, now: float) -> None:
        """One more has come."""
        self.in_vain = 0
        self._since = now if received < self._last else None

    def waits(self, now: float) -> None:
        """What lacks cannot be sent at the moment: the time begins again."""
        self._since = now

    def did_not_come(self) -> None:
        """The time is over."""
        self.in_vain += 1
        self.forget()

    def forget(self) -> None:
        """The link is down; what is to come is named again."""
        self._last, self._since = 0, None

    @property
    def due(self) -> float | None:
        """When the time is over; None while nothing lacks."""
        return None if self._since is None else self._since + NAMED_AT_MOST_S
