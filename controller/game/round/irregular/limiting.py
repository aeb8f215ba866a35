"""Wagers above a box's maximum that were noticed too late: they count for less.

Capped: no single wager counts for more than the maximum (MBS 5.27). Pro rata: all wagers together
count for the maximum, each in proportion, but none for less than the table's minimum; a wager
placed below the minimum counts in full (RWS Pontoon Plus 5.1.1, 5.1.2). The doubled part is at most
the wager; a void round returns what was placed.
"""

from __future__ import annotations

from controller.game.money import Stake
from controller.game.round.irregularity import Irregularity
from controller.game.round.model import Bet, Box
from controller.game.round.refusal import Refused
from controller.game.round.state import Round


def _placed(rnd: Round, number: int) -> dict[str, int] | None:
    """The wagers on the box that can be limited, by bettor; None where an amount is not known."""
    box = rnd.boxes[number]
    stakes = {
        bettor: stake
        for bettor, stake in box.main.items()
        if any(bettor in hand.bets and _counts(rnd, hand.bets[bettor]) for hand in box.hands)
    }
    known = {bettor: stake for bettor, stake in stakes.items() if stake is not None}
    return known if len(known) == len(stakes) else None


def _counts(rnd: Round, bet: Bet) -> bool:
    """Whether the wager can be limited: it was not returned."""
    return not bet.given_back


def is_above(rnd: Round, number: int, most: Stake, how: str) -> bool:
    """Whether the wagers on the box are known to be above its maximum, limited in the way
    ``how``."""
    stakes = (_placed(rnd, number) or {}).values()
    above = max(stakes, default=0) if how == "cap" else sum(stakes)
    return above > (most or 0)


def limit(rnd: Round, found: Irregularity, how: str) -> None:
    """Reduce the open wagers on the box to its maximum.

    Raises:
        Refused: they are not above it, their amounts are not known, or they are settled.
    """
    box, most = rnd.boxes[found.box], found.amount or 0
    placed = _placed(rnd, found.box) or {}
    if not is_above(rnd, found.box, found.amount, how):
        raise Refused(
            f"no wager that is open on box {found.box} is known to be above its maximum",
            rnd.rules.betting.outside_limits.clause,
            short="NOT ABOVE IT",
        )
    plays = _capped(placed, most) if how == "cap" else _shares(rnd, placed, most)
    for bettor, stake in plays.items():
        _play_for(box, bettor, stake)


def _capped(placed: dict[str, int], most: int) -> dict[str, int]:
    return {bettor: min(stake, most) for bettor, stake in placed.items()}


def _shares(rnd: Round, placed: dict[str, int], most: int) -> dict[str, int]:
    """Shares of the maximum in even numbers of cents; the remainder goes to the wagers in turn, the
    one nearest the dealer first."""
    total, least = sum(placed.values()), rnd.limits.min
    scaled = {bettor: stake for bettor, stake in placed.items() if stake >= least}
    shares = {bettor: stake * most // total // 2 * 2 for bettor, stake in scaled.items()}
    left = (sum(stake * most for stake in scaled.values()) // total - sum(shares.values())) // 2
    for bettor in list(shares)[:left]:
        shares[bettor] += 2
    return {
        bettor: max(shares[bettor], least) if bettor in shares else stake
        for bettor, stake in placed.items()
    }


def _play_for(box: Box, bettor: str, stake: int) -> None:
    for hand in box.hands:
        bet = hand.bets.get(bettor)
        if bet and bet.open:
            bet.placed = (bet.stake, bet.double)
            bet.stake, bet.double = _least(bet.stake, stake), _least(bet.double, stake)


def _least(amount: Stake, most: int) -> Stake:
    return None if amount is None else min(amount, most)
