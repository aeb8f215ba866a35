"""How likely a statistic is: exact tails, in the standard library alone.

scipy has them all, and would bring more than a hundred megabytes to the machine for these few; its
figures are in the tests of these functions instead.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

_ENOUGH = 1e-18
"""Terms of a series below this share of its sum are left out."""


def chi_square_tail(statistic: float, degrees: int) -> float:
    """Return how likely a chi-square with that number of degrees of freedom is as large, or
    larger."""
    return _upper_gamma(degrees, statistic / 2)


def normal_tails(z: float) -> float:
    """Return how likely a standard normal value is as far from 0, or farther, on either side."""
    return math.erfc(abs(z) / math.sqrt(2))


def fisher_tail(share: float, ordinates: int) -> float:
    """Return the chance that the largest of ``ordinates`` periodogram ordinates of noise has this
    ``share`` of their sum, or a larger one (Fisher 1929).

    Of Fisher's alternating sum the first term is exact where the share is above a half; below, the
    chance that none of nearly independent ordinates is as large is taken.
    """
    return -math.expm1(-ordinates * (1 - share) ** (ordinates - 1))


def noncentral_tail(statistic: float, degrees: int, shift: float) -> float:
    """Return how likely a chi-square with noncentrality ``shift`` is as large, or larger: central
    ones of 2 more degrees each, mixed by a Poisson distribution of mean ``shift`` / 2."""
    mean = shift / 2
    middle = int(mean)
    log_weight = -mean + middle * math.log(mean) - math.lgamma(middle + 1) if mean else 0.0
    total = 0.0
    for step in (1, -1):
        weight = math.exp(log_weight)
        at = middle
        if step < 0:
            weight *= at / mean if mean else 0.0
            at -= 1
        while at >= 0 and weight > _ENOUGH:
            total += weight * chi_square_tail(statistic, degrees + 2 * at)
            weight *= mean / (at + 1) if step > 0 else at / mean
            at += step
    return min(total, 1.0)


def chi_square_p(observed: Sequence[int], expected: Sequence[float]) -> float:
    """Return how likely counts as far from those expected are, or farther; both add up to the same
    and have two classes at least."""
    return chi_square_tail(chi_square(observed, expected), len(observed) - 1)


def chi_square(observed: Sequence[int], expected: Sequence[float]) -> float:
    """Return Pearson's statistic."""
    return sum((o - e) ** 2 / e for o, e in zip(observed, expected, strict=True))


def holm(chances: Sequence[float]) -> list[float]:
    """Return the chances adjusted by Holm's method: those below a level are found at that level for
    the whole family, however its tests depend on each other."""
    adjusted = [1.0] * len(chances)
    least = 0.0
    order = sorted(range(len(chances)), key=chances.__getitem__)
    for place, index in enumerate(order):
        least = max(least, min(1.0, chances[index] * (len(chances) - place)))
        adjusted[index] = least
    return adjusted


def _upper_gamma(degrees: int, half: float) -> float:
    """Return the regularized upper gamma function Q(degrees / 2, half), by its recurrence."""
    if half <= 0:
        return 1.0
    if degrees % 2:
        tail, shape = math.erfc(math.sqrt(half)), 0.5
    else:
        tail, shape = math.exp(-half), 1.0
    log_half = math.log(half)
    while shape < degrees / 2:
        # Q(a + 1, x) = Q(a, x) + x^a e^-x / Gamma(a + 1)
        tail += math.exp(shape * log_half - half - math.lgamma(shape + 1))
        shape += 1
    return min(tail, 1.0)
