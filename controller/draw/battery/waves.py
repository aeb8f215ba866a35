"""Tests of repetition: serial correlation, periodicity, and repeated sequences.

Each returns how likely a result as far from what is expected is, or farther; None where the sample
is too small.
"""

from __future__ import annotations

import cmath
from collections.abc import Sequence

from controller.draw.battery.chances import chi_square_tail, fisher_tail
from controller.draw.battery.series import Sample, Series
from controller.draw.health import SEQUENCE_BITS

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
