"""From random bits to a multiplier: exact, in integers, and unbiased.

The rules:

- A *ticket* is a number of as many bits as ``total - 1`` has. One of ``total`` or more is rejected
  and another is taken: no remainder is folded back, which would bias towards the lower tickets.
  Fewer than half of all tickets are rejected.
- Tickets are dealt to the multipliers in the order of the weights: with ``100=4,50=8`` tickets 0
  to 3 are multiplier 100, tickets 4 to 11 multiplier 50. So of ``total`` tickets each multiplier
  has exactly its weight.
- The mapping is deterministic: the same ticket gives the same multiplier, at the draw and at every
  examination.
- The mapping has a name, which every draw records. A change of the mapping needs a new name.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate

from controller.draw.weights import SourceFailed, Weights

MAPPING = "cumulative-rejection-1"
"""The mapping of this module: rejected tickets, cumulated weights, its first version."""

REJECTIONS_LIMIT = 256
"""This number of rejections in a row has a chance below 2**-256: the source is broken."""


def ticket_bits(total: int) -> int:
    """Return how many random bits a ticket has, so that every number below ``total`` fits."""
    return (total - 1).bit_length()


def take_ticket(bits: Callable[[int], int], total: int) -> tuple[int, tuple[int, ...]]:
    """Return the first ticket below ``total``, and those rejected before it, in order.

    ``bits(k)`` gives k random bits as a number. Raises :class:`SourceFailed` when it gives more
    than it was asked for, or nothing usable.
    """
    width = ticket_bits(total)
    rejected: list[int] = []
    while len(rejected) < REJECTIONS_LIMIT:
        ticket = bits(width)
        if not 0 <= ticket < 1 << width:
            raise SourceFailed(f"the generator gave {ticket} for {width} random bits")
        if ticket < total:
            return ticket, tuple(rejected)
        rejected.append(ticket)
    raise SourceFailed(
        f"the generator gave {REJECTIONS_LIMIT} numbers of {width} bits in a row that are not "
        f"below {total}; it is broken and may not be used"
    )


def multiplier_for(weights: Weights, ticket: int) -> int:
    """Return the multiplier that a ticket (0 to total - 1) stands for; ValueError beyond."""
    if not 0 <= ticket < weights.total:
        raise ValueError(f"ticket {ticket} is not between 0 and {weights.total - 1}")
    bounds = list(accumulate(weight for _, weight in weights.pairs))
    return weights.pairs[bisect_right(bounds, ticket)][0]
