"""Irregularities at the live table: what devices report, what people report, who corrects it.

The round knows the cases and their remedies (:mod:`controller.game.round.irregular`). This module
connects them to the table: an irregularity that stops the round holds play
(:mod:`~.irregularities`); the dealer gives the remedies that are the dealer's or a player's, the
supervisor any (:mod:`~.deciders`); play then continues automatically. Cards that wait are set aside
in :mod:`~.irregularities`; a correction is checked and counted in :mod:`~.correcting`.
"""

from __future__ import annotations

from controller.game.round import looks, play, remedies
from controller.game.round.irregular.cases import case_of
from controller.game.round.log import cards_out
from controller.game.round.permitted import permitted_steps
from controller.game.round.refusal import Refused, refusal_of
from controller.game.round.results import deed, totals
from controller.game.round.state import Round
from controller.game.round.states import State
from controller.game.round.steps import Done, Double, Follow, Free, Hit, Place, Step
from controller.game.round.wagers import MAIN, check_wager
from controller.game.rules.cases import KNOWN, NOT_ASKED
from controller.table import sequence
from controller.table.dealing import cards_in, correcting, irregularities, squeezing
from controller.table.dealing.irregularities import (
    dealer_may_give,
    discards_in_shoe,
    remedy_commands,
    with_kept,
)
from controller.table.shoe import card_sets, cutting
from controller.table.state.parts import Phase
from controller.table.state.table import CARD_IS_CHOSEN, Table


def shoe_ran_out(table: Table) -> None:
    """Open the irregularity of an empty shoe when a card is due, where the document has a case for
    it."""
    rnd = table.rnd
    if rnd is None or rnd.irregular.irregularity or table.dealing.reshuffled == table.round_number:
        return
    if table.holds.cards:  # it may be the card that is due
        return
    irregularities.noticed(table, "shoe-empty")
    update_irregularity(table)


def power_cut(table: Table) -> bool:
    """Open the irregularity of a power cut, a new boot in mid-round, with the document's remedies;
    a round that a correction has just ended needs none. Returns whether that was possible: no other
    irregularity is open."""
    if table.corrections:
        correcting.end_before_event(table)
    rnd = table.rnd
    if rnd is None or rnd.irregular.irregularity is not None:
        return False
    irregularities.noticed(table, "power")
    return True


def update_irregularity(table: Table) -> None:
    """Apply the consequences of an event: remarks are noted, cards that were put back are dealt
    where no decision is needed, an open irregularity holds the table, and one that is over releases
    it."""
    dealing = table.dealing
    assert dealing.rnd
    while looks.put_back(dealing.rnd) and not dealing.kept and due_by_itself(dealing.rnd):
        dealing.rnd = squeezing.take_waiting(table, dealing.rnd)
    if dealing.rnd.is_over:
        table.dealing.drop_kept()
    table.outcome.notes += dealing.rnd.irregular.remarks[dealing.remarked :]
    dealing.remarked = len(dealing.rnd.irregular.remarks)
    held = table.holds.irregular
    if table.irregularity_open:
        irregularities.hold_for_it(table, held)
    elif held is not None:
        table.holds.end_where(lambda hold: hold is held)
        cards_in.work_off(table, held.cards)
        update_irregularity(table)


def due_by_itself(rnd: Round) -> bool:
    """Whether the next card comes without a decision: only a card is possible, and no bettor may
    still add a wager before it."""
    if rnd.irregular.irregularity or looks.options_wait(rnd) or rnd.irregular.edits or rnd.is_over:
        return False
    if not looks.card_expected(rnd):
        return False
    if rnd.state in (State.PLAY_SPLIT_CARD, State.PLAY_DOUBLE_CARD):
        return not any(isinstance(s, Follow | Place | Double) for s in permitted_steps(rnd))
    return rnd.state not in CARD_IS_CHOSEN


def decide(table: Table, rnd: Round, step: Step) -> Round:
    """The round after a step that is not a remedy; Refused where it is not permitted now. A hit
    takes the card that was put back, if there is one; ``done`` ends the adding of wagers before
    it."""
    adds = rnd.state in (State.PLAY_SPLIT_CARD, State.PLAY_DOUBLE_CARD)
    if isinstance(step, Done) and adds and looks.put_back(rnd):
        return squeezing.take_waiting(table, rnd)
    after = play.take_step(rnd, step)
    if isinstance(step, Hit | Free) and after.irregular.waiting:
        return squeezing.take_waiting(table, after)
    return after


def dealer_step(table: Table, step: remedies.PutsRight) -> None:
    """Carry out a report or remedy of the dealer; Refused where it is the supervisor's, or not
    permitted."""
    if table.hold and table.hold.fault == "overdraw" and step == remedies.Discard():
        cards_in.discard_first(table)
        return
    sequence.check(table, "put_right", step)
    _check_no_card_waits(table)
    rnd = table.rnd
    assert rnd
    if isinstance(step, remedies.Correction):
        _correct(table, rnd, step, dealer=True)
        return
    found = rnd.irregular.irregularity
    case = case_of(rnd, found) if found else rnd.irregular.options
    behind = found is None and isinstance(step, remedies.Choose)
    reports = isinstance(step, remedies.Report)
    if not (reports or behind) and (case is None or not dealer_may_give(case, step)):
        clause = case.clause if case else table.clause
        raise Refused(f"{step} is the supervisor's to give", clause, short="SUPERVISOR ONLY")
    _give_step(table, rnd, step, by_dealer=True)


