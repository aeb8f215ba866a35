"""The most that the main wagers on one box may sum to (``Limits.box_max``), and guards of what is
added in play: doubles, and cards that are bought or free.

On a box the seated player comes first (RWS Pontoon Plus 5.1): his wager is taken although those of
``b`` and ``c`` are then too much, and theirs go back before bets are closed, ``c`` before ``b``. A
wager whose amount was not entered counts for nothing there. What is added are multiples of the
table's step like all others, except insurance, which may be half of any wager. What a single wager
may be is checked in :mod:`~.wagers`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from controller.game.commands.values import Stake, brief_amount, write_amount
from controller.game.round import hands
from controller.game.round.hands import is_free
from controller.game.round.model import Bet
from controller.game.round.refusal import Refused
from controller.game.round.state import Round
from controller.game.round.states import State
from controller.game.round.steps import Buy, Double, Free
from controller.game.round.wagers import MAIN, Limits, Sheet
from controller.game.rules.schema import RuleSet

SEATED = "a"


def check_added(
    rules: RuleSet, limits: Limits, sheet: Sheet, box: int, bettor: str, stake: Stake
) -> None:
    """Check the main wager beside the others on the box: less, or the seated player's, may be."""
    placed = sheet.of_box(MAIN, box)
    over = _over(limits, {**placed, bettor: stake})
    if not over or bettor == SEATED or (stake or 0) <= (placed.get(bettor) or 0):
        return
    raise Refused(
        f"main wager of {write_amount(stake)} of {box}{bettor}: box {box} would be "
        f"{write_amount(over)} above its maximum of {write_amount(limits.box_max)}",
        rules.betting.box_max.clause,
        short=f"{brief_amount(over)} TOO MUCH"[:16],
        code="above-box-maximum",
    )


def check_boxes(rules: RuleSet, limits: Limits, sheet: Sheet) -> None:
    """Check that no box exceeds its maximum; the refusal names who takes how much back."""
    found = excess(limits, sheet)
    if found is None:
        return
    box, over, back = found
    last, amount = next(iter(back.items()))
    what = " and ".join(f"{write_amount(part)} of {box}{b}" for b, part in back.items())
    raise Refused(
        f"main wagers on box {box} are {write_amount(over)} above its maximum of "
        f"{write_amount(limits.box_max)}: {what} must be taken back",
        rules.betting.box_max.clause,
        short=f"{box}{last.upper()}: {brief_amount(amount)} LESS"[:16],
        code="box-exceeds-maximum",
    )


class Excess(NamedTuple):
    """A ``box`` whose main wagers are by ``over`` above its maximum, and who takes what ``back``,
    the one furthest from the dealer first."""

    box: int
    over: int
    back: dict[str, int]


def excess(limits: Limits, sheet: Sheet) -> Excess | None:
    """The first box that exceeds its maximum; None where none does."""
    for box in sorted(sheet.wagers[MAIN]):
        main = sheet.of_box(MAIN, box)
        if over := _over(limits, main):
            return Excess(box, over, _back(main, over))
    return None


def _over(limits: Limits, main: Mapping[str, Stake]) -> int:
    """By how much they exceed the maximum of a box."""
    if not limits.box_max:
        return 0
    return max(0, sum(stake or 0 for stake in main.values()) - limits.box_max)


def _back(main: Mapping[str, Stake], over: int) -> dict[str, int]:
    """How much of that each takes back."""
    back = {}
    for bettor, stake in reversed(list(main.items())):
        if part := min(stake or 0, over):
            back[bettor] = part
            over -= part
    return back


def check_increment(rnd: Round, amount: int, clause: str) -> None:
    """Check that the amount is a multiple of the table's smallest step."""
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
    hand = hands.decided_by(rnd, step.seat)
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
    check_buy_amount(
        rnd, hand.bets[hands.controller_of(rnd, rnd.boxes[hand.box])].stake, step.amount
    )


def check_buy_amount(rnd: Round, stake: Stake, amount: Stake) -> None:
    """Check the price of a card: at most the initial stake, payable in whole cents at all odds."""
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
    hand = hands.decided_by(rnd, step.seat)
    if not is_free(rnd, hand):
        raise Refused(
            f"box {hand.box} has no free card: expected four cards that total less than "
            f"{rule.free_below.value}",
            rule.free_below.own_clause,
            short="NO FREE CARD",
        )


def check_double(rnd: Round, step: Double) -> None:
    """Check ``double``: by who controls the box or, before the card, by a standing bettor."""
    rule = rnd.rules.double
    assert rule
    if rnd.state == State.PLAY_DOUBLE_CARD:
        bet = hands.bet_in_turn(rnd, step.seat, "doubled")
        box = rnd.boxes[step.seat.box]
        hands.check_present(rnd, box, step.seat.bettor or hands.controller_of(rnd, box))
        hand = rnd.turn_hand
        if bet.doubled:
            raise Refused(
                f"{step.seat} has already doubled", rule.others.clause, short="DOUBLED ALREADY"
            )
    else:
        box = hands.box_of(rnd, step.seat)
        control = hands.controller_of(rnd, box)
        if rnd.turn and rnd.turn[0] == box.number and step.seat.bettor not in (None, control):
            raise Refused(
                f"{step.seat} may double only after {box.number}{control}, who decides",
                rule.others_first.clause,
                short="AFTER THE SEATED",
            )
        hand = hands.decided_by(rnd, step.seat)
        bet = hands.own_bet(rnd, hand, "double")
        if len(hand.cards) != 2 and rule.cards.value == "first_two":
            raise Refused(
                f"box {hand.box} has {len(hand.cards)} cards: only the first two may be doubled",
                rule.cards.clause,
                short="ONLY ON 2 CARDS",
            )
    check_double_amount(rnd, bet, step)


def check_double_amount(rnd: Round, bet: Bet, step: Double) -> None:
    """Check that the wager may be doubled by that: the document's least, at most the wager."""
    rule = rnd.rules.double
    assert rule
    least = rnd.limits.min if rule.minimum.value == "table_minimum" else rnd.limits.increment
    if bet.stake is not None and bet.stake < least:
        raise Refused(
            f"a wager of {write_amount(bet.stake)} cannot be doubled: the least is "
            f"{write_amount(least)}, and the most the wager itself",
            rule.minimum.clause,
            short="WAGER TOO SMALL",
        )
    if step.amount is None or bet.stake is None:
        return
    if step.amount < least:
        raise Refused(
            f"double of {write_amount(step.amount)}: at least {write_amount(least)}",
            rule.minimum.clause,
            short=f"LEAST {brief_amount(least)}",
            code="below-least",
        )
    check_increment(rnd, step.amount, rule.minimum.clause)
    if step.amount > bet.stake:
        raise Refused(
            f"double of {write_amount(step.amount)}: at most the original wager of "
            f"{write_amount(bet.stake)}",
            rule.maximum.clause,
            short=f"MOST {brief_amount(bet.stake)}",
            code="above-most",
        )
