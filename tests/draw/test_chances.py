"""Tails against closed forms and against figures of scipy 1.17 (``chi2.sf``, ``ncx2.sf``)."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.draw.battery.series import (
    chi_square_p,
    chi_square_tail,
    fisher_tail,
    holm,
    noncentral_tail,
    normal_tails,
)


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
