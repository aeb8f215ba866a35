"""What the battery looks at, and how likely a statistic of it is.

The rules:

- ``multipliers`` is the mapped sequence: what was drawn, as places in the weights. ``tickets`` are
  the raw numbers in the order in which they were taken, rejected ones included: the generator as
  such. ``accepted`` are those that counted.
- Tests of patterns need few classes that are not too rare. :func:`pooled` puts the rarest together;
  of a ticket its three highest bits are the class, elsewhere its three lowest.
- Tails are exact, in the standard library alone. scipy has them all, and would bring more than a
  hundred megabytes to the machine for these few; its figures are in the tests of these functions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from controller.draw.generator import Drawn
from controller.draw.weights import Weights, ticket_bits

_ENOUGH = 1e-18
"""Terms of a series below this share of its sum are left out."""


def chi_square_tail(statistic: float, degrees: int) -> float:
    """How likely a chi-square of that many degrees of freedom is as large, or larger."""
    return _upper_gamma(degrees, statistic / 2)


def normal_tails(z: float) -> float:
    """Return how likely a standard normal value is as far from 0, or farther, on either side."""
    return math.erfc(abs(z) / math.sqrt(2))


def fisher_tail(share: float, ordinates: int) -> float:
    """The chance that the largest of ``ordinates`` periodogram ordinates of noise has this
    ``share`` of their sum, or more (Fisher 1929): exact above a half, where only the first term
    counts; below, as of nearly independent ordinates."""
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
    """How likely counts as far from those expected are, or farther; of two classes at least."""
    return chi_square_tail(chi_square(observed, expected), len(observed) - 1)


def chi_square(observed: Sequence[int], expected: Sequence[float]) -> float:
    """Return Pearson's statistic."""
    return sum((o - e) ** 2 / e for o, e in zip(observed, expected, strict=True))


def holm(chances: Sequence[float]) -> list[float]:
    """The chances adjusted by Holm's method, at the level of the whole family."""
    adjusted = [1.0] * len(chances)
    least = 0.0
    order = sorted(range(len(chances)), key=chances.__getitem__)
    for place, index in enumerate(order):
        least = max(least, min(1.0, chances[index] * (len(chances) - place)))
        adjusted[index] = least
    return adjusted


def _upper_gamma(degrees: int, half: float) -> float:
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


MOST_CLASSES = 8
LEAST_CHANCE = 0.02
CLASS_BITS = 3


@dataclass(frozen=True, slots=True)
class Series:
    """Values 0 to ``len(chances)`` - 1, which should be independent with those chances."""

    values: Sequence[int]
    chances: tuple[float, ...]

    @property
    def counts(self) -> list[int]:
        """How often each value came."""
        counts = [0] * len(self.chances)
        for value in self.values:
            counts[value] += 1
        return counts


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample of draws: ``multipliers`` mapped; ``tickets`` raw, of ``bits`` bits each;
    ``accepted`` tickets, each below ``total``."""

    multipliers: Series
    tickets: Sequence[int]
    accepted: Sequence[int]
    bits: int
    total: int

    @property
    def high(self) -> Series:
        """The highest bits of every ticket."""
        spare = max(self.bits - CLASS_BITS, 0)
        return _uniform([ticket >> spare for ticket in self.tickets], self.bits)

    @property
    def low(self) -> Series:
        """The lowest bits of every ticket."""
        mask = (1 << CLASS_BITS) - 1
        return _uniform([ticket & mask for ticket in self.tickets], self.bits)


def collect(weights: Weights, draws: int, draw_one: Callable[[], Drawn]) -> Sample:
    """Draw that number of times with ``draw_one``, which draws as the table does."""
    places = {multiplier: place for place, (multiplier, _) in enumerate(weights.pairs)}
    values: list[int] = []
    tickets: list[int] = []
    accepted: list[int] = []
    for _ in range(draws):
        drawn = draw_one()
        values.append(places[drawn.multiplier])
        tickets.extend(drawn.rejected)
        tickets.append(drawn.ticket)
        accepted.append(drawn.ticket)
    chances = tuple(weight / weights.total for _, weight in weights.pairs)
    return Sample(
        Series(values, chances), tickets, accepted, ticket_bits(weights.total), weights.total
    )


def pooled(series: Series) -> Series:
    """The series with its rarest values put together until none is too rare; maybe one class."""
    heap = [(chance, [value]) for value, chance in enumerate(series.chances)]
    heapify(heap)
    while len(heap) > 1 and (len(heap) > MOST_CLASSES or heap[0][0] < LEAST_CHANCE):
        (one, some), (other, more) = heappop(heap), heappop(heap)
        heappush(heap, (one + other, some + more))
    classes = sorted(heap, key=lambda pool: min(pool[1]))
    of = {value: place for place, (_, members) in enumerate(classes) for value in members}
    return Series([of[value] for value in series.values], tuple(chance for chance, _ in classes))


def _uniform(values: Sequence[int], bits: int) -> Series:
    classes = 1 << min(bits, CLASS_BITS)
    return Series(values, (1 / classes,) * classes)
