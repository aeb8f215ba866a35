"""The weights of the games multipliers, as configured and approved.

The rules:

- No rule document gives weights (Pontoon Pandemonium 4.2 names only the multipliers), so they are
  configuration, under the regulator's approval. They name exactly the multipliers of the rule
  set: one forgotten or one too many is an error and never a zero.
- A weight is a positive integer: a multiplier that is printed on the layout can be won. Fractions
  and booleans are refused; they would be a typing error.
- The order is the rule set's, first to last. It is part of what the mapping means, so it is part
  of the identity, which every draw records.

Errors of a draw stand here, too; their messages are for the person who configures or examines a
table."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property


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
    """Multipliers with their weights, ``pairs`` in the order of the rule set.

    Built by :func:`read_weights` from a configuration; raises :class:`BadWeights` when a weight
    is not a positive integer, a multiplier comes twice, or the total is out of bounds.
    """

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
    """Return the weights that a configuration gives to the rule set's ``multipliers``.

    Keys are numbers, or their decimal text as TOML gives them. Raises :class:`BadWeights`.
    """
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
    """Return the multiplier that a key names; its text has one spelling only."""
    if type(key) is int:
        return key
    if isinstance(key, str) and _NUMBER.fullmatch(key):
        return int(key)
    raise BadWeights(f"{_KEY}: the key {key!r} is no games multiplier; expected exactly {expected}")


def _value_text(value: object) -> str:
    """A value as messages write it."""
    try:
        return repr(value) if isinstance(value, str) else str(value)
    except ValueError:  # Python prints no number of more than 4300 digits, TOML has them
        return "a number of thousands of digits"
