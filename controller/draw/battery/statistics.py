"""Tests that count (every value, every bit, every pair, and the same in every subsequence), and
tests of patterns after Knuth (TAOCP vol. 2, 3.3.2), for classes of any chances.

Each returns how likely a result as far from what is expected is, or farther; None where the sample
is too small to say anything (a class expected less than :data:`LEAST_EXPECTED` times is put
together with others). Knuth gives the patterns for numbers that are all as likely. Here the chances
are those of the weights, and the distribution of each pattern is worked out exactly for them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, permutations
from operator import itemgetter

from controller.draw.battery.series import (
    Sample,
    Series,
    chi_square,
    chi_square_p,
    chi_square_tail,
    normal_tails,
)

HAND = 5
"""Values in a hand of the poker test."""
ORDERED = 4
"""Values whose order the permutation test looks at."""
LONGEST = 2000
"""No gap, segment or run is distinguished from longer ones beyond this."""


def gaps(series: Series) -> float | None:
    """Gap test (3.3.2 D): the values between two of the likeliest class are geometric."""
    chance = max(series.chances)
    marked = series.chances.index(chance)
    if chance >= 1:
        return None
    lengths: list[int] = []
    length = 0
    for value in series.values:
        if value == marked:
            lengths.append(length)
            length = 0
        else:
            length += 1
    return _lengths_p(lengths, lambda least: (1 - chance) ** least)


def poker(series: Series) -> float | None:
    """Poker test (3.3.2 E): how many different classes are among five."""
    hands = len(series.values) // HAND
    counts = [0] * HAND
    for start in range(0, hands * HAND, HAND):
        counts[len(set(series.values[start : start + HAND])) - 1] += 1
    return grouped_p(counts, [hands * chance for chance in different(series.chances)])


def different(chances: Sequence[float]) -> list[float]:
    """Return the chances that five values are of 1, 2, … 5 different classes."""
    ways = [[0.0] * (HAND + 1) for _ in range(HAND + 1)]  # by values placed, classes used
    ways[0][0] = 1.0
    for chance in chances:
        after = [row.copy() for row in ways]
        for placed in range(HAND):
            for used in range(HAND):
                for more in range(1, HAND - placed + 1):
                    term = ways[placed][used] * chance**more / math.factorial(more)
                    after[placed + more][used + 1] += term
        ways = after
    return [math.factorial(HAND) * ways[HAND][used] for used in range(1, HAND + 1)]


def coupons(series: Series) -> float | None:
    """Coupon collector's test (3.3.2 F): how many values it takes until every class has come."""
    classes = len(series.chances)
    if classes < 2:
        return None
    lengths: list[int] = []
    seen: set[int] = set()
    length = 0
    for value in series.values:
        seen.add(value)
        length += 1
        if len(seen) == classes:
            lengths.append(length)
            seen.clear()
            length = 0
    return _lengths_p(lengths, needs_more(series.chances))


def needs_more(chances: Sequence[float]) -> Callable[[int], float]:
    """A function of n: the chance that at least n values are needed until every class has come."""
    classes = len(chances)
    missing = [
        (1.0 if size % 2 else -1.0, max(1 - sum(some), 0.0))
        for size in range(1, classes + 1)
        for some in combinations(chances, size)
    ]

    def at_least(length: int) -> float:
        if length <= classes:
            return 1.0
        return sum(sign * other ** (length - 1) for sign, other in missing)

    return at_least


def orders(values: Sequence[int]) -> float | None:
    """Permutation test (3.3.2 P): four different values in a row come in every order alike,
    whatever their chances; fours with equal ones among them say nothing."""
    counts = dict.fromkeys(permutations(range(ORDERED)), 0)
    complete = 0
    for start in range(0, len(values) - ORDERED + 1, ORDERED):
        four = values[start : start + ORDERED]
        if len(set(four)) == ORDERED:
            ranks = sorted(four)
            counts[tuple(map(ranks.index, four))] += 1
            complete += 1
    return grouped_p(list(counts.values()), [complete / len(counts)] * len(counts))


def runs(series: Series) -> float | None:
    """Runs test (3.3.2 G): how long values rise; the value that ends a run is left out."""
    return _runs_p(series.values, rising(series.chances))


def runs_of_tickets(tickets: Sequence[int], bits: int) -> float | None:
    """The same of raw tickets, every one of them as likely."""
    size = 1 << bits
    return _runs_p(tickets, lambda least: math.comb(size, least) / size**least)


def rising(chances: Sequence[float]) -> Callable[[int], float]:
    """A function of n: the chance that n values are strictly rising."""
    sums = [1.0] + [0.0] * len(chances)
    for chance in chances:
        for size in range(len(chances), 0, -1):
            sums[size] += sums[size - 1] * chance
    return lambda least: sums[least] if least < len(sums) else 0.0


def _runs_p(values: Sequence[int], at_least: Callable[[int], float]) -> float | None:
    lengths: list[int] = []
    length, last = 0, -1
    for value in values:
        if not length or value > last:
            length, last = length + 1, value
        else:
            lengths.append(length)
            length = 0
    return _lengths_p(lengths, at_least)


def _lengths_p(lengths: Sequence[int], at_least: Callable[[int], float]) -> float | None:
    """Chi-square of lengths, ``at_least`` being the chance of that length or a greater one; from
    where too few are expected they are counted together."""
    total = len(lengths)
    expected: list[float] = []
    length = 0
    while length < LONGEST and total * at_least(length + 1) >= LEAST_EXPECTED:
        expected.append(total * (at_least(length) - at_least(length + 1)))
        length += 1
    expected.append(total * at_least(length))
    counts = [0] * len(expected)
    for found in lengths:
        counts[min(found, length)] += 1
    possible = [place for place, want in enumerate(expected) if want > 0]
    if any(count for place, count in enumerate(counts) if place not in possible):
        return 0.0  # a length that cannot be
    return grouped_p([counts[at] for at in possible], [expected[at] for at in possible])


LEAST_EXPECTED = 10.0
STRIDES = (2, 3, 7, 16)


def frequency(series: Series) -> float | None:
    """Chi-square of the counts of every value."""
    return grouped_p(series.counts, [chance * len(series.values) for chance in series.chances])


def ticket_frequency(sample: Sample) -> float | None:
    """Chi-square of the accepted tickets; of a large total neighbouring ones are one class."""
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
