"""The draw itself, from the operating system's generator.

The rules:

- The source is the kernel's cryptographic generator, read through :mod:`secrets`. It is seeded by
  the kernel from the machine's own noise, waits at a first start until it is seeded, is reseeded
  all the time, and no two machines run the same sequence. This program neither seeds nor keeps
  any of it: there is no state to lose in a power cut or to read out, and no switch that alters
  it.
- A draw is made after the press that asks for it is on stable storage, never before, and its
  record is stored before anything is shown.
- The record holds all that is needed to come to the multiplier again: the tickets taken, those
  rejected, the total, and the identity of the weights.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from controller.draw.mapping import multiplier_for, take_ticket, ticket_bits
from controller.draw.weights import Weights


@dataclass(frozen=True, slots=True)
class Drawn:
    """A draw and how it came about.

    ``ticket`` is a number below ``total``; ``rejected`` are the tickets taken before it that were
    not; ``weights_id`` is :attr:`Weights.identity`.
    """

    multiplier: int
    ticket: int
    total: int
    rejected: tuple[int, ...]
    weights_id: str


def draw(weights: Weights, bits: Callable[[int], int] = secrets.randbits) -> Drawn:
    """Draw a multiplier; ``bits`` is the operating system's generator except in examinations.

    Raises :class:`controller.draw.errors.SourceFailed` when the generator is broken.
    """
    ticket, rejected = take_ticket(bits, weights.total)
    return Drawn(multiplier_for(weights, ticket), ticket, weights.total, rejected, weights.identity)


def recompute(weights: Weights, drawn: Drawn) -> str | None:
    """Return what is wrong with a recorded draw in plain words, None when it follows."""
    if drawn.weights_id != weights.identity:
        return f"was drawn with other weights ({drawn.weights_id[:12]}…) than {weights.canonical}"
    if drawn.total != weights.total:
        return f"has a total of {drawn.total}, the weights add up to {weights.total}"
    if not 0 <= drawn.ticket < drawn.total:
        return f"has ticket {drawn.ticket}, which is not below the total of {drawn.total}"
    limit = 1 << ticket_bits(drawn.total)
    if any(not drawn.total <= ticket < limit for ticket in drawn.rejected):
        return f"rejected {drawn.rejected}, among them a ticket that counts or cannot come"
    expected = multiplier_for(weights, drawn.ticket)
    if drawn.multiplier != expected:
        return f"has multiplier {drawn.multiplier}, ticket {drawn.ticket} stands for {expected}"
    return None
