"""``wager BOX KIND AMOUNT`` behind closed bets: what lies there was keyed otherwise.

Wagers count as their chips lie (RWS Pontoon Plus 5.14). The sum changes where the round stands, and
hands and wagers are judged anew from the cards and from what was decided, by whom it was decided:
what was settled on the other sum is reversed, and nothing is decided, drawn or forgotten by it. So
a hand that nobody has decided for is told, and the button is offered where nothing was drawn.
``double``, ``buy`` and ``insurance`` are kinds, too. A sum with which people could not have decided
as they did is refused, and what stands against it is said: that is put right first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from controller.game.commands.values import Seat, Stake, write_amount
from controller.game.round.irregular import lying_wagers
from controller.game.round.irregular.judging import check_no_draw
from controller.game.round.irregular.replaying import Replay, numbered, retell
from controller.game.round.irregular.reporting import limit_again
from controller.game.round.irregular.settling_anew import settle_otherwise
from controller.game.round.log import Input
from controller.game.round.model import BETTORS, OUTSIDE, Bet, Box, Hand
from controller.game.round.refusal import Refused
from controller.game.round.remedies import WagerLies
from controller.game.round.state import Round
from controller.game.round.states import RoundPart
from controller.game.round.steps import Buy, Double
from controller.game.round.wagers import MAIN, Limits, Sheet, check_sheet, check_wager
from controller.game.rules.cases import NOT_ASKED

UNLIMITED: Final = Limits(min=2, max=10**12)
"""What lies there lies there: a wager outside the table's limits is settled as the document has
it (RWS Pontoon Plus 5.1.1, 5.2.1; MBS 5.26, 5.27)."""

Change = Callable[[], None]
"""Makes the change, once it has been checked; raises :class:`Refused` where people could not have
decided as they did."""


def with_wager(rnd: Round, step: WagerLies, replay: Replay) -> Round:
    """The round with that wager, and what it changes told.

    Raises:
        Refused: it is that sum already, no such wager can lie there, or people could not have
            decided with it as they did.
    """
    check_no_draw(rnd)
    again = numbered(rnd, replay, rnd.log)
    box = again.boxes.get(step.seat.box)
    if box is None:
        raise _not_dealt(rnd, step)
    change = _change(again, box, step)
    found = again.irregular.irregularity
    if found is not None and found.trigger == NOT_ASKED:
        again.irregular.irregularity = None  # it is found out again
    who = f"{step.seat.box}{_bettor(step)} {step.name}"
    try:
        settle_otherwise(again, change)
    except Refused as refused:
        raise Refused(
            f"{who} {write_amount(step.amount)}: the round could not have been played with it: "
            f"{refused.reason}",
            refused.clause,
            short="NOT WITH THAT",
        ) from refused
    again.log.append(Input("step", step))
    said = f"{who} was keyed otherwise: {write_amount(step.amount)} lies there"
    remarks = again.irregular.remarks[len(rnd.irregular.remarks) :]
    retell(again, rnd, [said, *remarks])
    return again


def _bettor(step: WagerLies) -> str:
    return step.seat.bettor or BETTORS[0]


def _change(rnd: Round, box: Box, step: WagerLies) -> Change:
    """What makes it the sum that lies there, if it is not that already and can lie there."""
    if step.kind == lying_wagers.INSURANCE:
        return _insured(rnd, box, step)
    if step.kind in lying_wagers.ADDED:
        return _added(rnd, box, step)
    if step.which:
        raise _none(rnd, step)
    return _placed(rnd, box, step)


def _placed(rnd: Round, box: Box, step: WagerLies) -> Change:
    """The change of a wager that was placed before the cards."""
    kind, bettor, betting = step.kind, _bettor(step), rnd.rules.betting
    sheet = Sheet({MAIN: {n: {**each.main} for n, each in rnd.boxes.items()}})
    for number, each in rnd.boxes.items():
        for side, wagers in each.sides.items():
            sheet.wagers.setdefault(side, {})[number] = {**wagers}
    check_wager(
        rnd.rules, UNLIMITED, kind, box.number, bettor, step.amount, betting.boxes_max.value
    )
    if sheet.of_box(kind, box.number).get(bettor, 0) == step.amount:
        raise _as_it_is(rnd, step)
    bet = box.original_bet(bettor)
    back = (kind, bettor) in box.given_back or (kind == MAIN and bet and bet.given_back)
    if back or box.given_up:
        out = f"{box.number}{bettor} has his wager back" if back else f"box {box.number} is out"
        raise _no_such(rnd, f"{out}: give back what lies there, too", "IT IS OUT")
    sheet.set(kind, box.number, bettor, step.amount)
    if not sheet.of_box(MAIN, box.number):
        raise _not_dealt(rnd, step)
    check_sheet(rnd.rules, sheet)
    wagers = sheet.of_box(kind, box.number)

    def change() -> None:
        if kind == MAIN:
            _set_main(rnd, box, wagers, bettor)
        else:
            sides = {**box.sides, kind: wagers}
            box.sides = {k: sides[k] for k in rnd.rules.side_wagers if sides.get(k)}
            if bettor not in {*box.bettors, *OUTSIDE}:
                lying_wagers.check_insures_nothing(rnd, box, bettor)

    return change


def _set_main(rnd: Round, box: Box, wagers: dict[str, Stake], bettor: str) -> None:
    """Have the bettor's main wager, and an equal one on each hand of his splits, be that sum."""
    box.main = wagers
    stake = wagers.get(bettor)
    for bet in box.bets:
        bet.count_in_full()
    if stake is None:
        lying_wagers.check_decided_nothing(rnd, box, bettor)
        for hand in box.hands:
            hand.bets.pop(bettor, None)
    else:
        if box.original_bet(bettor) is None:
            box.by_number[0].bets[bettor] = Bet(stake)
        for hand in box.hands:
            if bettor in hand.bets:
                hand.bets[bettor].stake = stake
    lying_wagers.check_amounts(rnd, box, bettor, "")
    lying_wagers.check_insured(rnd, (box.number, bettor))
    limit_again(rnd, box)


