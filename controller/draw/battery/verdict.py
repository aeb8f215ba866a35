"""The battery run, its tests of repetition (serial correlation, periodicity, repeated sequences),
and what it comes to.

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
- A test returns how likely a result as far from what is expected is, or farther; None where the
  sample is too small.
"""

from __future__ import annotations

import cmath
import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from controller.draw.battery import statistics
from controller.draw.battery.series import (
    Sample,
    Series,
    chi_square_tail,
    collect,
    fisher_tail,
    holm,
    pooled,
)
from controller.draw.generator import Drawn, draw
from controller.draw.health import SEQUENCE_BITS, start_up, watched
from controller.draw.weights import Weights

LAGS = 12
"""Number of lags for which the serial correlation is tested."""
FEWEST = 256
MOST_WAVES = 1 << 14
"""Number of values that are transformed; more would only take longer."""


def correlation(series: Series) -> float | None:
    """Serial correlation (Knuth 3.3.2 K) at the distances 1 to 12 together."""
    steps = _normalised(series)
    if len(steps) < FEWEST:
        return None
    statistic = 0.0
    for lag in range(1, LAGS + 1):
        total = sum(map(float.__mul__, steps, steps[lag:]))
        statistic += total**2 / (len(steps) - lag)
    return chi_square_tail(statistic, LAGS)


def spectrum(series: Series) -> float | None:
    """Spectral test: the largest wave in the series, by Fisher's test of its share."""
    steps = _normalised(series)
    if len(steps) < FEWEST:
        return None
    size = min(1 << len(steps).bit_length() - 1, MOST_WAVES)
    waves = _transform([complex(step) for step in steps[:size]])
    power = [abs(wave) ** 2 for wave in waves[1 : size // 2]]
    return fisher_tail(max(power) / sum(power), len(power))


def repeats(sample: Sample) -> float | None:
    """Repeated sequences: raw tickets of 96 bits together that came before in that order."""
    if not sample.bits:
        return None
    length = -(-SEQUENCE_BITS // sample.bits)
    mask = (1 << length * sample.bits) - 1
    sequence, known = 0, set[int]()
    for place, ticket in enumerate(sample.tickets, 1):
        sequence = (sequence << sample.bits | ticket) & mask
        if place >= length:
            if sequence in known:
                return min(1.0, len(sample.tickets) ** 2 / 2 / (mask + 1))
            known.add(sequence)
    return 1.0


def _normalised(series: Series) -> list[float]:
    """The values with a mean of 0 and a variance of 1, by their chances; none if all are equal."""
    mean = sum(value * chance for value, chance in enumerate(series.chances))
    variance = sum((value - mean) ** 2 * chance for value, chance in enumerate(series.chances))
    if variance <= 0:
        return []
    scale = variance**-0.5
    by_value = [(value - mean) * scale for value in range(len(series.chances))]
    return [by_value[value] for value in series.values]


def _transform(values: Sequence[complex]) -> list[complex]:
    """Fourier transform of a power of two of values (Cooley and Tukey)."""
    size = len(values)
    if size == 1:
        return list(values)
    even, odd = _transform(values[::2]), _transform(values[1::2])
    turn = cmath.exp(-2j * cmath.pi / size)
    turned: list[complex] = []
    factor = 1 + 0j
    for value in odd:
        turned.append(factor * value)
        factor *= turn
    return [a + b for a, b in zip(even, turned, strict=True)] + [
        a - b for a, b in zip(even, turned, strict=True)
    ]


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
    """Run the start-up tests and the battery on the path that draws take; SourceFailed where a
    start-up or continuous test fails."""
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
        yield "serial correlation", about, correlation(series)
        yield "spectral", about, spectrum(series)
    yield "serial pairs", "lowest bits", statistics.pairs(sample.low)
    yield "permutation", "multipliers", statistics.orders(sample.multipliers.values)
    yield "permutation", "tickets", statistics.orders(sample.tickets)
    yield "runs", "multipliers", statistics.runs(sample.multipliers)
    yield "runs", "tickets", statistics.runs_of_tickets(sample.tickets, sample.bits)
    yield "repeated sequences", "tickets", repeats(sample)
