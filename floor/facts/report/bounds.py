"""How often something comes by chance: exact bounds of a binomial count.

A count of ``n`` independent draws, each with chance ``p``. What is summed are the chances of every
count that matters, relative to the most likely one: nothing is taken for normal.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import Final

BAND: Final = 0.95
_NOTHING: Final = 1e-18
"""Relative to the most likely count: what is less likely changes no sum."""


@dataclass(frozen=True, slots=True)
class ChanceBand:
    """By chance a count is below ``low`` in at most 2.5 of 100 spans, and above ``high`` likewise.
    ``p``: how often one is at least as far off as the one that was counted, on either side."""

    low: int
    high: int
    p: float


def band(n: int, p: float, counted: int) -> ChanceBand:
    """The band of a count of ``n`` draws with chance ``p`` (0 < p <= 1), and how far ``counted`` is
    off."""
    if p >= 1:
        return ChanceBand(n, n, float(counted == n))
    first, weights = _weights(n, p)
    whole = sum(weights)
    below = [part / whole for part in accumulate(weights)]  # of at most that count
    above = [part / whole for part in accumulate(reversed(weights))][::-1]
    tail = (1 - BAND) / 2
    low = next(at for at, part in enumerate(below) if part > tail)
    high = max(at for at, part in enumerate(above) if part > tail)
    at = counted - first
    off = min(1.0, 2 * min(below[at], above[at])) if 0 <= at < len(weights) else 0.0
    return ChanceBand(first + low, first + high, off)


def _weights(n: int, p: float) -> tuple[int, list[float]]:
    """The first count that matters, and of it and those behind it how likely each is, relative to
    the most likely one."""
    mode = min(n, int((n + 1) * p))
    odds = p / (1 - p)
    up = [1.0]
    while mode + len(up) <= n and up[-1] > _NOTHING:
        k = mode + len(up) - 1
        up.append(up[-1] * (n - k) / (k + 1) * odds)
    down: list[float] = []
    last, k = 1.0, mode
    while k > 0 and last > _NOTHING:
        last *= k / ((n - k + 1) * odds)
        down.append(last)
        k -= 1
    return mode - len(down), [*reversed(down), *up]
