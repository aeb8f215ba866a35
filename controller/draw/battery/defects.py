"""Defects planted to be found: broken mappings and broken sources, each as a way to draw.

They exist for the battery's own tests and for the table of its power in docs/draw.md; nothing at a
table imports them. Chance comes from a seed, so that a run can be repeated.

``deviations`` is worked out exactly: for a test by chi-square the noncentrality that one draw adds,
with the degrees of freedom (:mod:`~.power`); ``sure_after`` are raw tickets after which a repeated
sequence cannot be missed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from random import Random

from controller.draw.battery.series import CLASS_BITS
from controller.draw.battery.waves import LAGS
from controller.draw.generator import Drawn, draw
from controller.draw.mapping import multiplier_for, ticket_bits
from controller.draw.weights import Weights

STICKY = 0.02
WEAK = 0.02
BLOCK = 256
PERIOD_BITS = 12

DrawOne = Callable[[], Drawn]
Bits = Callable[[int], int]


@dataclass(frozen=True, slots=True)
class Deviation:
    """``test`` has ``degrees`` of freedom and its noncentrality grows by ``shift`` with each draw;
    it is the likeliest of ``shares`` results that are looked at together."""

    test: str
    degrees: int
    shift: float
    shares: int = 1


@dataclass(frozen=True, slots=True)
class Defect:
    """``plant`` makes a way to draw out of weights and a seed."""

    name: str
    about: str
    plant: Callable[[Weights, int], DrawOne]
    deviations: Callable[[Weights], Sequence[Deviation]] = lambda _: ()
    sure_after: int | None = None


# ---- broken mappings ----------------------------------------------------------------------------


def _modulus(weights: Weights, seed: int) -> DrawOne:
    bits, width = Random(seed).getrandbits, ticket_bits(weights.total)

    def draw_one() -> Drawn:
        ticket = bits(width) % weights.total
        multiplier = multiplier_for(weights, ticket)
        return Drawn(multiplier, ticket, weights.total, (), weights.identity)

    return draw_one


def _modulus_chances(weights: Weights) -> list[float]:
    size = 1 << ticket_bits(weights.total)
    chances = dict.fromkeys((multiplier for multiplier, _ in weights.pairs), 0.0)
    for raw in range(size):
        chances[multiplier_for(weights, raw % weights.total)] += 1 / size
    return list(chances.values())


def _shifted(weights: Weights, seed: int) -> DrawOne:
    """``bisect_left`` where ``bisect_right`` is right: each share begins one ticket late."""
    bits = Random(seed).getrandbits
    bounds = list(accumulate(weight for _, weight in weights.pairs))

    def draw_one() -> Drawn:
        drawn = draw(weights, bits)
        return replace(drawn, multiplier=weights.pairs[bisect_left(bounds, drawn.ticket)][0])

    return draw_one


def _shifted_chances(weights: Weights) -> list[float]:
    counts = [weight for _, weight in weights.pairs]
    counts[0] += 1
    counts[-1] -= 1
    return [count / weights.total for count in counts]


def _swapped(weights: Weights, seed: int) -> DrawOne:
    other = _swapped_weights(weights)
    bits = Random(seed).getrandbits
    return lambda: draw(other, bits)


def _swapped_weights(weights: Weights) -> Weights:
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


def _never_twice(weights: Weights, seed: int) -> DrawOne:
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


def _never_twice_pairs(weights: Weights) -> list[Deviation]:
    chances = _chances(weights)
    scale = sum(p * (1 - p) for p in chances)
    shift = sum(
        ((p * q / scale if i != j else 0.0) - p * q) ** 2 / (p * q)
        for i, p in enumerate(chances)
        for j, q in enumerate(chances)
    )
    return [Deviation("serial pairs", len(chances) ** 2 - 1, shift / 2)]


# ---- broken sources -----------------------------------------------------------------------------


def _from_source(make: Callable[[Random], Bits]) -> Callable[[Weights, int], DrawOne]:
    def plant(weights: Weights, seed: int) -> DrawOne:
        bits = make(Random(seed))
        return lambda: draw(weights, bits)

    return plant


def _sticky(source: Random) -> Bits:
    last: int | None = None

    def bits(width: int) -> int:
        nonlocal last
        if last is None or source.random() >= STICKY:
            last = source.getrandbits(width)
        return last

    return bits


def _sticky_deviations(weights: Weights) -> list[Deviation]:
    classes = 1 << min(CLASS_BITS, ticket_bits(weights.total))
    raw = _raw_per_draw(weights)
    return [
        Deviation("serial pairs", classes**2 - 1, raw / 2 * STICKY**2 * (classes - 1)),
        Deviation("serial correlation", LAGS, raw * STICKY**2),
    ]


def _weak_bit(source: Random) -> Bits:
    return lambda width: source.getrandbits(width) & ~1 | (source.random() < 0.5 + WEAK)


def _stuck_bit(source: Random) -> Bits:
    return lambda width: source.getrandbits(width) & ~1


def _bit_deviations(excess: float) -> Callable[[Weights], list[Deviation]]:
    def deviations(weights: Weights) -> list[Deviation]:
        shift = _raw_per_draw(weights) * 4 * excess**2
        return [Deviation("bits", 1, shift, ticket_bits(weights.total))]

    return deviations


def _replayed(source: Random) -> Bits:
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


def _short_period(source: Random) -> Bits:
    size = 1 << PERIOD_BITS
    order = list(range(size))
    source.shuffle(order)
    place = 0

    def bits(width: int) -> int:
        nonlocal place
        place = (place + 1) % size
        return order[place] >> max(PERIOD_BITS - width, 0)

    return bits


# ---- all of them --------------------------------------------------------------------------------


def _frequency(
    chances_of: Callable[[Weights], list[float]],
) -> Callable[[Weights], list[Deviation]]:
    def deviations(weights: Weights) -> list[Deviation]:
        shift = sum(
            (q - p) ** 2 / p for q, p in zip(chances_of(weights), _chances(weights), strict=True)
        )
        return [Deviation("frequency", len(weights.pairs) - 1, shift)]

    return deviations


DEFECTS = (
    Defect(
        "biased modulus",
        "the raw number modulo the total, instead of rejecting",
        _modulus,
        _frequency(_modulus_chances),
    ),
    Defect(
        "off by one",
        "every share begins one ticket late",
        _shifted,
        _frequency(_shifted_chances),
    ),
    Defect(
        "swapped weights",
        "two weights exchanged, the two of which it is seen least",
        _swapped,
        _frequency(lambda weights: _chances(_swapped_weights(weights))),
    ),
    Defect(
        "never twice",
        "what came last is drawn again until it is another",
        _never_twice,
        _never_twice_pairs,
    ),
    Defect(
        "sticky source",
        f"one number in {1 / STICKY:.0f} is the one before",
        _from_source(_sticky),
        _sticky_deviations,
    ),
    Defect(
        "weak bit",
        f"the lowest bit is 1 in {50 + 100 * WEAK:.0f} of 100",
        _from_source(_weak_bit),
        _bit_deviations(WEAK),
    ),
    Defect("stuck bit", "the lowest bit is 0", _from_source(_stuck_bit), _bit_deviations(0.5)),
    Defect(
        "replayed blocks",
        f"{BLOCK} numbers, then the same once more, and so on",
        _from_source(_replayed),
        sure_after=2 * BLOCK,
    ),
    Defect(
        "short period",
        f"{1 << PERIOD_BITS} numbers in a shuffled order, over and over",
        _from_source(_short_period),
        sure_after=2 << PERIOD_BITS,
    ),
)


def _chances(weights: Weights) -> list[float]:
    return [weight / weights.total for _, weight in weights.pairs]


def _raw_per_draw(weights: Weights) -> float:
    """Raw tickets that a draw takes on average."""
    return (1 << ticket_bits(weights.total)) / weights.total