def _added(rnd: Round, box: Box, step: WagerLies) -> Change:
    """The change of what was added in the course of the round."""
    bettor = _bettor(step)
    additions = lying_wagers.additions_of(box, step.kind, bettor)
    doubled = lying_wagers.doubled_with(box, bettor) if step.kind == Double.verb else None
    if doubled and not additions and step.amount and not step.which:
        return lambda: _double_too(rnd, box, doubled, step)
    hand, place, _ = additions[_which(rnd, step, [sum_ for *_, sum_ in additions])]
    first = next(
        at
        for at, one in enumerate(hand.said)
        if isinstance(one.step, lying_wagers.ADDED[step.kind])
    )
    follows = step.kind == Double.verb and place > first
    if not step.amount and not follows:
        back = f"report wrong-decision {box.number}, reconstruct"
        raise _no_such(rnd, f"{step.seat} {step.name}: what was not added is taken back ({back})")

    def change() -> None:
        one = hand.said[place]
        assert isinstance(one.step, Double | Buy)
        now = [replace(one, step=replace(one.step, amount=step.amount))] if step.amount else []
        hand.said = (*hand.said[:place], *now, *hand.said[place + 1 :])
        _count_with(rnd, box, hand, step)

    return change


def _count_with(rnd: Round, box: Box, hand: Hand, step: WagerLies) -> None:
    """Have the wagers of the box count with what the bettor has added, if he could add it."""
    bettor = _bettor(step)
    for bet in box.bets:
        bet.count_in_full()
    if step.kind == Double.verb:
        hand.bets[bettor].double = step.amount
    lying_wagers.check_amounts(rnd, box, bettor, MAIN)
    limit_again(rnd, box)


