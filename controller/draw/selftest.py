"""The tests that a table starts with: before any device is commanded, and after every failure.

The rules:

- The mapping is proven, not sampled: every raw number is given to it, and what comes is counted.
- Then a fixed number of tickets passes through the continuous tests
  (:mod:`controller.draw.health`), on the path that draws take; SP 800-90B (4.3) asks for 1,024 at
  least.
- Tests draw for no offer: nothing of them is stored, shown or paid.

The long statistical battery is the technician's (``tablectl draw test``,
:mod:`controller.draw.battery`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from controller.draw.health import Health, watched
from controller.draw.mapping import multiplier_for, take_ticket, ticket_bits
from controller.draw.weights import SourceFailed, Weights

START_TICKETS = 4096
_ENUMERATED_UP_TO = 1 << 16


def start_up(weights: Weights, bits: Callable[[int], int]) -> Health:
    """Test mapping and generator; return the continuous tests, to go on with.

    Raises :class:`SourceFailed`, with what failed in plain words.
    """
    if (wrong := mapping_fault(weights)) is not None:
        raise SourceFailed(wrong)
    health = Health(ticket_bits(weights.total))
    cycle(weights, watched(bits, health), START_TICKETS)
    return health


def cycle(weights: Weights, source: Callable[[int], int], tickets: int) -> None:
    """Take that number of tickets in the same way as draws do, and discard them."""
    for _ in range(tickets):
        take_ticket(source, weights.total)


def mapping_fault(weights: Weights) -> str | None:
    """Put every raw number through the mapping, with very large totals only the ends of every
    multiplier's share; what is wrong in plain words, None when each has exactly its weight."""
    if weights.total <= _ENUMERATED_UP_TO:
        good = _every_number(weights) == dict(weights.pairs)
    else:
        good, first = True, 0
        for multiplier, weight in weights.pairs:
            ends = {multiplier_for(weights, first), multiplier_for(weights, first + weight - 1)}
            good = good and ends == {multiplier}
            first += weight
    return None if good else f"the mapping of tickets does not give the weights {weights.canonical}"


def _every_number(weights: Weights) -> Counter[int]:
    """How many raw numbers stand for each multiplier; behind one that is rejected comes a 0."""
    counts = Counter[int]()
    for raw in range(1 << ticket_bits(weights.total)):
        numbers = iter((raw, 0))
        ticket, rejected = take_ticket(lambda _, numbers=numbers: next(numbers), weights.total)  # type: ignore[misc]
        if not rejected:
            counts[multiplier_for(weights, ticket)] += 1
    return counts


def mapping_told(weights: Weights) -> str:
    """How the mapping is proven, in plain words."""
    if weights.total <= _ENUMERATED_UP_TO:
        numbers = 1 << ticket_bits(weights.total)
        return f"all {numbers} raw numbers mapped one by one, {weights.total} of them count"
    return f"first and last of every share of {weights.total} tickets mapped"
