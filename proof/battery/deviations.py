"""What a planted defect is, how far it shifts what a test looks at, and how many draws the battery
needs to find it: computed, not sampled.

A defect that shifts the chances of a chi-square test by a noncentrality of *d* a draw gives it the
noncentral distribution with *n d* after *n* draws. The battery calls a generator broken when a test
is below the family's level, in the worst case divided by all its tests (Holm's first step), in both
of two samples; so each has to find it with the square root of :data:`CERTAINTY`.

Tests by sampling (tests/draw) confirm the figures: at that many draws every run finds the defect.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from controller.draw.battery.series import chi_square_tail, noncentral_tail
from controller.draw.battery.verdict import FEWEST_DRAWS, LEVEL
from controller.draw.generator import Drawn
from controller.draw.health import cutoffs
from controller.draw.weights import Weights, ticket_bits

DrawOne = Callable[[], Drawn]
Bits = Callable[[int], int]


@dataclass(frozen=True, slots=True)
class Deviation:
    """``test`` has ``degrees`` of freedom and its noncentrality grows by ``shift`` with each draw;
    it is the likeliest of ``shares`` results that are looked at together."""

    test: str
    degrees: int
    shift: float
    shares: int = 1


@dataclass(frozen=True, slots=True)
class Defect:
    """``plant`` makes a way to draw out of weights and a seed.

    ``deviations`` is worked out exactly: for a test by chi-square the noncentrality that one draw
    adds, with the degrees of freedom (:mod:`~.power`); ``sure_after`` are raw tickets after which a
    repeated sequence cannot be missed.
    """

    name: str
    about: str
    plant: Callable[[Weights, int], DrawOne]
    deviations: Callable[[Weights], Sequence[Deviation]] = lambda _: ()
    sure_after: int | None = None


def chances_of(weights: Weights) -> list[float]:
    """Return the chance of each multiplier."""
    return [weight / weights.total for _, weight in weights.pairs]


def raw_per_draw(weights: Weights) -> float:
    """Return how many raw tickets a draw takes on average."""
    return (1 << ticket_bits(weights.total)) / weights.total


CERTAINTY: Final = 0.999
TESTS: Final = 23
"""Tests in the family when all have something to say."""


def draws_needed(defect: Defect, weights: Weights) -> tuple[int, str]:
    """Return after how many draws in a sample the defect is found with certainty 0.999, and the
    test that finds it."""
    if defect.sure_after is not None:
        width = ticket_bits(weights.total)
        raw = defect.sure_after + cutoffs(width).sequence
        # The average number of draws from these raw tickets; a tenth more leaves room for luck.
        return _at_least(1.1 * raw * weights.total / (1 << width)), "repeated sequences"
    found = [(_draws(deviation), deviation.test) for deviation in defect.deviations(weights)]
    return min(found)


def _draws(deviation: Deviation) -> int:
    level = LEVEL / TESTS / deviation.shares
    degrees = deviation.degrees
    critical = _least(lambda x: chi_square_tail(x, degrees) <= level)
    power = math.sqrt(CERTAINTY)
    needed = _least(lambda shift: noncentral_tail(critical, degrees, shift) >= power)
    return _at_least(needed / deviation.shift)


def _at_least(draws: float) -> int:
    return max(math.ceil(draws), FEWEST_DRAWS)


def _least(holds: Callable[[float], bool]) -> float:
    """The least number from which on something holds."""
    low, high = 0.0, 1.0
    while not holds(high):
        low, high = high, high * 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
