"""The battery run, and what it comes to.

The rules:

- All tests of a sample are one family: its chance of failing a sound generator is held to
  :data:`LEVEL` by Holm's method, that is 99 % confidence. Regulators ask for 95 % (COMAR
  36.05.02.17; Nevada 14.040) or, in laboratory practice, 99 % of single tests; the report says how
  many single tests are below those too.
- At that level one sound box in a hundred would be called broken. So a sample that fails is
  followed by a second, and only failing again counts, unless the first is beyond any doubt
  (:data:`SURE`). A sound generator fails once in about 10,000 runs.
- Nothing of it is stored, shown or paid. Draws are made as a table makes them, through the
  continuous tests (:mod:`controller.draw.health`).
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from controller.draw.battery import statistics, waves
from controller.draw.battery.chances import holm
from controller.draw.battery.series import Sample, collect, pooled
from controller.draw.generator import Drawn, draw
from controller.draw.health import watched
from controller.draw.selftest import start_up
from controller.draw.weights import Weights

LEVEL = 0.01
SURE = 1e-6
DRAWS = 100_000
"""Size of a sample by default: enough for every defect that docs/draw.md lists."""
FEWEST_DRAWS = 1000


@dataclass(frozen=True, slots=True)
class SampleTest:
    """One test of one sample: ``p`` is how likely a result as far off is, or farther, ``adjusted``
    the same for the family of all tests."""

    __test__ = False  # not a class of tests, whatever its name says to pytest

    name: str
    about: str
    p: float
    adjusted: float


@dataclass(frozen=True, slots=True)
class BatteryVerdict:
    """What the samples came to, one or two."""

    draws: int
    well: bool
    samples: tuple[tuple[SampleTest, ...], ...]


def run_battery(
    weights: Weights, draws: int, bits: Callable[[int], int] = secrets.randbits
) -> BatteryVerdict:
    """Run the start-up tests and the battery on the path that draws take.

    Raises :class:`controller.draw.weights.SourceFailed` when a start-up or continuous test fails.
    """
    source = watched(bits, start_up(weights, bits))
    return judge(weights, draws, lambda: draw(weights, source))


def judge(weights: Weights, draws: int, draw_one: Callable[[], Drawn]) -> BatteryVerdict:
    """Run the battery over draws made by ``draw_one``: once, or twice where there is doubt."""
    first = examine(collect(weights, draws, draw_one))
    least = min((test.adjusted for test in first), default=1.0)
    if least >= LEVEL or least < SURE:
        return BatteryVerdict(draws, least >= LEVEL, (first,))
    second = examine(collect(weights, draws, draw_one))
    return BatteryVerdict(draws, min(test.adjusted for test in second) >= LEVEL, (first, second))


def examine(sample: Sample) -> tuple[SampleTest, ...]:
    """Every test that has something to say of a sample."""
    found = [(name, about, p) for name, about, p in _all(sample) if p is not None]
    adjusted = holm([p for _, _, p in found])
    return tuple(
        SampleTest(name, about, p, family)
        for (name, about, p), family in zip(found, adjusted, strict=True)
    )


def _all(sample: Sample) -> Iterator[tuple[str, str, float | None]]:
    drawn, high = pooled(sample.multipliers), sample.high
    yield "frequency", "multipliers", statistics.frequency(sample.multipliers)
    yield "frequency", "tickets", statistics.ticket_frequency(sample)
    yield "bits", "tickets", statistics.bits(sample)
    for about, series in (("multipliers", drawn), ("tickets", high)):
        yield "serial pairs", about, statistics.pairs(series)
        yield "subsequences", about, statistics.subsequences(series)
        yield "gap", about, statistics.gaps(series)
        yield "poker", about, statistics.poker(series)
        yield "coupon collector", about, statistics.coupons(series)
        yield "serial correlation", about, waves.correlation(series)
        yield "spectral", about, waves.spectrum(series)
    yield "serial pairs", "lowest bits", statistics.pairs(sample.low)
    yield "permutation", "multipliers", statistics.orders(sample.multipliers.values)
    yield "permutation", "tickets", statistics.orders(sample.tickets)
    yield "runs", "multipliers", statistics.runs(sample.multipliers)
    yield "runs", "tickets", statistics.runs_of_tickets(sample.tickets, sample.bits)
    yield "repeated sequences", "tickets", waves.repeats(sample)
