"""The weights of the games multipliers, as configured and approved; and the mapping from random
bits to a multiplier: exact, in integers, and unbiased.

The rules for weights:

- No rule document gives them (Pontoon Pandemonium 4.2 names only the multipliers), so they are
  configuration, under the regulator's approval. They name exactly the multipliers of the rule set:
  one forgotten or one too many is an error and never a zero.
- A weight is a positive integer: a multiplier that is printed on the layout can be won. Fractions
  and booleans are refused; they would be a typing error.
- The order is the rule set's, first to last. It is part of what the mapping means, so it is part of
  the identity, which every draw records.

The rules for the mapping:

- A *ticket* is a number of as many bits as ``total - 1`` has. One of ``total`` or more is rejected
  and another is taken: no remainder is folded back, which would bias towards the lower tickets.
  Fewer than half of all tickets are rejected.
- Tickets are dealt to the multipliers in the order of the weights: with ``100=4,50=8`` tickets 0 to
  3 are multiplier 100, tickets 4 to 11 multiplier 50. So of ``total`` tickets each multiplier has
  exactly its weight.
- It is deterministic: the same ticket gives the same multiplier, at the draw and at every
  examination. It has a name, which every draw records; a change of the mapping needs a new name.

Errors of a draw stand here, too; their messages are for the person who configures or examines a
table.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate

MAPPING = "cumulative-rejection-1"
"""The mapping of this module: rejected tickets, cumulated weights, its first version."""

REJECTIONS_LIMIT = 256
"""This number of rejections in a row has a chance below 2**-256: the source is broken."""


def ticket_bits(total: int) -> int:
    """Return how many random bits a ticket has, so that every number below ``total`` fits."""
    return (total - 1).bit_length()


def take_ticket(bits: Callable[[int], int], total: int) -> tuple[int, tuple[int, ...]]:
    """The first ticket below ``total``, and those rejected before it; ``bits(k)`` gives k random
    bits. Raises :class:`SourceFailed` when it gives more than it was asked for, or nothing usable.
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


class BadWeights(ValueError):
    """The configured weights cannot be used; the message names key, value and what is expected."""


class FavoursPlayer(ValueError):
    """The weights give the player an advantage; ``edge`` is the house edge, which is negative."""

    def __init__(self, message: str, edge: Fraction) -> None:
        super().__init__(message)
        self.edge = edge


class SourceFailed(Exception):
    """The generator gave what chance does not give: play with it must stop."""


TOTAL_LIMIT = 1 << 32
"""The weights' total stays below this: a ticket fits into 32 bits."""
_KEY = "[multiplier] weights"
_PAIR = re.compile("([1-9][0-9]{0,8})=([0-9]{1,11})", re.ASCII)
_NUMBER = re.compile("[1-9][0-9]{0,8}", re.ASCII)


@dataclass(frozen=True)
class Weights:
    """Multipliers with their weights, ``pairs`` in the order of the rule set; :class:`BadWeights`
    when a weight is not a positive integer, a multiplier comes twice, or the total is out of
    bounds."""

    pairs: tuple[tuple[int, int], ...]

    def __post_init__(self) -> None:
        seen: set[int] = set()
        for multiplier, weight in self.pairs:
            if multiplier in seen:
                raise BadWeights(f"{_KEY}: multiplier {multiplier} is named twice")
            seen.add(multiplier)
            if type(weight) is not int or weight < 1:
                raise BadWeights(
                    f"{_KEY}: the weight of {multiplier} is {_value_text(weight)}; "
                    "expected a positive integer"
                )
        if not self.pairs:
            raise BadWeights(f"{_KEY}: no multiplier is named")
        if self.total >= TOTAL_LIMIT:
            raise BadWeights(
                f"{_KEY}: the weights add up to {_value_text(self.total)}; expected less than "
                f"{TOTAL_LIMIT}: divide them by a common factor"
            )

    @cached_property
    def total(self) -> int:
        """The sum of all weights; tickets are 0 to total - 1."""
        return sum(weight for _, weight in self.pairs)

    @cached_property
    def identity(self) -> str:
        """SHA-256, in hexadecimal, of the canonical text ``100=4,50=8,…`` (ASCII)."""
        return hashlib.sha256(self.canonical.encode("ascii")).hexdigest()

    @property
    def canonical(self) -> str:
        """The weights as one line of text, in order."""
        return ",".join(f"{multiplier}={weight}" for multiplier, weight in self.pairs)


def read_weights(
    configured: Mapping[str, object] | Mapping[int, object], multipliers: Sequence[int]
) -> Weights:
    """The weights that a configuration gives to the ``multipliers``, by number or its text, else
    :class:`BadWeights`."""
    given: dict[int, object] = {}
    expected = ", ".join(map(str, multipliers))
    for key, value in configured.items():
        multiplier = _multiplier(key, expected)
        if multiplier in given:
            raise BadWeights(f"{_KEY}: multiplier {multiplier} is named twice")
        if multiplier not in multipliers:
            raise BadWeights(
                f"{_KEY}: {multiplier} (weight {_value_text(value)}) is no games multiplier of the "
                f"rules; expected exactly {expected}"
            )
        given[multiplier] = value
    missing = [multiplier for multiplier in multipliers if multiplier not in given]
    if missing:
        raise BadWeights(
            f"{_KEY}: no weight for {', '.join(map(str, missing))}; expected exactly {expected}"
        )
    pairs = tuple((multiplier, given[multiplier]) for multiplier in multipliers)
    return Weights(pairs)  # type: ignore[arg-type]  # the class itself looks at every weight


def written_weights(text: str) -> Weights:
    """The weights of ``100=4,50=8,…``. Raises :class:`BadWeights`."""
    pairs = []
    for part in text.split(","):
        found = _PAIR.fullmatch(part.strip())
        if found is None:
            raise BadWeights(f"{part.strip()!r}: expected multiplier=weight,… as in 100=4,50=8")
        pairs.append((int(found[1]), int(found[2])))
    return Weights(tuple(pairs))


def _multiplier(key: object, expected: str) -> int:
    if type(key) is int:
        return key
    if isinstance(key, str) and _NUMBER.fullmatch(key):
        return int(key)
    raise BadWeights(f"{_KEY}: the key {key!r} is no games multiplier; expected exactly {expected}")


def _value_text(value: object) -> str:
    try:
        return repr(value) if isinstance(value, str) else str(value)
    except ValueError:  # Python prints no number of more than 4300 digits, TOML has them
        return "a number of thousands of digits"
