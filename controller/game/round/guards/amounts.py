"""Amounts of wagers made during play: multiples of the table's step like all others, except
insurance, which may be half of any wager."""

from __future__ import annotations

from controller.game.money import brief_amount, write_amount
from controller.game.round.refusal import Refused
from controller.game.round.state import Round


def check_increment(rnd: Round, amount: int, clause: str) -> None:
    """Check that the amount is a multiple of the table's smallest step.

    Raises:
        Refused: it is not.
    """
    step = rnd.limits.increment
    if amount % step:
        raise Refused(
            f"{write_amount(amount)}: wagers go in steps of {write_amount(step)}",
            clause,
            short=f"STEPS OF {brief_amount(step)}",
            code="not-in-steps",
        )
