"""Tests of patterns after Knuth (TAOCP vol. 2, 3.3.2), for classes of any chances.

Knuth gives them for numbers that are all as likely. Here the chances are those of the weights, and
the distribution of each pattern is worked out exactly for them. Each returns how likely a result as
far from what is expected is, or farther; None where the sample is too small.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import combinations, permutations

from controller.draw.battery.counts import LEAST_EXPECTED, grouped_p
from controller.draw.battery.series import Series

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
    """Return a function of n: the chance that at least n values are needed until every class has
    occurred, by inclusion and exclusion over the sets of missing classes."""
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
    """Runs test (3.3.2 G): how long values rise. The value that ends a run is left out, which makes
    the runs independent."""
    return _runs_p(series.values, rising(series.chances))


def runs_of_tickets(tickets: Sequence[int], bits: int) -> float | None:
    """The same of raw tickets, every one of them as likely."""
    size = 1 << bits
    return _runs_p(tickets, lambda least: math.comb(size, least) / size**least)


def rising(chances: Sequence[float]) -> Callable[[int], float]:
    """Return a function of n: the chance that n values are strictly rising, the elementary
    symmetric polynomial of the chances."""
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
