"""Defects for testing the battery: broken mappings and broken sources, each as a draw function.

They exist for the battery's own tests and for the table of its power in docs/draw.md; nothing at a
table imports them. Chance comes from a seed, so that a run can be repeated.

``deviations`` is worked out exactly: for a test by chi-square the noncentrality that one draw adds,
with the degrees of freedom (:mod:`~.power`); ``sure_after`` are raw tickets after which a repeated
sequence cannot be missed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from controller.draw.weights import Weights
from proof.battery import broken_sources, wrong_mappings
from proof.battery.deviations import Deviation, DrawOne, chances_of


@dataclass(frozen=True, slots=True)
class Defect:
    """``plant`` makes a way to draw out of weights and a seed."""

    name: str
    about: str
    plant: Callable[[Weights, int], DrawOne]
    deviations: Callable[[Weights], Sequence[Deviation]] = lambda _: ()
    sure_after: int | None = None


DEFECTS = (
    Defect(
        "biased modulus",
        "the raw number modulo the total, instead of rejecting",
        wrong_mappings.modulus,
        wrong_mappings.frequency(wrong_mappings.modulus_chances),
    ),
    Defect(
        "off by one",
        "every share begins one ticket late",
        wrong_mappings.shifted,
        wrong_mappings.frequency(wrong_mappings.shifted_chances),
    ),
    Defect(
        "swapped weights",
        "two weights exchanged, the two of which it is seen least",
        wrong_mappings.swapped,
        wrong_mappings.frequency(
            lambda weights: chances_of(wrong_mappings.swapped_weights(weights))
        ),
    ),
    Defect(
        "never twice",
        "what came last is drawn again until it is another",
        wrong_mappings.never_twice,
        wrong_mappings.never_twice_pairs,
    ),
    Defect(
        "sticky source",
        f"one number in {1 / broken_sources.STICKY:.0f} is the one before",
        broken_sources.from_source(broken_sources.sticky),
        broken_sources.sticky_deviations,
    ),
    Defect(
        "weak bit",
        f"the lowest bit is 1 in {50 + 100 * broken_sources.WEAK:.0f} of 100",
        broken_sources.from_source(broken_sources.weak_bit),
        broken_sources.bit_deviations(broken_sources.WEAK),
    ),
    Defect(
        "stuck bit",
        "the lowest bit is 0",
        broken_sources.from_source(broken_sources.stuck_bit),
        broken_sources.bit_deviations(0.5),
    ),
    Defect(
        "replayed blocks",
        f"{broken_sources.BLOCK} numbers, then the same once more, and so on",
        broken_sources.from_source(broken_sources.replayed),
        sure_after=2 * broken_sources.BLOCK,
    ),
    Defect(
        "short period",
        f"{1 << broken_sources.PERIOD_BITS} numbers in a shuffled order, over and over",
        broken_sources.from_source(broken_sources.short_period),
        sure_after=2 << broken_sources.PERIOD_BITS,
    ),
)
