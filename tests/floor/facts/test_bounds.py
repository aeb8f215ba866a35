"""Exact bounds, against the sums of exact fractions."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from floor.facts.report.bounds import band


def chance(n: int, p: Fraction, counts: range) -> Fraction:
    return sum((comb(n, k) * p**k * (1 - p) ** (n - k) for k in counts), Fraction())


@pytest.mark.parametrize("n", [1, 7, 60, 400])
@pytest.mark.parametrize("p", [Fraction(1, 100), Fraction(1, 4), Fraction(9, 10)])
def test_bounds_are_those_of_exact_fractions(n: int, p: Fraction) -> None:
    tail = Fraction(25, 1000)
    for counted in {0, n // 3, n}:
        found = band(n, float(p), counted)
        assert chance(n, p, range(found.low)) <= tail < chance(n, p, range(found.low + 1))
        above = chance(n, p, range(found.high + 1, n + 1))
        assert above <= tail < above + chance(n, p, range(found.high, found.high + 1))
        below = chance(n, p, range(counted + 1))
        above = chance(n, p, range(counted, n + 1))
        assert found.p == pytest.approx(min(1.0, 2 * float(min(below, above))), abs=1e-12)


def test_what_is_certain_has_no_band() -> None:
    assert (band(9, 1.0, 9).low, band(9, 1.0, 9).high, band(9, 1.0, 9).p) == (9, 9, 1.0)


def test_large_counts_take_no_time_and_no_overflow() -> None:
    found = band(1_000_000, 0.01, 10_500)
    assert (found.low, found.high) == (9_805, 10_195)
    assert 0 < found.p < 1e-6
