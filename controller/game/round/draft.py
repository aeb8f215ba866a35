"""Applies inputs to a draft: a round that the caller owns, and drops when an input is refused.

The functions of :mod:`~.play` copy their round to make the draft. Callers that never need the round
before (a simulation, a round played again) save the copies by calling these functions directly.
Each function changes the draft and returns it, or the round that replaces it after a replay.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, cast

from controller.game.round import moves
from controller.game.round.actions import place_insurance, place_surrender
from controller.game.round.guards import CHECKS, out_of_place, short_out_of_place
from controller.game.round.irregular import cases, judging, remedying, reporting
from controller.game.round.irregular.effects import decline
from controller.game.round.irregular.replaying import retell
from controller.game.round.irregular.wagers_keyed import with_wager
from controller.game.round.log import Draws, Input, Loose, Returns, cards_out
from controller.game.round.looks import draw_is_moot, is_late, late_offer, options_wait
from controller.game.round.machine import knows
from controller.game.round.offers import check_late, late_steps, offers_left
from controller.game.round.refusal import Refused, refusal_of
from controller.game.round.remedies import Correction, PutsRight, Report, WagerLies
from controller.game.round.settling.bookkeeping import return_bettors
from controller.game.round.state import Round
from controller.game.round.states import WINDOWS, RoundPart, State
from controller.game.round.steps import Done, Insure, Overdraw, Press, Stand, Step, Surrender
from controller.game.round.wagers import Limits, Sheet, boxes_of, check_sheet
from controller.game.rules.cards import Card, NumberedCard
from controller.game.rules.cases import KNOWN, Case
from controller.game.rules.schema import RuleSet

_DONE: Final = Done()


def begin_round(rules: RuleSet, limits: Limits, sheet: Sheet) -> Round:
    """A new round with closed bets, if its wagers are permitted together."""
    check_sheet(rules, sheet)
    return Round(rules, limits, boxes=boxes_of(rules, sheet), sheet=sheet.clone())


def check(rnd: Round, step: Step) -> None:
    """Check that the step is permitted in the present state."""
    guard = CHECKS.get(type(step))
    if guard is None:
        raise Refused(
            f"{step.verb!r} is no step of a round", out_of_place(rnd, step), "NO SUCH STEP"
        )
    if step.verb in rnd.rules.not_played:
        raise Refused(
            f"these rules do not play {step.verb!r}",
            rnd.rules.not_played[step.verb],
            short="NOT PLAYED HERE",
        )
    if not knows(rnd.state, step.verb):
        raise Refused(
            f"{step} is not permitted now ({rnd.state})",
            out_of_place(rnd, step),
            short=short_out_of_place(rnd, step),
        )
    guard(rnd, step)
    if isinstance(step, Done) and rnd.state.part is RoundPart.DEALER and not draw_is_moot(rnd):
        raise Refused(
            "the dealer must draw: wagers depend on it", rnd.clause, short="DEALER MUST DRAW"
        )


def play_again(rnd: Round, log: Iterable[Input]) -> Round:
    """A new round of the same wagers that is given all of ``log``."""
    boxes = boxes_of(rnd.rules, rnd.sheet)  # as it was keyed
    draft = Round(rnd.rules, rnd.limits, boxes=boxes, sheet=rnd.sheet)
    for given in log:
        draft = apply_input(draft, given)
    return draft


def apply_input(draft: Round, given: Input) -> Round:
    """Apply one input to the round, for the first time or in a replay."""
    what, value = given
    if isinstance(value, Step):
        return press(draft, value) if isinstance(value, Press) else take_step(draft, value)
    if what not in ("drawn", "shown"):  # a draw does not wait for a correction
        draft = judge(draft)
    match value:
        case Card() if what == "card":
            draft = deal(draft, value)
        case Card():
            moves.burn(draft, value)
        case Loose():
            _check_nothing_wrong(draft)
            reporting.lay_aside(draft, value)
        case _ if what == "waiting":
            _check_nothing_wrong(draft)
            moves.receive_waiting(draft)
        case _ if what == "back":
            moves.put_back(draft, *given.cards)
        case _:
            _apply_rare(draft, given)
            draft.log.append(given)
    return draft


def _check_nothing_wrong(rnd: Round) -> None:
    """Check that no irregularity is open, so that play may continue."""
    if rnd.irregular.irregularity is not None:
        raise Refused(
            f"something is wrong ({rnd.irregular.irregularity.trigger}): a remedy first",
            cases.case_of(rnd, rnd.irregular.irregularity).clause,
            short="REMEDY FIRST",
        )


def deal(draft: Round, card: Card) -> Round:
    """Deal a card that leaves the shoe to its one destination."""
    draft = judge(draft)
    _check_nothing_wrong(draft)
    left = moves.leave(draft, card)
    moves.receive(draft, left)
    if draft.irregular.options is not None:
        cases.end_spent_options(draft)
    draft.log.append(Input("card", left))
    return draft


def _apply_rare(draft: Round, given: Input) -> None:
    what, value = given
    match what:
        case "corrected":
            judging.amend(draft, given.corrections)
        case "drawn for":
            drawn = dict(cast("Draws", value))
            draft.draws.update(drawn)
            draft.served += tuple(drawn)
            judging.amend(draft, ())
        case "returned":
            for box, bettor, clause in cast("Returns", value):
                return_bettors(draft, draft.boxes[box], (bettor,), clause)
            moves.regroup(draft)
        case "options":
            draft.irregular.options = value if isinstance(value, Case) else None
            moves.regroup(draft)  # as behind the remedy that they belong to
        case _:
            moves.move(draft, what, *([] if value is None else [value]))


def press(draft: Round, step: Press) -> Round:
    """Press the button, also while an irregularity is open; raises as :func:`take_step`."""
    check(draft, step)
    moves.move(draft, "press", step)
    draft.log.append(Input("step", step))
    return draft


def take_step(draft: Round, step: Step) -> Round:
    """Take a player's decision, the dealer's ``done``, a report or a remedy. In a window (offers,
    withdrawal) any other step closes the window first, if the step is permitted then."""
    if isinstance(step, Correction):
        judging.check_correction(draft, step)
        draft.irregular.edits += (step,)
        return draft
    if draft.irregular.edits:
        if not judges_first(draft, step):
            wait, draft.irregular.edits = draft.irregular.edits, ()  # till it is taken back
            after = take_step(draft, step)
            after.irregular.edits = wait
            return after
        draft = judge(draft)
        if isinstance(step, Done):
            return draft
    if isinstance(step, PutsRight):
        return _put_right(draft, step)
    if isinstance(step, Overdraw):
        cases.check_overdraw(draft, step)
        left = step.card and moves.leave(draft, step.card)
        draft.irregular.beyond += [left] if left else []
        draft.log.append(Input("step", Overdraw(left)))
        return draft
    return _take_played(draft, step)


def _take_played(draft: Round, step: Step) -> Round:
    """Take a step of play: an offer, a decision, a press or the dealer's ``done``."""
    given = Input("step", step)
    _check_nothing_wrong(draft)
    if isinstance(step, Press):
        return press(draft, step)
    if isinstance(step, Insure | Surrender) and is_late(draft, step):
        CHECKS[type(step)](draft, step)
        if isinstance(step, Insure):
            place_insurance(draft, step)
        else:
            place_surrender(draft, step)
            moves.regroup(draft)
        if not late_steps(draft):
            draft.irregular.late = None
        draft.log.append(given)
        return draft
    if isinstance(step, Done) and late_offer(draft):
        draft.irregular.late = None
        draft.log.append(given)
        return draft
    check_late(draft, step)
    windows = (*WINDOWS, State.JACKPOT_PAYING)
    if isinstance(step, Done) and options_wait(draft) and draft.state not in windows:
        draft.irregular.options = None
        draft.log.append(given)
        return draft
    window = WINDOWS.get(draft.state)
    if window is not None and step.verb not in window:
        return take_step(take_step(draft, _DONE), step)
    check(draft, step)
    moves.move(draft, step.verb, step)
    if draft.state == State.OFFERS_OPEN and not offers_left(draft):
        moves.move(draft, "done", _DONE)
    if isinstance(step, Stand):
        decline(draft, step.seat.box)
    draft.irregular.late = None
    stays = draft.irregular.options and "until-card" in draft.irregular.options.options
    if not stays:
        draft.irregular.options, draft.irregular.chooser = None, 0
    draft.log.append(given)
    if stays:
        cases.end_spent_options(draft)
    return draft