def supervisor_step(table: Table, step: remedies.PutsRight, *, named: bool = True) -> None:
    """Carry out a report, remedy or correction of the supervisor, or raise :class:`Refused`;
    ``named``: name and reason are given, without which no settlement is taken back."""
    sequence.check(table, "put_right", step)
    _check_no_card_waits(table)
    assert table.rnd
    if isinstance(step, remedies.Correction):
        _correct(table, table.rnd, step, dealer=False)
        return
    _give_step(table, table.rnd, step, may_take_back=named)
    if isinstance(step, remedies.WagerLies):
        _wager_lies(table, step)


def _wager_lies(table: Table, step: remedies.WagerLies) -> None:
    """Have the wager shown as it lies, and a main wager kept for the next round, where it could be
    entered for that. As behind a correction, what was owed before it changed has been paid."""
    if table.dealing.rnd and len(table.dealing.rnd.all_settlements) > table.dealing.told:
        table.dealing.end_correction()
    box, bettor, settings = step.seat.box, step.seat.bettor or "a", table.settings
    if step.kind in table.rules.side_wagers:
        table.betting.sheet.set(step.kind, box, bettor, step.amount)
    if step.kind != MAIN:
        return
    more = (MAIN, box, bettor, step.amount, settings.boxes)
    if refused := refusal_of(check_wager, table.rules, settings.limits, *more):
        table.note(f"not kept for the next round: {refused.reason}")
    else:
        table.betting.sheet.set(MAIN, box, bettor, step.amount)


def _check_no_card_waits(table: Table) -> None:
    """Check that no card waits behind a round that is over: it is put away first."""
    if table.phase is Phase.ENDED and table.holds.cards and not table.irregularity_open:
        raise Refused(
            f"{table.hold.reason if table.hold else ''}: discard it first",
            table.clause,
            short="DISCARD FIRST",
        )


def _correct(table: Table, rnd: Round, step: remedies.Correction, *, dealer: bool) -> None:
    if isinstance(step, remedies.Correct):
        correcting.check(table, step.card)
    after = play.take_step(rnd, step)
    table.dealing.correct_by(dealer=dealer)
    table.dealing.update(after)
    if table.hold is not None:  # nothing else could be said before it is judged
        correcting.judge(table, by_dealer=dealer)
        correcting.count_again(table, after.irregular.edits)


def resume(table: Table) -> None:
    """Continue play after a power cut, by the supervisor's command; Refused where another
    irregularity is open, or the document makes the round void."""
    assert table.rnd
    found = table.rnd.irregular.irregularity
    assert found
    case = case_of(table.rnd, found)
    if found.trigger != "power" or "continue" not in case.remedies:
        can = ", ".join(map(str, remedy_commands(table)))
        raise Refused(f"play cannot simply go on: permitted are {can}", case.clause, "REMEDY FIRST")
    _give_step(table, table.rnd, remedies.Continue())


def _give_step(
    table: Table,
    rnd: Round,
    step: remedies.PutsRight,
    *,
    may_take_back: bool = False,
    by_dealer: bool = False,
) -> None:
    said, found = step if isinstance(step, remedies.Report) else None, rnd.irregular.irregularity
    if found is not None and found.trigger == NOT_ASKED and not may_take_back:
        raise Refused(
            f"box {found.box} was not asked: {step} needs who and why: --by NAME --why TEXT",
            short="SAY WHO AND WHY",
        )
    before = with_kept(table)
    if said and KNOWN[said.trigger].unasked and not before.irregular.irregularity:
        after = play.without_last_card(before, said)  # nobody asked for it: it waits
    else:
        after = play.take_step(before, step)
    if not may_take_back:
        correcting.check_nothing_taken_back(rnd, after)
    if said and said.trigger in card_sets.REPORTED:
        table.dealing.doubt(said.trigger)
    if said and said.trigger == "wrong-payment":
        _say_again(table, said.box)
    if isinstance(step, remedies.Reshuffle):
        _reshuffled(table)
    if isinstance(step, remedies.Reconstruct) and found and found.trigger == "not-burned":
        table.shoe.burn(str(cards_out(after.log)[0]))
    if {"cutting-card-passed", "cutting-card-missing"} & set(after.irregular.after_round):
        table.shoe.shuffle_due(table.round_number, "no shuffle has followed the cutting card")
    if not (said and by_dealer):
        table.entering.forget_saved()
    dealing = table.dealing
    dealing.rnd = after
    if dealing.kept and after.irregular.waiting[:1] not in ([], [dealing.kept.card]):
        dealing.kept = None  # other cards now come before it


def _say_again(table: Table, box: int) -> None:
    """Say what should have been done at a box, what was said, and what is to be done now."""
    assert table.rnd
    said = [one.as_result() for one in table.rnd.all_settlements if one.box == box]
    right_now = [one for one in table.rnd.settlements if one.box == box]
    table.dealing.owed = [*(one for one in table.dealing.owed if one.box != box), *right_now]
    due = [one.as_result() for one in table.dealing.owed if one.box == box]
    right = ", ".join(sums for _, sums in totals(due))
    told = "; ".join(deed(one) for one in said)
    table.note(
        f"box {box}: right is, for the whole round: {right or 'nothing yet'}. It was said, one "
        f"after the other: {told or 'nothing'}. Compare that with what lies there, and pay or take "
        "the difference"
    )


def _reshuffled(table: Table) -> None:
    table.dealing.reshuffled = table.round_number
    if discards := cutting.of_discards(table):
        table.note(f"the discards go back into the shoe: {discards.text}")
    discards_in_shoe(table)
    table.holds.end_where(lambda hold: hold.fault == "shoe-reloaded")
    if table.rules.shoe.after_reshuffle.value == "shuffle_after_round":
        table.shoe.shuffle_due(table.round_number, "the discards were shuffled in this round")
