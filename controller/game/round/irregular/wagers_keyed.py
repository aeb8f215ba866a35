"""``wager BOX KIND AMOUNT`` behind closed bets: what lies there was keyed otherwise.

Wagers count as their chips lie (RWS Pontoon Plus 5.14). The round is played again with the wager
as it is: what was settled on the other sum is reversed, and nothing else changes. Where the round
could not have been played with it, as when more was doubled than lies there, that is said, and put
right first: ``double`` and ``insurance`` are kinds too. How a round is played again is handed in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from controller.game.round.irregular.judging import check_no_draw
from controller.game.round.irregular.replaying import retell
from controller.game.round.log import Given
from controller.game.round.model import BETTORS
from controller.game.round.money import write_amount
from controller.game.round.refusal import Refused
from controller.game.round.state import Round
from controller.game.round.states import State
from controller.game.round.steps.dealers import Done
from controller.game.round.steps.decisions import Double
from controller.game.round.steps.remedies import WagerLies
from controller.game.round.steps.step import Step
from controller.game.round.steps.wagers import Insure
from controller.game.round.wagers import MAIN, Limits, Sheet, check_sheet, check_wager
from controller.game.rules.schema import RuleSet

Begin = Callable[[RuleSet, Limits, Sheet], Round]
"""Begins a round with these wagers."""

Apply = Callable[[Round, Given], Round]
"""Applies an input to the round; raises :class:`Refused` where it is not permitted."""

ADDED: Final[dict[str, type[Double | Insure]]] = {"double": Double, "insurance": Insure}
"""Kinds that were added in the course of the round, by the steps that added them."""

UNLIMITED: Final = Limits(min=2, max=10**12)
"""What lies there lies there: a wager outside the table's limits is settled as the document has
it (RWS Pontoon Plus 5.1.1, 5.2.1; MBS 5.26, 5.27)."""


def with_wager(rnd: Round, step: WagerLies, begin: Begin, apply: Apply) -> Round:
    """The round with that wager, and what it changes told.

    Raises:
        Refused: it is that sum already, no such wager can lie there, or the round could not have
            been played with it.
    """
    if rnd.state == State.VOID:
        raise Refused("the round is void", rnd.clause, short="ROUND IS VOID")
    check_no_draw(rnd)
    bettor = step.seat.bettor or BETTORS[0]
    who, amount = f"{step.seat.box}{bettor}", write_amount(step.amount)
    try:
        added = step.kind in ADDED
        log = _with_added(rnd, step, bettor) if added else rnd.log
        sheet = rnd.sheet if added else _sheet(rnd, step, bettor)
        again = begin(rnd.rules, rnd.limits, sheet)
        for given in log:
            again = _apply(again, given, apply)
    except Refused as refused:
        if refused.code in ("no-such-wager-lies", "as-it-is"):
            raise
        raise Refused(
            f"{who} {step.kind} {amount}: the round could not have been played with it: "
            f"{refused.reason}",
            refused.clause,
            short="NOT WITH THAT",
        ) from refused
    retell(again, rnd, [f"{who} {step.kind} was keyed otherwise: {amount} lies there"])
    return again


def _apply(rnd: Round, given: Given, apply: Apply) -> Round:
    """Apply an input; offers that the other sum had closed by themselves are over before it."""
    try:
        return apply(rnd.clone(), given)
    except Refused:
        if rnd.state != State.OFFERS_OPEN:
            raise
    return apply(apply(rnd, Given("step", Done())), given)


def _sheet(rnd: Round, step: WagerLies, bettor: str) -> Sheet:
    """The wagers of the round with that one as it lies."""
    box, kind, betting = step.seat.box, step.kind, rnd.rules.betting
    sheet = rnd.sheet.clone()
    check_wager(rnd.rules, UNLIMITED, kind, box, bettor, step.amount, betting.boxes_max.value)
    if sheet.of_box(kind, box).get(bettor, 0) == step.amount:
        raise _as_it_is(step, betting.closed.clause)
    sheet.set(kind, box, bettor, step.amount)
    if box not in rnd.boxes or not sheet.of_box(MAIN, box):
        raise Refused(
            f"box {box} was dealt cards for a main wager, or was dealt none: what lies there "
            "otherwise is put right by what the cards are reported as",
            betting.closed.clause,
            short="NO SUCH WAGER",
            code="no-such-wager-lies",
        )
    check_sheet(rnd.rules, sheet)
    return sheet


def _with_added(rnd: Round, step: WagerLies, bettor: str) -> list[Given]:
    """The inputs of the round with the sum of that double or insurance as it lies; 0: there was
    none."""
    kind, log = ADDED[step.kind], rnd.log.copy()
    for place in reversed(range(len(log))):
        said = log[place].step
        if isinstance(said, kind) and _is_of(rnd, said, step.seat.box, bettor):
            if said.amount == step.amount:
                raise _as_it_is(step, rnd.rules.betting.closed.clause)
            log[place] = Given("step", replace(said, amount=step.amount))
            if not step.amount and kind is Insure:
                del log[place]
            return log
    raise Refused(
        f"{step.seat.box}{bettor} has no {step.kind}",
        rnd.rules.betting.closed.clause,
        short="NO SUCH WAGER",
        code="no-such-wager-lies",
    )


def _is_of(rnd: Round, said: Step, box: int, bettor: str) -> bool:
    """Whether the bettor has said that: a double without a letter is of whoever decided then."""
    if not isinstance(said, Double | Insure) or said.seat.box != box:
        return False
    if isinstance(said, Insure) or said.seat.bettor:
        return (said.seat.bettor or BETTORS[0]) == bettor
    doubled = [one.step for hand in rnd.boxes[box].hands for one in hand.said]
    return any(
        isinstance(one, Double) and one.amount == said.amount and one.seat.bettor == bettor
        for one in doubled
    )


def _as_it_is(step: WagerLies, clause: str) -> Refused:
    return Refused(
        f"{step.seat} {step.kind} is {write_amount(step.amount)} already", clause, short="AS IT IS"
    )
