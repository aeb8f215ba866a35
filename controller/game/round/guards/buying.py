"""Guards of buying a card and of taking one free, and of amounts that are added during play:
multiples of the table's step like all others, except insurance, which may be half of any wager."""

from __future__ import annotations

from controller.game.money import Stake, brief_amount, write_amount
from controller.game.round.looks import is_free
from controller.game.round.refusal import Refused
from controller.game.round.seats import controller_of, decided_by
from controller.game.round.state import Round
from controller.game.round.steps import Buy, Free


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


def check_buy(rnd: Round, step: Buy) -> None:
    """Check ``buy``: every card since the third was bought, and the last one could still bust; for
    at most the initial stake, payable in whole cents at all odds."""
    rule = rnd.rules.buy
    assert rule
    hand = decided_by(rnd, step.seat)
    if is_free(rnd, hand):
        raise Refused(
            f"the last card of box {hand.box} cannot be bought: it is free",
            rule.free_below.clause,
            short="IT IS FREE",
        )
    if hand.twisted:
        raise Refused(
            f"box {hand.box} has taken a card without buying: no more may be bought",
            rule.after_twist.clause,
            short="TWISTED ALREADY",
        )
    check_buy_amount(rnd, hand.bets[controller_of(rnd, rnd.boxes[hand.box])].stake, step.amount)


def check_buy_amount(rnd: Round, stake: Stake, amount: Stake) -> None:
    """Check that a card may be bought for that: at most the initial stake, and payable in whole
    cents at all odds."""
    rule = rnd.rules.buy
    assert rule
    if amount is None or stake is None:
        return
    if amount > stake:
        raise Refused(
            f"a card for {write_amount(amount)}: at most the initial stake of "
            f"{write_amount(stake)}",
            rule.maximum.clause,
            short=f"MOST {brief_amount(stake)}",
            code="above-most",
        )
    if amount < rnd.limits.increment:
        least = rnd.limits.increment
        raise Refused(
            f"a card for {write_amount(amount)}: at least {write_amount(least)}",
            rule.minimum.clause,
            short=f"LEAST {brief_amount(least)}",
            code="below-least",
        )
    check_increment(rnd, amount, rule.minimum.clause)
    if amount % 2:
        raise Refused(
            f"a card for {write_amount(amount)}: 3:2 of it cannot be paid in whole cents; "
            "expected an even number of cents",
            rnd.rules.betting.fractions.clause,
            short="EVEN CENTS ONLY",
        )


def check_free(rnd: Round, step: Free) -> None:
    """Check ``free``: the hand has all cards but the last, and that one cannot bust it."""
    rule = rnd.rules.buy
    assert rule
    hand = decided_by(rnd, step.seat)
    if not is_free(rnd, hand):
        raise Refused(
            f"box {hand.box} has no free card: expected four cards that total less than "
            f"{rule.free_below.value}",
            rule.free_below.own_clause,
            short="NO FREE CARD",
        )
