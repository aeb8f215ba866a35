"""The generator watched: tests of what it gives, on the very path that draws take.

The rules:

- The mapping is proven, not sampled: every ticket is mapped and counted.
- Chi-square on drawn multipliers and on the bits of tickets shows a generator that is broken, not
  one that is weak: the laboratory's battery is run on far longer sequences. A test fails below
  :data:`FAILS_BELOW`; a sound generator does so once in a million runs.
- Tests draw for no offer: nothing of them is stored, shown or paid.
"""

from __future__ import annotations

import math
import secrets
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from controller.draw.generator import draw
from controller.draw.mapping import multiplier_for, ticket_bits
from controller.draw.weights import Weights

FAILS_BELOW = 1e-6
_ENUMERATED_UP_TO = 1 << 20


@dataclass(frozen=True, slots=True)
class TestResult:
    """One test: whether it passed, and the figures it goes by in plain words."""

    __test__ = False  # not a class of tests, whatever its name says to pytest

    name: str
    passed: bool
    figures: str


def chi_square_p(observed: Sequence[int], weights: Sequence[int]) -> float:
    """Return how likely counts as far from the weights as these are, or farther (0 to 1).

    Takes at least two classes, of equal length with ``weights``.
    """
    total, scale = sum(observed), sum(weights)
    statistic = sum(
        (count - total * weight / scale) ** 2 / (total * weight / scale)
        for count, weight in zip(observed, weights, strict=True)
    )
    return _upper_tail(statistic / 2, len(observed) - 1)


def _upper_tail(half: float, degrees: int) -> float:
    """Return the regularized upper gamma function Q(degrees / 2, half), by its recurrence."""
    if degrees % 2:
        tail, shape = math.erfc(math.sqrt(half)), 0.5
    else:
        tail, shape = math.exp(-half), 1.0
    while shape < degrees / 2:
        # Q(a + 1, x) = Q(a, x) + x^a e^-x / Gamma(a + 1)
        if half > 0:
            tail += math.exp(shape * math.log(half) - half - math.lgamma(shape + 1))
        shape += 1
    return min(tail, 1.0)


def run(
    weights: Weights, draws: int = 20_000, bits: Callable[[int], int] = secrets.randbits
) -> list[TestResult]:
    """Run all tests over so many draws; ``bits`` as in :func:`controller.draw.generator.draw`."""
    sample = [draw(weights, bits) for _ in range(draws)]
    return [
        _mapping(weights),
        _multipliers(weights, Counter(drawn.multiplier for drawn in sample)),
        _bits([ticket for drawn in sample for ticket in (*drawn.rejected, drawn.ticket)], weights),
    ]


def _mapping(weights: Weights) -> TestResult:
    """Map every ticket; with very large totals only the ends of every multiplier's share."""
    if weights.total <= _ENUMERATED_UP_TO:
        counts = Counter(multiplier_for(weights, ticket) for ticket in range(weights.total))
        good = counts == dict(weights.pairs)
        return TestResult("mapping", good, f"all {weights.total} tickets mapped one by one")
    good, first = True, 0
    for multiplier, weight in weights.pairs:
        ends = {multiplier_for(weights, first), multiplier_for(weights, first + weight - 1)}
        good = good and ends == {multiplier}
        first += weight
    return TestResult("mapping", good, f"first and last of every share of {weights.total} tickets")


def _multipliers(weights: Weights, counts: Counter[int]) -> TestResult:
    """Compare the multipliers drawn with their weights."""
    if len(weights.pairs) < 2:
        return TestResult("multipliers", True, "only one multiplier: nothing to compare")
    p = chi_square_p(
        [counts[multiplier] for multiplier, _ in weights.pairs],
        [weight for _, weight in weights.pairs],
    )
    shown = ", ".join(f"{multiplier}: {counts[multiplier]}" for multiplier, _ in weights.pairs)
    return TestResult("multipliers", p > FAILS_BELOW, f"{shown}; p = {p:.3g}")


def _bits(tickets: Sequence[int], weights: Weights) -> TestResult:
    """Look at every bit of the tickets as they came, the rejected ones too: each is a coin."""
    width = ticket_bits(weights.total)
    if width == 0:
        return TestResult("bits", True, "tickets of no bits: nothing to compare")
    ones = [sum(ticket >> place & 1 for ticket in tickets) for place in range(width)]
    worst = min(chi_square_p([one, len(tickets) - one], [1, 1]) for one in ones)
    figures = f"{len(tickets)} tickets of {width} bits, ones by place {ones}; least p = {worst:.3g}"
    return TestResult("bits", worst > FAILS_BELOW / width, figures)
