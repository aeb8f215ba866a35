"""The draw itself, from the operating system's generator.

The rules:

- The source is the kernel's cryptographic generator, read through :mod:`secrets`. It is seeded by
  the kernel from the machine's own noise, waits at a first start until it is seeded, is reseeded
  all the time, and no two machines run the same sequence. This program neither seeds nor keeps
  any of it: there is no state to lose in a power cut or to read out, and no switch that alters
  it.
- A draw is made for a press that the table has taken, and its record becomes durable together with
  it, before anything is shown.
- The record holds all that is needed to come to the multiplier again: the tickets taken, those
  rejected, their bits, the total, the name of the mapping and the identity of the weights
  (:mod:`controller.draw.evidence` does it).
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from controller.draw.weights import MAPPING, Weights, multiplier_for, take_ticket, ticket_bits


@dataclass(frozen=True, slots=True)
class Drawn:
    """A draw, its ``ticket``, those ``rejected`` before it, and the identity of the weights."""

    multiplier: int
    ticket: int
    total: int
    rejected: tuple[int, ...]
    weights_id: str

    def as_body(self) -> dict[str, object]:
        """As the journal's entry of the draw has it."""
        return {
            "multiplier": self.multiplier,
            "ticket": self.ticket,
            "rejected": list(self.rejected),
            "bits": ticket_bits(self.total),
            "total": self.total,
            "weights": self.weights_id,
            "mapping": MAPPING,
        }


def draw(weights: Weights, bits: Callable[[int], int] = secrets.randbits) -> Drawn:
    """Draw a multiplier; ``bits`` is the operating system's generator, watched where a table draws.
    Raises :class:`controller.draw.weights.SourceFailed` when it is broken."""
    ticket, rejected = take_ticket(bits, weights.total)
    return Drawn(multiplier_for(weights, ticket), ticket, weights.total, rejected, weights.identity)
