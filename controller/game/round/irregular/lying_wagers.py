"""Wagers as they lie behind closed bets: which there may be, what stands against another sum than
was keyed, and wagers above a box's maximum, which were noticed too late and count for less.

Against a sum stands what the bettor has decided, doubled, bought and insured with it; each check
names what is put right first. Capped: no single wager counts for more than the maximum (MBS 5.27).
Pro rata: all wagers together count for the maximum, each in proportion, but none for less than the
table's minimum; a wager placed below the minimum counts in full (RWS Pontoon Plus 5.1.1, 5.1.2).
The doubled part is at most the wager; a void round returns what was placed.
"""

from __future__ import annotations

from typing import Final

from controller.game.commands.values import Seat, Stake, write_amount
from controller.game.round.amounts import check_buy_amount, check_double_amount
from controller.game.round.model import BETTORS, BettorKey, Box, Hand
from controller.game.round.refusal import Refused
from controller.game.round.state import Irregularity, Round
from controller.game.round.steps import Buy, Double, Stand
from controller.game.round.wagers import MAIN

ADDED: Final = {"double": Double, "buy": Buy}
"""Kinds of wagers that are decided at a hand."""

INSURANCE: Final = "insurance"
"""The kind of wager that is placed when it is offered."""


def additions_of(box: Box, kind: str, bettor: str) -> list[tuple[Hand, int, Stake]]:
    """What the bettor has added of that kind: the hand, the place among its decisions, the sum."""
    return [
        (hand, place, one.step.amount)
        for hand in box.hands
        for place, one in enumerate(hand.said)
        if isinstance(one.step, Double | Buy)
        and isinstance(one.step, ADDED[kind])
        and one.step.seat.bettor == bettor
    ]


def doubled_with(box: Box, bettor: str) -> Hand | None:
    """The one hand with a wager of that bettor that others have doubled."""
    doubled = [hand for hand in box.hands if any(isinstance(o.step, Double) for o in hand.said)]
    hands = [hand for hand in doubled if bettor in hand.bets]
    return hands[0] if len(hands) == 1 else None


def insurances_of(rnd: Round, who: BettorKey) -> dict[tuple[BettorKey, BettorKey], Stake]:
    """What the bettor has insured, with what the cards do not offer any more behind the rest."""
    dropped = {(taker, of): sum_ for taker, of, sum_ in rnd.irregular.dropped_insurance}
    sums = {**rnd.insurance, **{key: dropped[key] for key in dropped if key not in rnd.insurance}}
    return {key: sum_ for key, sum_ in sums.items() if key[0] == who}


def kinds_of(rnd: Round, seat: Seat) -> list[str]:
    """The kinds of wagers that may lie there, with their numbers where there are several."""
    box, bettor = rnd.boxes.get(seat.box), seat.bettor or BETTORS[0]
    found = [MAIN, *rnd.rules.side_wagers]
    many = {kind: len(additions_of(box, kind, bettor)) if box else 0 for kind in ADDED}
    if box and not many[Double.verb] and doubled_with(box, bettor):
        many[Double.verb] = 1  # he may have doubled it too
    if rnd.rules.insurance is not None:
        insured = insurances_of(rnd, (seat.box, bettor))
        many[INSURANCE] = max(1, len(insured))  # it may be that nobody has keyed it
    for kind, count in many.items():
        found += [kind] if count == 1 else [f"{kind}.{which + 1}" for which in range(count)]
    return found


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
    """Check that not too much of the wager is insured; ``then``: what is put right first."""
    bet, rule = rnd.boxes[owner[0]].original_bet(owner[1]), rnd.rules.insurance
    sums = {taker: sum_ for (taker, whose), sum_ in rnd.insurance.items() if whose == owner}
    if not sums or bet is None or rule is None or bet.stake is None:
        return
    if 2 * sum(sum_ or 0 for sum_ in sums.values()) > bet.stake:
        takers = ", ".join(f"wager {box}{bettor} {INSURANCE}" for box, bettor in sums)
        raise Refused(
            f"insurance of at most half of {write_amount(bet.stake)}: {then or takers} first",
            rule.limit.clause,
        )


def is_above(rnd: Round, number: int, most: Stake, how: str) -> bool:
    """Whether the wagers are known to be above the box's maximum, limited in the way ``how``."""
    stakes = (_limited(rnd, number) or {}).values()
    above = max(stakes, default=0) if how == "cap" else sum(stakes)
    return above > (most or 0)


def _limited(rnd: Round, number: int) -> dict[str, int] | None:
    """The wagers on the box that were not returned, by bettor; None where one is not known."""
    box = rnd.boxes[number]
    stakes = {
        bettor: stake
        for bettor, stake in box.main.items()
        if any(bettor in hand.bets and not hand.bets[bettor].given_back for hand in box.hands)
    }
    known = {bettor: stake for bettor, stake in stakes.items() if stake is not None}
    return known if len(known) == len(stakes) else None


def limit(rnd: Round, found: Irregularity, how: str) -> None:
    """Reduce the open wagers on the box to its maximum, if they are known to be above it."""
    most = found.amount or 0
    placed = _limited(rnd, found.box) or {}
    if not is_above(rnd, found.box, found.amount, how):
        raise Refused(
            f"no wager that is open on box {found.box} is known to be above its maximum",
            rnd.rules.betting.outside_limits.clause,
            short="NOT ABOVE IT",
        )
    capped = {bettor: min(stake, most) for bettor, stake in placed.items()}
    for bettor, stake in (capped if how == "cap" else _shares(rnd, placed, most)).items():
        for bet in [
            hand.bets[bettor] for hand in rnd.boxes[found.box].hands if bettor in hand.bets
        ]:
            if bet.open:
                bet.placed = (bet.stake, bet.double)
                bet.stake, bet.double = _least(bet.stake, stake), _least(bet.double, stake)


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


def _least(amount: Stake, most: int) -> Stake:
    return None if amount is None else min(amount, most)