def judges_first(rnd: Round, step: Step) -> bool:
    """Whether corrections are judged before the step; they wait while a decision is taken back that
    stands against them, as their refusal advises."""
    found = rnd.irregular.irregularity
    trigger = step.trigger if isinstance(step, Report) else found.trigger if found else ""
    if not isinstance(step, PutsRight) or not trigger or not KNOWN[trigger].rewinds:
        return True
    return refusal_of(judge, rnd) is None


def judge(draft: Round) -> Round:
    """Judge the corrections that wait, by the cards as they lie; refused where these do not permit
    what was decided on them."""
    if not draft.irregular.edits:
        return draft
    judging.check_no_draw(draft)
    return judging.judged(draft, play_again)


def _put_right(draft: Round, step: PutsRight) -> Round:
    """Apply a correction, a report or a remedy; a round that a snapshot has stored is played again
    for it, so that its cards are known by number."""
    if not all(isinstance(card, NumberedCard) for card in cards_out(draft.log)):
        stored, draft = draft, play_again(draft, draft.log)
        retell(draft, stored, [])
    if isinstance(step, WagerLies):
        after = with_wager(draft, step, play_again)
        judging.open_missing(after)
        return after
    if isinstance(step, Report) and judging.reports_last_card(step):
        return judging.last_card(draft, step, play_again)
    permitted = cases.remedy_steps(draft)  # before the step itself is the last one
    draft.log.append(Input("step", step))
    length = len(draft.log)
    if isinstance(step, Report):
        reporting.report(draft, step, play_again)
        after = draft
    else:
        after = remedying.remedy(draft, step, permitted, play_again)
    judging.open_missing(after)
    if after is draft:  # else the round was played again, and its log is complete
        del draft.log[length:]  # the consequences of the remedy follow from it
    return after
