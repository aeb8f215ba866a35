"""What stands against a sum that was keyed otherwise than it lies: what the bettor has decided,
doubled, bought and insured with it. Each check names what is put right first."""

from __future__ import annotations

from typing import Final

from controller.game.money import write_amount
from controller.game.round.guards.buying import check_buy_amount
from controller.game.round.guards.decisions import check_double_amount
from controller.game.round.model import BettorKey, Box
from controller.game.round.refusal import Refused
from controller.game.round.seats import original_bet
from controller.game.round.state import Round
from controller.game.round.steps import Buy, Double, Stand

ADDED: Final = {"double": Double, "buy": Buy}
"""Kinds of wagers that are decided at a hand."""

INSURANCE: Final = "insurance"
"""The kind of wager that is placed when it is offered."""


def check_decided_nothing(rnd: Round, box: Box, bettor: str) -> None:
    """Check that no wager of the round, and no decision but to stand, is the bettor's."""
    clause = rnd.rules.betting.closed.clause
    for one in [one for hand in box.hands for one in hand.said]:
        if one.step.seat.bettor == bettor and not isinstance(one.step, Stand):
            back = f"(report wrong-decision {box.number}, reconstruct)"
            raise Refused(f"{one.step} is his: take it back first {back}", clause)
    check_insures_nothing(rnd, box, bettor)


def check_insures_nothing(rnd: Round, box: Box, bettor: str) -> None:
    """Check that the bettor, whose wager does not lie there, has part in no insurance."""
    takers = [
        f"{n}{who}" for (n, who), of in rnd.insurance if (box.number, bettor) in ((n, who), of)
    ]
    if takers:
        first = ", ".join(f"wager {taker} {INSURANCE} 0" for taker in takers)
        clause = rnd.rules.betting.closed.clause
        raise Refused(f"{box.number}{bettor} has part in an insurance: {first} first", clause)


def check_amounts(rnd: Round, box: Box, bettor: str, then: str) -> None:
    """Check that the bettor could have added what he did; ``then``: what is put right first."""
    for hand in box.hands:
        bet = hand.bets.get(bettor)
        for one in hand.said:
            if bet is None or one.step.seat.bettor != bettor:
                continue
            try:
                if isinstance(one.step, Double):
                    check_double_amount(rnd, bet, one.step)
                elif isinstance(one.step, Buy):
                    check_buy_amount(rnd, bet.stake, one.step.amount)
            except Refused as refused:
                first = f"wager {box.number}{bettor} {then or one.step.verb} first"
                raise Refused(f"{refused.reason}: {first}", refused.clause) from refused


def check_insured(rnd: Round, owner: BettorKey, then: str = "") -> None:
    """Check that no more of the wager is insured than the document lets; ``then``: what is put
    right first."""
    bet, rule = original_bet(rnd.boxes[owner[0]], owner[1]), rnd.rules.insurance
    sums = {taker: sum_ for (taker, whose), sum_ in rnd.insurance.items() if whose == owner}
    if not sums or bet is None or rule is None or bet.stake is None:
        return
    if 2 * sum(sum_ or 0 for sum_ in sums.values()) > bet.stake:
        takers = ", ".join(f"wager {box}{bettor} {INSURANCE}" for box, bettor in sums)
        raise Refused(
            f"insurance of at most half of {write_amount(bet.stake)}: {then or takers} first",
            rule.limit.clause,
        )
