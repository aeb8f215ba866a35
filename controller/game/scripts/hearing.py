"""When a script's next step is heard, and what holds where a script says nothing."""

from __future__ import annotations

from controller.game.round import remedies
from controller.game.round.hands import controller_of
from controller.game.round.irregular import judging
from controller.game.round.irregular.cases import case_of, remedy_steps
from controller.game.round.looks import late_offer, put_back
from controller.game.round.remedies import ChooseCard, ChooseOption, Correction, PutsRight, Report
from controller.game.round.state import Round
from controller.game.round.states import WINDOWS, State
from controller.game.round.steps import AtBox, Double, Follow, HandComplete, Overdraw, Place, Step
from controller.game.rules.cases import KNOWN, NOT_ASKED

_STANDS = (State.PLAY_DECIDE, State.JACKPOT_ARMED, State.DEALER_SECOND_CARD, *WINDOWS)
"""States in which the round stands still."""


def waits_for(rnd: Round, upcoming: Step | None) -> bool:
    """Whether the round stands still for ``upcoming`` (None: nothing more is said)."""
    if rnd.irregular.irregularity:
        return True
    if isinstance(upcoming, PutsRight):
        return _waits_for_irregular(rnd, upcoming)
    if offer := late_offer(rnd):
        return isinstance(upcoming, AtBox) and (upcoming.verb, upcoming.seat.box) == offer
    match rnd.state:
        case State.PLAY_DECIDE | State.JACKPOT_ARMED:
            return True
        case State.OFFERS_OPEN:
            return upcoming is not None and upcoming.verb in WINDOWS[rnd.state]
        case State.PLAY_WITHDRAW:
            assert rnd.turn
            his = isinstance(upcoming, AtBox) and upcoming.seat.box == rnd.turn[0]
            return his and upcoming is not None and upcoming.verb in WINDOWS[rnd.state]
        case State.PLAY_SPLIT_CARD:
            return isinstance(upcoming, Follow | Place) and _is_anothers(rnd, upcoming)
        case State.PLAY_DOUBLE_CARD:
            return isinstance(upcoming, Double) and _is_anothers(rnd, upcoming)
    return False


def remedy_by_itself(rnd: Round, upcoming: Step | None) -> PutsRight | None:
    """The remedy where a script says nothing about what has gone wrong: a hand that was not asked
    stands as it lies; of cards that left together the one that was seen is used."""
    found = rnd.irregular.irregularity
    if found is None or isinstance(upcoming, PutsRight):
        return None
    if found.trigger == NOT_ASKED:
        return remedies.Continue()
    case = case_of(rnd, found)
    if case.by == "player" and case.remedies == ("use",) and len(found.seen) == 1:
        return remedies.Use(found.seen[0])
    return None


def _waits_for_irregular(rnd: Round, upcoming: PutsRight) -> bool:
    """Reports and corrections are heard where the round stands still or the dealer's second card is
    due, choices before anything else, other remedies when something is to be put right."""
    options = remedy_steps(rnd) if rnd.irregular.options else []
    if isinstance(upcoming, ChooseCard):  # another one may be of cards that are still to leave
        if any(isinstance(one, ChooseCard) and one.card == upcoming.card for one in options):
            return True
    elif isinstance(upcoming, ChooseOption):
        if any(isinstance(one, ChooseOption) and one.option == upcoming.option for one in options):
            return True
    elif rnd.irregular.options and isinstance(upcoming, remedies.VoidHand | remedies.Continue):
        return True
    comes_by_itself = rnd.state == State.DEALER_SECOND_CARD and put_back(rnd)
    stands = rnd.state in _STANDS and not comes_by_itself
    match upcoming:
        case remedies.WagerLies():
            return stands
        case Report() if not isinstance(upcoming, remedies.ReportTogether):
            return stands
        case Correction():
            first = rnd.state == State.DEALER_SECOND_CARD and not rnd.irregular.edits
            is_to_come = first and upcoming.number > rnd.out
            return stands and not is_to_come
    return rnd.state in (State.PLAY_DECIDE, State.JACKPOT_ARMED)


def _is_anothers(rnd: Round, step: AtBox) -> bool:
    """Whether the step is a standing bettor's on the hand in turn: the controller's is later."""
    hand = rnd.hand_in_turn
    if hand is None or step.seat.box != hand.box:
        return False
    return step.seat.bettor not in (None, controller_of(rnd, rnd.boxes[hand.box]))


def is_said_afterwards(step: Step) -> bool:
    """Whether the step may be said when the round is over."""
    if isinstance(step, Report):
        return not comes_with_a_card(step)
    return isinstance(
        step, HandComplete | Overdraw | Correction | remedies.WagerLies | remedies.Void
    )


def comes_with_a_card(step: Report) -> bool:
    """Whether the next card of the shoe is the one that is reported."""
    return KNOWN[step.trigger].unasked and not judging.reports_last_card(step)
