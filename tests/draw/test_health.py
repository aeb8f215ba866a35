"""The continuous tests: cutoffs as they are said to be, broken sources found, sound ones left."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.draw.generator import draw
from controller.draw.health import REMEMBERED, START_TICKETS, Health, cutoffs, start_up, watched
from controller.draw.weights import SourceFailed, Weights

EXAMPLE = Weights(((100, 4), (50, 8), (25, 20), (20, 20), (10, 24), (5, 12), (3, 7), (2, 5)))
ALPHA = Fraction(1, 1 << 60)

Source = Callable[[int], int]


def taken_before_it_fails(width: int, tickets: Iterator[int]) -> tuple[int, str]:
    """How many tickets it takes until a test fails, and which."""
    health = Health(width)
    for ticket in tickets:
        try:
            health.test_ticket(ticket)
        except SourceFailed as failed:
            return health.taken, str(failed)
    raise AssertionError("no test failed")


@pytest.mark.parametrize("width", [1, 2, 3, 7, 8, 16, 32])
def test_the_chance_of_a_false_alarm_is_as_stated(width: int) -> None:
    cut = cutoffs(width)
    one = Fraction(1, 1 << width)
    # So many more equal to the one before; one fewer would be too likely.
    assert one ** (cut.repeats - 1) <= ALPHA < one ** (cut.repeats - 2)

    def at_least(count: int) -> Fraction:
        others = cut.window - 1
        return sum(
            (
                comb(others, n) * one**n * (1 - one) ** (others - n)
                for n in range(count, others + 1)
            ),
            Fraction(0),
        )

    assert at_least(cut.same - 1) <= ALPHA < at_least(cut.same - 2)
    assert REMEMBERED * one**cut.sequence <= Fraction(1, 1 << 84)


def test_a_stuck_source_is_found_at_the_cutoff() -> None:
    taken, said = taken_before_it_fails(7, iter([5] * 100))
    assert (taken, said) == (cutoffs(7).repeats, "repetition count: 10 equal numbers in a row")


def test_a_lopsided_source_is_found_within_two_windows() -> None:
    source = random.Random(1)
    lopsided = (5 if source.random() < 0.25 else source.getrandbits(7) for _ in range(5000))
    taken, said = taken_before_it_fails(7, lopsided)
    assert "adaptive proportion" in said
    assert taken <= 10 * cutoffs(7).window


@pytest.mark.parametrize("period", [2, 3, 100, REMEMBERED])
def test_a_source_that_plays_its_output_again_is_found_once_it_does(period: int) -> None:
    source = random.Random(2)
    block = [source.getrandbits(7) for _ in range(period)]
    taken, said = taken_before_it_fails(7, iter(block * 60))
    assert taken == period + cutoffs(7).sequence
    assert f"in the same order {period} numbers before" in said


def test_no_more_is_remembered_than_is_said() -> None:
    source = random.Random(3)
    health = Health(7)
    for _ in range(3 * REMEMBERED):
        health.test_ticket(source.getrandbits(7))
    assert len(health._known) == len(health._order) == REMEMBERED


@given(st.integers(1, 32), st.integers(0, 1 << 32))
def test_a_sound_source_passes(width: int, seed: int) -> None:
    source = random.Random(seed)
    health = Health(width)
    for _ in range(2000):
        health.test_ticket(source.getrandbits(width))
    assert health.taken == 2000


def test_one_multiplier_with_a_weight_of_one_draws_without_chance() -> None:
    only = Weights(((2, 1),))
    health = start_up(only, lambda _: 0)
    assert (health.width, health.taken) == (0, 0)
    assert draw(only, watched(lambda _: 0, health)).multiplier == 2


def test_the_start_up_test_takes_as_many_as_it_says_on_the_path_of_draws() -> None:
    source = random.Random(4)
    asked: list[int] = []

    def bits(width: int) -> int:
        asked.append(width)
        return source.getrandbits(width)

    health = start_up(EXAMPLE, bits)
    assert set(asked) == {7}
    assert health.taken == len(asked) >= START_TICKETS >= 1024


def failing(width: int) -> int:
    raise OSError(11, "Resource temporarily unavailable")


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (failing, "gives no random numbers"),
        (lambda _: 128, "gave 128 for 7 random bits"),
        (lambda _: -1, "gave -1 for 7 random bits"),
        (lambda _: 3, "repetition count"),
        (lambda _: 127, "repetition count"),  # before the rejections have an end
    ],
)
def test_a_broken_source_does_not_start(source: Source, said: str) -> None:
    with pytest.raises(SourceFailed, match=said):
        start_up(EXAMPLE, source)


def test_no_number_reaches_a_draw_that_has_failed_a_test() -> None:
    given_out = iter([7] * 8 + [127, 7, 7, 7])
    source = watched(lambda _: next(given_out), Health(7))
    drawn = [draw(EXAMPLE, source).ticket for _ in range(8)]
    assert drawn == [7] * 8
    assert draw(EXAMPLE, source).rejected == (127,)  # the run is broken
    stuck = watched(lambda _: 7, Health(7))
    for _ in range(cutoffs(7).repeats - 1):
        draw(EXAMPLE, stuck)
    with pytest.raises(SourceFailed):
        draw(EXAMPLE, stuck)
