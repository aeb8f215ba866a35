"""What the tests of patterns expect, against every sequence counted out; and their arithmetic by
hand."""

from __future__ import annotations

import math
import random
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.draw.battery import statistics, verdict
from controller.draw.battery.series import (
    LEAST_CHANCE,
    MOST_CLASSES,
    Sample,
    Series,
    chi_square_p,
    chi_square_tail,
    fisher_tail,
    holm,
    noncentral_tail,
    normal_tails,
    pooled,
)

weights = st.lists(st.integers(1, 9), min_size=1, max_size=4)


def chances_of(parts: list[int]) -> tuple[float, ...]:
    return tuple(part / sum(parts) for part in parts)


def chance_of(values: tuple[int, ...], chances: tuple[float, ...]) -> float:
    p = 1.0
    for value in values:
        p *= chances[value]
    return p


@given(weights)
def test_poker_expects_what_comes_of_all_hands(parts: list[int]) -> None:
    chances = chances_of(parts)
    expected = [0.0] * statistics.HAND
    for hand in product(range(len(chances)), repeat=statistics.HAND):
        expected[len(set(hand)) - 1] += chance_of(hand, chances)
    assert statistics.different(chances) == pytest.approx(expected)


@given(weights, st.integers(0, 5))
def test_runs_expect_what_comes_of_all_sequences(parts: list[int], length: int) -> None:
    chances = chances_of(parts)
    rising = sum(
        chance_of(values, chances)
        for values in product(range(len(chances)), repeat=length)
        if list(values) == sorted(set(values))
    )
    assert statistics.rising(chances)(length) == pytest.approx(rising)


@given(st.lists(st.integers(1, 9), min_size=2, max_size=4), st.integers(1, 7))
def test_coupons_expect_what_comes_of_all_sequences(parts: list[int], length: int) -> None:
    chances = chances_of(parts)
    incomplete = sum(
        chance_of(values, chances)
        for values in product(range(len(chances)), repeat=length)
        if len(set(values)) < len(chances)
    )
    assert statistics.needs_more(chances)(length + 1) == pytest.approx(incomplete)


@given(st.lists(st.integers(1, 1000), min_size=1, max_size=30))
def test_pooling_leaves_few_classes_none_of_them_rare(parts: list[int]) -> None:
    chances = chances_of(parts)
    series = pooled(Series(range(len(parts)), chances))
    assert len(series.chances) <= MOST_CLASSES
    assert sum(series.chances) == pytest.approx(1)
    assert len(series.chances) == 1 or min(series.chances) >= LEAST_CHANCE
    for place, chance in enumerate(series.chances):
        members = [p for p, of in zip(chances, series.values, strict=True) if of == place]
        assert sum(members) == pytest.approx(chance)


@given(st.lists(st.tuples(st.floats(0.01, 50), st.integers(0, 50)), min_size=1, max_size=30))
def test_grouping_loses_nothing_and_looks_only_at_what_is_expected(
    cells: list[tuple[float, int]],
) -> None:
    expected, observed = [want for want, _ in cells], [count for _, count in cells]
    found, wanted = statistics.grouped(observed, expected)
    assert sum(found) == sum(observed)
    assert sum(wanted) == pytest.approx(sum(expected))
    assert len(wanted) == 1 or min(wanted) >= statistics.LEAST_EXPECTED
    assert statistics.grouped(observed[::-1], expected[::-1])[1] == pytest.approx(wanted)


def test_equal_expectations_are_not_sorted_by_what_was_counted() -> None:
    found, wanted = statistics.grouped([9, 1, 8, 2], [6.0, 6.0, 6.0, 6.0])
    assert (found, wanted) == ([10, 10], [12.0, 12.0])


def even(values: list[int], classes: int) -> Series:
    return Series(values, (1 / classes,) * classes)


def test_what_is_too_little_says_nothing() -> None:
    few = even([0, 1, 2, 3], 4)
    for test in (
        statistics.frequency,
        statistics.pairs,
        statistics.subsequences,
        statistics.gaps,
        statistics.poker,
        statistics.coupons,
        statistics.runs,
        verdict.correlation,
        verdict.spectrum,
    ):
        assert test(few) is None, test
        assert test(Series([0] * 5000, (1.0,))) is None, test
    assert statistics.orders([1, 2, 3, 4]) is None
    nothing = Sample(Series([0], (1.0,)), [0], [0], 0, 1)
    assert (statistics.bits(nothing), verdict.repeats(nothing)) == (None, None)
    assert statistics.ticket_frequency(nothing) is None


