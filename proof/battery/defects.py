"""Defects for testing the battery: wrong mappings and broken sources, each as a draw function.

They exist for the battery's own tests and for the table of its power in docs/draw.md; nothing at a
table imports them. Chance comes from a seed, so that a run can be repeated.

- A wrong mapping takes sound tickets and gives wrong multipliers.
- A broken source has the right mapping, and numbers that are not right.

For each there is its way to draw, out of weights and a seed, and by how much it shifts what the
tests look at.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import replace
from itertools import accumulate
from random import Random

from controller.draw.battery.series import CLASS_BITS
from controller.draw.battery.verdict import LAGS
from controller.draw.generator import Drawn, draw
from controller.draw.weights import Weights, multiplier_for, ticket_bits
from proof.battery.deviations import Bits, Defect, Deviation, DrawOne, chances_of, raw_per_draw


def modulus(weights: Weights, seed: int) -> DrawOne:
    """Draw by the raw number modulo the total."""
    bits, width = Random(seed).getrandbits, ticket_bits(weights.total)

    def draw_one() -> Drawn:
        ticket = bits(width) % weights.total
        multiplier = multiplier_for(weights, ticket)
        return Drawn(multiplier, ticket, weights.total, (), weights.identity)

    return draw_one


def modulus_chances(weights: Weights) -> list[float]:
    """The chances that this gives."""
    size = 1 << ticket_bits(weights.total)
    chances = dict.fromkeys((multiplier for multiplier, _ in weights.pairs), 0.0)
    for raw in range(size):
        chances[multiplier_for(weights, raw % weights.total)] += 1 / size
    return list(chances.values())


def shifted(weights: Weights, seed: int) -> DrawOne:
    """``bisect_left`` where ``bisect_right`` is right: each share begins one ticket late."""
    bits = Random(seed).getrandbits
    bounds = list(accumulate(weight for _, weight in weights.pairs))

    def draw_one() -> Drawn:
        drawn = draw(weights, bits)
        return replace(drawn, multiplier=weights.pairs[bisect_left(bounds, drawn.ticket)][0])

    return draw_one


def shifted_chances(weights: Weights) -> list[float]:
    """The chances that this gives: a ticket more for the first, one fewer for the last."""
    counts = [weight for _, weight in weights.pairs]
    counts[0] += 1
    counts[-1] -= 1
    return [count / weights.total for count in counts]


def swapped(weights: Weights, seed: int) -> DrawOne:
    """Draw with two weights exchanged."""
    other = swapped_weights(weights)
    bits = Random(seed).getrandbits
    return lambda: draw(other, bits)


def swapped_weights(weights: Weights) -> Weights:
    """Two weights exchanged: the two different ones of which that is seen least."""
    pairs = list(weights.pairs)
    _, one, two = min(
        ((a[1] - b[1]) ** 2 * (1 / a[1] + 1 / b[1]), i, j)
        for i, a in enumerate(pairs)
        for j, b in enumerate(pairs)
        if i < j and a[1] != b[1]
    )
    pairs[one], pairs[two] = (pairs[one][0], pairs[two][1]), (pairs[two][0], pairs[one][1])
    return Weights(tuple(pairs))


def never_twice(weights: Weights, seed: int) -> DrawOne:
    """Draw again until it is another multiplier than the last one."""
    bits = Random(seed).getrandbits
    last = 0

    def draw_one() -> Drawn:
        nonlocal last
        drawn = draw(weights, bits)
        while drawn.multiplier == last:
            drawn = draw(weights, bits)
        last = drawn.multiplier
        return drawn

    return draw_one


def never_twice_pairs(weights: Weights) -> list[Deviation]:
    """What this does to pairs: a chain whose every step leaves the class it is in."""
    chances = chances_of(weights)
    scale = sum(p * (1 - p) for p in chances)
    shift = sum(
        ((p * q / scale if i != j else 0.0) - p * q) ** 2 / (p * q)
        for i, p in enumerate(chances)
        for j, q in enumerate(chances)
    )
    return [Deviation("serial pairs", len(chances) ** 2 - 1, shift / 2)]


def frequency(
    drawn_with: Callable[[Weights], list[float]],
) -> Callable[[Weights], list[Deviation]]:
    """How far the chances are from those of the weights."""

    def deviations(weights: Weights) -> list[Deviation]:
        shift = sum(
            (q - p) ** 2 / p for q, p in zip(drawn_with(weights), chances_of(weights), strict=True)
        )
        return [Deviation("frequency", len(weights.pairs) - 1, shift)]

    return deviations


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


DEFECTS = (
    Defect(
        "biased modulus",
        "the raw number modulo the total, instead of rejecting",
        modulus,
        frequency(modulus_chances),
    ),
    Defect(
        "off by one",
        "every share begins one ticket late",
        shifted,
        frequency(shifted_chances),
    ),
    Defect(
        "swapped weights",
        "two weights exchanged, the two of which it is seen least",
        swapped,
        frequency(lambda weights: chances_of(swapped_weights(weights))),
    ),
    Defect(
        "never twice",
        "what came last is drawn again until it is another",
        never_twice,
        never_twice_pairs,
    ),
    Defect(
        "sticky source",
        f"one number in {1 / STICKY:.0f} is the one before",
        from_source(sticky),
        sticky_deviations,
    ),
    Defect(
        "weak bit",
        f"the lowest bit is 1 in {50 + 100 * WEAK:.0f} of 100",
        from_source(weak_bit),
        bit_deviations(WEAK),
    ),
    Defect(
        "stuck bit",
        "the lowest bit is 0",
        from_source(stuck_bit),
        bit_deviations(0.5),
    ),
    Defect(
        "replayed blocks",
        f"{BLOCK} numbers, then the same once more, and so on",
        from_source(replayed),
        sure_after=2 * BLOCK,
    ),
    Defect(
        "short period",
        f"{1 << PERIOD_BITS} numbers in a shuffled order, over and over",
        from_source(short_period),
        sure_after=2 << PERIOD_BITS,
    ),
)
