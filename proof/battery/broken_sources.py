"""Defective sources for testing the battery: the mapping is right, the numbers are not.

For each its numbers, out of a seed, and by how much it shifts what the tests look at.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from controller.draw.battery.series import CLASS_BITS
from controller.draw.battery.waves import LAGS
from controller.draw.generator import draw
from controller.draw.mapping import ticket_bits
from controller.draw.weights import Weights
from proof.battery.deviations import Bits, Deviation, DrawOne, raw_per_draw

STICKY = 0.02
WEAK = 0.02
BLOCK = 256
PERIOD_BITS = 12


def from_source(make: Callable[[Random], Bits]) -> Callable[[Weights, int], DrawOne]:
    """Draw soundly from a source that is not."""

    def plant(weights: Weights, seed: int) -> DrawOne:
        bits = make(Random(seed))
        return lambda: draw(weights, bits)

    return plant


def sticky(source: Random) -> Bits:
    """Now and then the number before once more."""
    last: int | None = None

    def bits(width: int) -> int:
        nonlocal last
        if last is None or source.random() >= STICKY:
            last = source.getrandbits(width)
        return last

    return bits


def sticky_deviations(weights: Weights) -> list[Deviation]:
    """What this does to pairs, and to the correlation with the number before."""
    classes = 1 << min(CLASS_BITS, ticket_bits(weights.total))
    raw = raw_per_draw(weights)
    return [
        Deviation("serial pairs", classes**2 - 1, raw / 2 * STICKY**2 * (classes - 1)),
        Deviation("serial correlation", LAGS, raw * STICKY**2),
    ]


def weak_bit(source: Random) -> Bits:
    """The lowest bit is 1 a little too often."""
    return lambda width: source.getrandbits(width) & ~1 | (source.random() < 0.5 + WEAK)


def stuck_bit(source: Random) -> Bits:
    """The lowest bit is 0."""
    return lambda width: source.getrandbits(width) & ~1


def bit_deviations(excess: float) -> Callable[[Weights], list[Deviation]]:
    """What it does to that bit when its chance is off by ``excess``."""

    def deviations(weights: Weights) -> list[Deviation]:
        shift = raw_per_draw(weights) * 4 * excess**2
        return [Deviation("bits", 1, shift, ticket_bits(weights.total))]

    return deviations


def replayed(source: Random) -> Bits:
    """Every block comes twice."""
    block: list[int] = []
    again: list[int] = []

    def bits(width: int) -> int:
        nonlocal again
        if again:
            return again.pop()
        block.append(source.getrandbits(width))
        if len(block) == BLOCK:
            again = block[::-1]
            block.clear()
            return again[0]
        return block[-1]

    return bits


def short_period(source: Random) -> Bits:
    """The same numbers over and over."""
    size = 1 << PERIOD_BITS
    order = list(range(size))
    source.shuffle(order)
    place = 0

    def bits(width: int) -> int:
        nonlocal place
        place = (place + 1) % size
        return order[place] >> max(PERIOD_BITS - width, 0)

    return bits
