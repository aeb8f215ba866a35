"""Tests that count: every value, every bit, every pair, and the same in every subsequence.

Each returns how likely a result as far from what is expected is, or farther; None where the sample
is too small to say anything (a class expected less than :data:`LEAST_EXPECTED` times is put
together with others).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import itemgetter

from controller.draw.battery.chances import chi_square, chi_square_p, chi_square_tail, normal_tails
from controller.draw.battery.series import Sample, Series

LEAST_EXPECTED = 10.0
STRIDES = (2, 3, 7, 16)


def frequency(series: Series) -> float | None:
    """Chi-square of the counts of every value."""
    return grouped_p(series.counts, [chance * len(series.values) for chance in series.chances])


def ticket_frequency(sample: Sample) -> float | None:
    """Chi-square of the accepted tickets: each below the total has the same chance; of a large
    total, neighbouring tickets are grouped into classes that are expected often enough."""
    width = max(1, -int(-LEAST_EXPECTED * sample.total // len(sample.accepted)))
    classes = -(-sample.total // width)
    counts = [0] * classes
    for ticket in sample.accepted:
        counts[ticket // width] += 1
    each = len(sample.accepted) / sample.total
    expected = [each * min(width, sample.total - place * width) for place in range(classes)]
    return grouped_p(counts, expected)


def bits(sample: Sample) -> float | None:
    """Every bit of the raw tickets is a coin: the least chance among them, times their number."""
    if not sample.bits:
        return None
    n = len(sample.tickets)
    least = 1.0
    for place in range(sample.bits):
        ones = sum(ticket >> place & 1 for ticket in sample.tickets)
        least = min(least, normal_tails((2 * ones - n) / n**0.5))
    return min(1.0, least * sample.bits)


def pairs(series: Series) -> float | None:
    """Serial test: chi-square of pairs that do not overlap."""
    classes = len(series.chances)
    counts = [0] * classes**2
    halves = iter(series.values)
    total = 0
    for first, second in zip(halves, halves, strict=False):
        counts[first * classes + second] += 1
        total += 1
    expected = [total * one * other for one in series.chances for other in series.chances]
    return grouped_p(counts, expected)


def subsequences(series: Series) -> float | None:
    """Every second, third, seventh and sixteenth value, from each beginning, has the same
    frequencies: the least chance among the strides, times their number."""
    least: float | None = None
    for stride in STRIDES:
        statistic, degrees = 0.0, 0
        for start in range(stride):
            part = Series(series.values[start::stride], series.chances)
            expected = [chance * len(part.values) for chance in part.chances]
            counts, wanted = grouped(part.counts, expected)
            if len(counts) > 1:
                statistic += chi_square(counts, wanted)
                degrees += len(counts) - 1
        if degrees:
            p = chi_square_tail(statistic, degrees)
            least = p if least is None else min(least, p)
    return None if least is None else min(1.0, least * len(STRIDES))


def grouped_p(observed: Sequence[int], expected: Sequence[float]) -> float | None:
    """Chi-square with rare classes put together; None when fewer than two are left."""
    counts, wanted = grouped(observed, expected)
    return chi_square_p(counts, wanted) if len(counts) > 1 else None


def grouped(observed: Iterable[int], expected: Iterable[float]) -> tuple[list[int], list[float]]:
    """Put classes that are expected too rarely together, the rarest first."""
    counts: list[int] = []
    wanted: list[float] = []
    rare, rare_wanted = 0, 0.0
    # By what is expected alone: who also sorts by what was counted puts like with like.
    for want, count in sorted(zip(expected, observed, strict=True), key=itemgetter(0)):
        if want < LEAST_EXPECTED and rare_wanted < LEAST_EXPECTED:
            rare, rare_wanted = rare + count, rare_wanted + want
        elif want < LEAST_EXPECTED:
            counts.append(rare)
            wanted.append(rare_wanted)
            rare, rare_wanted = count, want
        else:
            counts.append(count)
            wanted.append(want)
    if rare_wanted >= LEAST_EXPECTED or (rare_wanted and not counts):
        counts.append(rare)
        wanted.append(rare_wanted)
    elif rare_wanted:
        counts[0] += rare
        wanted[0] += rare_wanted
    return counts, wanted