@pytest.mark.parametrize(
    ("test", "values", "classes"),
    [
        (statistics.frequency, [0, 1, 2, 2] * 500, 4),
        (statistics.pairs, [0, 1, 2, 3] * 500, 4),
        (statistics.subsequences, [0, 1, 2, 3, 1, 0, 3, 2] * 500, 4),
        (statistics.gaps, [0, 1, 2, 3] * 500, 4),
        (statistics.poker, [0, 1, 2, 3] * 500, 4),
        (statistics.coupons, [0, 1, 2, 3] * 500, 4),
        (statistics.runs, [0, 1, 2, 3] * 500, 4),
        (verdict.correlation, [0, 1, 2, 3] * 500, 4),
        (verdict.spectrum, [0, 1, 2, 3] * 500, 4),
    ],
)
def test_what_no_chance_gives_is_seen(test, values: list[int], classes: int) -> None:  # type: ignore[no-untyped-def]
    p = test(even(values, classes))
    assert p is not None
    assert p < 1e-6


def test_orders_of_four() -> None:
    p = statistics.orders([1, 2, 3, 4] * 500)
    assert p is not None
    assert p < 1e-6


# Tails against closed forms and against figures of scipy 1.17 ------------------------------------


@pytest.mark.parametrize(
    ("statistic", "degrees", "p"),
    [
        (0.0, 5, 1.0),
        (3.84, 1, 0.05004352124870519),
        (0.5, 1, 0.47950012218695337),
        (20, 8, 0.010336050675925726),
        (100, 63, 0.002077236552784822),
        (60, 63, 0.5839273305262771),
        (300, 255, 0.02772752205390483),
        (80, 12, 4.127308729731743e-12),
        (1000, 1, 1.7958327848007363e-219),
    ],
)
def test_chi_square(statistic: float, degrees: int, p: float) -> None:
    assert chi_square_tail(statistic, degrees) == pytest.approx(p, rel=1e-9)


@pytest.mark.parametrize(
    ("statistic", "degrees", "shift", "p"),
    [
        (30, 7, 43.2, 0.9448974260939733),
        (114.3, 63, 90.0, 0.9686017914909016),
        (3.84, 1, 7.85, 0.8001610939114071),
        (14.07, 7, 2.5, 0.16438343046360204),
        (200, 63, 400.0, 0.999999999999994),
        (20, 2, 0.0, 4.539992976248486e-05),
    ],
)
def test_noncentral_chi_square(statistic: float, degrees: int, shift: float, p: float) -> None:
    assert noncentral_tail(statistic, degrees, shift) == pytest.approx(p, rel=1e-9)


@pytest.mark.parametrize(
    ("z", "p"),
    [(0, 1.0), (1.96, 0.04999579029644087), (-3.29, 0.0010018738275714444), (6.5, 8.032e-11)],
)
def test_normal(z: float, p: float) -> None:
    assert normal_tails(z) == pytest.approx(p, rel=1e-4)


@pytest.mark.parametrize(
    ("observed", "p"),
    [  # worked out by the closed forms of one, two and three degrees of freedom
        ([60, 40], math.erfc(math.sqrt(4 / 2))),
        ([50, 50], 1.0),
        ([40, 30, 30], math.exp(-2 / 2)),
        ([40, 20, 20, 20], math.erfc(math.sqrt(6)) + math.sqrt(24 / math.pi) * math.exp(-6)),
    ],
)
def test_counts(observed: list[int], p: float) -> None:
    even = [sum(observed) / len(observed)] * len(observed)
    assert chi_square_p(observed, even) == pytest.approx(p)


def test_fisher_agrees_with_its_exact_sum() -> None:
    def exact(share: float, ordinates: int) -> float:
        return sum(
            (-1.0) ** (j + 1) * math.comb(ordinates, j) * (1 - j * share) ** (ordinates - 1)
            for j in range(1, min(ordinates, int(1 / share)) + 1)
        )

    for ordinates, share in [(20, 0.3), (20, 0.5), (50, 0.2), (100, 0.1), (100, 0.14)]:
        assert fisher_tail(share, ordinates) == pytest.approx(exact(share, ordinates), rel=0.03)
    source = random.Random(5)
    below = 0
    for _ in range(2000):
        power = [source.expovariate(1) for _ in range(127)]
        below += fisher_tail(max(power) / sum(power), 127) < 0.05
    assert 60 <= below <= 140  # 100 expected, within four standard deviations


@given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_holm_finds_what_bonferroni_finds_and_nothing_above_the_level(chances: list[float]) -> None:
    adjusted = holm(chances)
    assert all(p <= family <= 1 for p, family in zip(chances, adjusted, strict=True))
    assert min(adjusted) == pytest.approx(min(1.0, min(chances) * len(chances)))
    order = sorted(range(len(chances)), key=chances.__getitem__)
    assert [adjusted[at] for at in order] == sorted(adjusted)


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
