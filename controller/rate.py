"""How often something may happen: a burst at once, and from then on a number each second.

The generic cell rate algorithm. It remembers one time: the one at which all that was taken so far
would have been earned, had nothing been there at the beginning.
"""

from __future__ import annotations

from typing import Final

_SOON_S: Final = 1e-6
"""Not worth waiting for: less than the sums of floating point lose."""


class Rate:
    """``burst`` at once, then ``per_s`` each second; ``now`` is monotonic seconds everywhere."""

    __slots__ = ("_burst_s", "_each_s", "_earned_at")

    def __init__(self, burst: int, per_s: float) -> None:
        self._each_s = 1 / per_s
        self._burst_s = burst * self._each_s
        self._earned_at = float("-inf")

    def count_one(self, now: float) -> float:
        """Count one more; the seconds after ``now`` at which it is within the rate, or 0."""
        self._earned_at = max(self._earned_at, now) + self._each_s
        return self._beyond(self._earned_at - now)

    def wait_s(self, now: float) -> float:
        """The number of seconds that one more would have to wait; nothing is counted."""
        return self._beyond(max(self._earned_at - now, 0.0) + self._each_s)

    def is_whole(self, now: float) -> bool:
        """Whether the whole burst may be taken again: nothing of before matters."""
        return self._earned_at <= now

    def _beyond(self, owed_s: float) -> float:
        beyond = owed_s - self._burst_s
        return beyond if beyond > _SOON_S else 0.0