def _double_too(rnd: Round, box: Box, hand: Hand, step: WagerLies) -> None:
    """Have the bettor have doubled behind who decided."""
    bettor = _bettor(step)
    last = max(at for at, one in enumerate(hand.said) if isinstance(one.step, Double))
    too = replace(hand.said[last], step=Double(Seat(box.number, bettor), step.amount))
    hand.said = (*hand.said[: last + 1], too, *hand.said[last + 1 :])
    hand.bets[bettor].doubled = True
    _count_with(rnd, box, hand, step)


def _insured(rnd: Round, box: Box, step: WagerLies) -> Change:
    """The change of an insurance, also of one that nobody has keyed; 0: there was none."""
    who = (box.number, _bettor(step))
    sums = lying_wagers.insurances_of(rnd, who)
    if not sums and step.amount and not step.which:
        key = (who, who)
        takers = [
            f"wager {n}{other} {lying_wagers.INSURANCE} 0"
            for (n, other), of in rnd.insurance
            if of == who
        ]
        if rnd.rules.insurance is None:
            raise _no_such(rnd, "these rules know no insurance")
        if takers:
            raise _no_such(rnd, f"another has taken it up: {', '.join(takers)} first")
        if box.original_bet(who[1]) is None or rnd.state.part is RoundPart.DEAL:
            raise _none(rnd, step)
    else:
        key = [*sums][_which(rnd, step, [*sums.values()])]

    def change() -> None:
        rnd.insurance = {k: sum_ for k, sum_ in rnd.insurance.items() if k != key}
        dropped = [one for one in rnd.irregular.dropped_insurance if one[:2] != key]
        if step.amount:
            rnd.insurance[key] = step.amount
        else:  # whose wager it was on is kept, for it may lie there after all
            dropped.append((*key, 0))
        rnd.irregular.dropped_insurance = dropped
        number, owner = key[1]
        lying_wagers.check_insured(rnd, key[1], f"wager {number}{owner} {MAIN}")

    return change


def _which(rnd: Round, step: WagerLies, sums: list[Stake]) -> int:
    """Which of these sums of one bettor it is: there is one, it is clear which, and another."""
    if not sums or step.which > len(sums):
        raise _none(rnd, step)
    lie = [at for at, sum_ in enumerate(sums) if sum_ != 0]
    if len(sums) > 1 and not step.which and len(lie) != 1:
        told = ", ".join(write_amount(sum_) or "?" for sum_ in sums)
        why = f"{step.seat} has {len(sums)} of {step.kind} ({told}): say which, "
        raise _no_such(rnd, f"{why}as in {step.kind}.{len(sums)}", "WHICH ONE?")
    at = step.which - 1 if step.which else lie[0] if len(lie) == 1 else 0
    if sums[at] == step.amount:
        raise _as_it_is(rnd, step)
    return at


def _none(rnd: Round, step: WagerLies) -> Refused:
    return _no_such(rnd, f"{step.seat} has no {step.name}")


def _not_dealt(rnd: Round, step: WagerLies) -> Refused:
    box = step.seat.box
    why = "is not in the round: no wager was keyed, and it got no cards; give back what lies there"
    if box in rnd.boxes:
        void = f"(report other, void-hand {box})"
        why = f"got cards for its main wager: where none lies, void its hand {void}"
    return _no_such(rnd, f"box {box} {why}")


def _no_such(rnd: Round, why: str, short: str = "NO SUCH WAGER") -> Refused:
    clause = rnd.rules.betting.closed.clause
    return Refused(why, clause, short=short, code="no-such-wager-lies")


def _as_it_is(rnd: Round, step: WagerLies) -> Refused:
    said = f"{step.seat} {step.name} is {write_amount(step.amount)} already"
    return Refused(said, rnd.rules.betting.closed.clause, short="AS IT IS")
