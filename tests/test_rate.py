"""A rate: a burst at once, then so many a second, however they come."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rate import Rate

BURSTS = st.integers(1, 50)
PER_S = st.sampled_from([0.5, 1.0, 8.0, 20.0, 400.0])
GAPS = st.lists(st.floats(0, 3), min_size=1, max_size=200)
NEARLY = 1e-5
"""Seconds that sums of floating point may be wrong by."""


def test_a_burst_then_so_many_a_second() -> None:
    rate = Rate(3, 2.0)
    assert rate.is_whole(100.0)
    assert [rate.count_one(100.0) for _ in range(5)] == [0, 0, 0, 0.5, 1.0]
    assert not rate.is_whole(102.0)
    assert rate.is_whole(102.5)
    assert [rate.count_one(200.0) for _ in range(4)] == [0, 0, 0, 0.5]


def test_to_ask_counts_nothing() -> None:
    rate = Rate(1, 4.0)
    assert [rate.wait_s(7.0) for _ in range(3)] == [0, 0, 0]
    assert rate.count_one(7.0) == 0
    assert [rate.wait_s(7.0) for _ in range(3)] == [0.25] * 3
    assert rate.count_one(7.0) == 0.25


@given(BURSTS, PER_S, GAPS)
def test_never_more_than_burst_and_rate_in_any_span(
    burst: int, per_s: float, gaps: list[float]
) -> None:
    """Whoever waits as he is told comes in every span of time at most so often."""
    rate, now, told = Rate(burst, per_s), 1000.0, []
    for gap in gaps:
        now += gap
        told.append(now + rate.count_one(now))
    assert told == sorted(told)
    for first, since in enumerate(told):
        for last in range(first, len(told)):
            assert last - first + 1 <= burst + (told[last] - since + NEARLY) * per_s


@given(BURSTS, PER_S, GAPS)
def test_nobody_waits_for_longer_than_he_must(burst: int, per_s: float, gaps: list[float]) -> None:
    """One that waits is the last of a span that is full to the brim."""
    rate, now = Rate(burst, per_s), 1000.0
    come: list[float] = []
    for gap in gaps:
        now += gap
        come.append(now)
        if wait := rate.count_one(now):
            spans = [
                come[first] + (len(come) - first - burst) / per_s for first in range(len(come))
            ]
            assert max(spans) == pytest.approx(now + wait, abs=NEARLY)


@given(BURSTS, PER_S, st.integers(0, 100))
def test_who_keeps_to_it_never_waits(burst: int, per_s: float, more: int) -> None:
    rate = Rate(burst, per_s)
    assert not any(rate.count_one(50.0) for _ in range(burst))
    assert not any(rate.count_one(50.0 + (step + 1) / per_s) for step in range(more))
