"""Defective mappings for testing the battery: each takes sound tickets and gives wrong multipliers.

For each its way to draw, out of weights and a seed, and by how much it shifts the chances.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import replace
from itertools import accumulate
from random import Random

from controller.draw.generator import Drawn, draw
from controller.draw.mapping import multiplier_for, ticket_bits
from controller.draw.weights import Weights
from proof.battery.deviations import Deviation, DrawOne, chances_of


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
