"""What the battery looks at: a sample of draws, as the table makes them, seen as series of classes.

The rules:

- ``multipliers`` is the mapped sequence: what was drawn, as places in the weights. ``tickets`` are
  the raw numbers in the order in which they were taken, rejected ones included: the generator as
  such. ``accepted`` are those that counted.
- Tests of patterns need few classes that are not too rare. :func:`pooled` puts the rarest together;
  of a ticket its three highest bits are the class, elsewhere its three lowest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from controller.draw.generator import Drawn
from controller.draw.mapping import ticket_bits
from controller.draw.weights import Weights

MOST_CLASSES = 8
LEAST_CHANCE = 0.02
CLASS_BITS = 3


@dataclass(frozen=True, slots=True)
class Series:
    """Values 0 to ``len(chances)`` - 1, which should be independent with those chances."""

    values: Sequence[int]
    chances: tuple[float, ...]

    @property
    def counts(self) -> list[int]:
        """How often each value came."""
        counts = [0] * len(self.chances)
        for value in self.values:
            counts[value] += 1
        return counts


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample of draws: ``multipliers`` mapped; ``tickets`` raw, of ``bits`` bits each;
    ``accepted`` tickets, each below ``total``."""

    multipliers: Series
    tickets: Sequence[int]
    accepted: Sequence[int]
    bits: int
    total: int

    @property
    def high(self) -> Series:
        """The highest bits of every ticket."""
        spare = max(self.bits - CLASS_BITS, 0)
        return _uniform([ticket >> spare for ticket in self.tickets], self.bits)

    @property
    def low(self) -> Series:
        """The lowest bits of every ticket."""
        mask = (1 << CLASS_BITS) - 1
        return _uniform([ticket & mask for ticket in self.tickets], self.bits)


def collect(weights: Weights, draws: int, draw_one: Callable[[], Drawn]) -> Sample:
    """Draw that number of times with ``draw_one``, which draws as the table does."""
    places = {multiplier: place for place, (multiplier, _) in enumerate(weights.pairs)}
    values: list[int] = []
    tickets: list[int] = []
    accepted: list[int] = []
    for _ in range(draws):
        drawn = draw_one()
        values.append(places[drawn.multiplier])
        tickets.extend(drawn.rejected)
        tickets.append(drawn.ticket)
        accepted.append(drawn.ticket)
    chances = tuple(weight / weights.total for _, weight in weights.pairs)
    return Sample(
        Series(values, chances), tickets, accepted, ticket_bits(weights.total), weights.total
    )


def pooled(series: Series) -> Series:
    """Return the series with its rarest values put together, until there are few enough of them
    and none is too rare. It may come down to one class, of which there is nothing to say."""
    heap = [(chance, [value]) for value, chance in enumerate(series.chances)]
    heapify(heap)
    while len(heap) > 1 and (len(heap) > MOST_CLASSES or heap[0][0] < LEAST_CHANCE):
        (one, some), (other, more) = heappop(heap), heappop(heap)
        heappush(heap, (one + other, some + more))
    classes = sorted(heap, key=lambda pool: min(pool[1]))
    of = {value: place for place, (_, members) in enumerate(classes) for value in members}
    return Series([of[value] for value in series.values], tuple(chance for chance, _ in classes))


def _uniform(values: Sequence[int], bits: int) -> Series:
    classes = 1 << min(bits, CLASS_BITS)
    return Series(values, (1 / classes,) * classes)
