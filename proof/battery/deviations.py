"""How far a defect shifts what a test looks at: the words that planted defects share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from controller.draw.generator import Drawn
from controller.draw.mapping import ticket_bits
from controller.draw.weights import Weights

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


def chances_of(weights: Weights) -> list[float]:
    """Return the chance of each multiplier."""
    return [weight / weights.total for _, weight in weights.pairs]


def raw_per_draw(weights: Weights) -> float:
    """Return how many raw tickets a draw takes on average."""
    return (1 << ticket_bits(weights.total)) / weights.total
