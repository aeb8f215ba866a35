"""Multipliers that were drawn, held against their weights."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypedDict

from floor.facts.report.bounds import BAND, band

Draws = Mapping[str, Mapping[int, int]]
"""By weights (as ``100=4 25=96``), how often each multiplier was drawn."""


class MultiplierReport(TypedDict):
    """How often a multiplier was ``drawn`` of so many ``draws`` under ``weights``, how often it was
    to be ``expected``, and the exact bounds of 95 %. ``p`` is how often chance alone is as far off;
    ``found``: it is too far off for chance, of all that are compared in this report."""

    weights: str
    multiplier: int
    draws: int
    drawn: int
    expected: float
    low: int
    high: int
    p: float
    found: bool


def added(draws: Iterable[Draws]) -> Draws:
    """All of them together."""
    whole: dict[str, dict[int, int]] = {}
    for one in draws:
        for weights, drawn in one.items():
            together = whole.setdefault(weights, {})
            for multiplier, count in drawn.items():
                together[multiplier] = together.get(multiplier, 0) + count
    return whole


def multipliers(draws: Draws) -> int:
    """How many there are to compare."""
    return sum(len(weights.split()) for weights in draws)


def held_against_weights(draws: Draws, compared: int) -> Iterator[MultiplierReport]:
    """Each multiplier, the highest first; so many are ``compared`` in the whole report."""
    for weights, drawn in sorted(draws.items()):
        pairs = [(int(m), int(w)) for m, _, w in (one.partition("=") for one in weights.split())]
        count, whole = sum(drawn.values()), sum(weight for _, weight in pairs)
        for multiplier, weight in sorted(pairs, reverse=True):
            counted = drawn.get(multiplier, 0)
            within = band(count, weight / whole, counted)
            yield {
                "weights": weights,
                "multiplier": multiplier,
                "draws": count,
                "drawn": counted,
                "expected": round(count * weight / whole, 2),
                "low": within.low,
                "high": within.high,
                "p": within.p,
                "found": within.p < (1 - BAND) / compared,
            }
