"""What a planted defect is, and how far it shifts what a test looks at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from controller.draw.generator import Drawn
from controller.draw.weights import Weights, ticket_bits

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
    """``plant`` makes a way to draw out of weights and a seed.

    ``deviations`` is worked out exactly: for a test by chi-square the noncentrality that one draw
    adds, with the degrees of freedom (:mod:`~.power`); ``sure_after`` are raw tickets after which a
    repeated sequence cannot be missed.
    """

    name: str
    about: str
    plant: Callable[[Weights, int], DrawOne]
    deviations: Callable[[Weights], Sequence[Deviation]] = lambda _: ()
    sure_after: int | None = None


def chances_of(weights: Weights) -> list[float]:
    """Return the chance of each multiplier."""
    return [weight / weights.total for _, weight in weights.pairs]


def raw_per_draw(weights: Weights) -> float:
    """Return how many raw tickets a draw takes on average."""
    return (1 << ticket_bits(weights.total)) / weights.total
