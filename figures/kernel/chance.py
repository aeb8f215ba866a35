"""The kernel's random numbers: SplitMix64, one number of 64 bits a call.

Its state is one number that grows by a constant, so a stream is begun anywhere and two of them with
far-off states do not meet. It passes the usual batteries; of each number a card needs nine bits.
Nothing here decides at a table: there the draw has its own generator (``controller.draw``).

Compiled, numbers have a sign and a shift to the right brings it along; so each shift is masked.

Source: G. L. Steele, D. Lea, C. H. Flood, Fast splittable pseudorandom number generators, 2014.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import Final

from figures.kernel.marks import Bits, kernel

MASK: Final = Bits(0xFFFF_FFFF_FFFF_FFFF)
GAMMA: Final = Bits(0x9E37_79B9_7F4A_7C15)
FIRST: Final = Bits(0xBF58_476D_1CE4_E5B9)
SECOND: Final = Bits(0x94D0_49BB_1331_11EB)
LOW_34: Final = (1 << 34) - 1
LOW_37: Final = (1 << 37) - 1
LOW_33: Final = (1 << 33) - 1
LOW_32: Final = (1 << 32) - 1


@kernel
def mixed(state: int) -> int:
    """The 64 random bits of that state."""
    z = ((state ^ ((state >> 30) & LOW_34)) * FIRST) & MASK
    z = ((z ^ ((z >> 27) & LOW_37)) * SECOND) & MASK
    return z ^ ((z >> 31) & LOW_33)


@kernel
def part(bits: int, size: int) -> int:
    """A number below ``size`` out of the low 32 of these bits: each has the same chance to within
    ``size`` in 2 to the 32nd."""
    return ((bits & LOW_32) * size) >> 32


@kernel
def shuffle(cards: MutableSequence[int], low: int, high: int, end: int, state: int) -> int:
    """Fill the places from ``low`` to ``high`` by chance with the cards of ``low`` to ``end``; the
    state after that (Fisher and Yates). Each number places two cards."""
    for place in range(low, high, 2):
        state = (state + GAMMA) & MASK
        bits = mixed(state)
        other = place + part(bits, end - place)
        card = cards[place]
        cards[place] = cards[other]
        cards[other] = card
        following = place + 1
        if following < end:
            other = following + part(bits >> 32, end - following)
            card = cards[following]
            cards[following] = cards[other]
            cards[other] = card
    return state
