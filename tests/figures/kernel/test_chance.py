"""The kernel's chance: the numbers of SplitMix64, and orders that come equally often."""

from __future__ import annotations

from collections import Counter
from math import factorial

import pytest

from figures.kernel.chance import GAMMA, MASK, mixed, shuffle
from proof.agreement.outcomes import Way, as_compiled, as_it_stands

OF_SEED_0 = (0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F)
"""The first numbers of the generator that its authors publish."""
CARDS, TIMES = 4, 24_000
MOST = 49.7
"""Chi square of 23 degrees of freedom is above that once in a thousand."""


def test_the_numbers_are_those_of_splitmix64() -> None:
    states = [(place + 1) * GAMMA & MASK for place in range(len(OF_SEED_0))]
    assert [mixed(state) for state in states] == list(OF_SEED_0)


def in_parts(way: Way, state: int) -> tuple[list[int], int]:
    """Cards that are shuffled in two parts, as a shoe is when a round needs more."""
    cards = way.cells(list(range(CARDS)))
    for low, high in ((0, 1), (1, CARDS)):
        with_sign = state - (state >> 63 << 64)  # as compiled numbers have it
        state = int(way.functions["shuffle"](cards, low, high, CARDS, with_sign)) & MASK
    return [int(card) for card in cards], state


def test_every_order_of_cards_comes_equally_often() -> None:
    seen, state, way = Counter[tuple[int, ...]](), 1, as_it_stands()
    for _ in range(TIMES):
        cards, state = in_parts(way, state)
        seen[tuple(cards)] += 1
    expected = TIMES / factorial(CARDS)
    assert len(seen) == factorial(CARDS)
    assert sum((count - expected) ** 2 / expected for count in seen.values()) < MOST


@pytest.mark.needs("numba")
def test_compiled_it_is_the_same_chance() -> None:
    state = 7
    for _ in range(50):
        (cards, then), (others, other) = (
            in_parts(way, state) for way in (as_it_stands(), as_compiled())
        )
        assert (cards, then) == (others, other)
        state = then


def test_what_is_shuffled_is_what_lay_there() -> None:
    cards = list(range(100))
    shuffle(cards, 20, 60, 90, 5)
    assert cards[:20] == list(range(20))
    assert cards[90:] == list(range(90, 100))
    assert sorted(cards[20:90]) == list(range(20, 90))
    assert cards[20:60] != list(range(20, 60))
