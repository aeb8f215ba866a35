"""Options after a remedy: what players may choose, and what is the supervisor's to say then."""

from __future__ import annotations

from collections.abc import Iterator

from controller.round.model import Box
from controller.round.seats import controller_of
from controller.round.state import Round
from controller.round.steps.irregular import FORMS
from controller.round.steps.step import Seat, Step
from controller.rules.triggers import KNOWN


def voidable_boxes(rnd: Round) -> list[Box]:
    """Boxes whose hands can be void: those with a wager that was not given back, settled or not;
    in a round opened before, those with one that is not settled."""
    if not rnd.rules.corrects_settlements:
        return [box for box in rnd.boxes.values() if box.is_open]
    return [box for box in rnd.boxes.values() if not box.given_up]


def may_refuse(rnd: Round) -> bool:
    """Whether a hand may refuse the next card: not before the initial deal is complete."""
    return not rnd.state.startswith("deal.")


def _said_since(rnd: Round) -> list[Step]:
    """What was reported and put right since the last card, decision or press."""
    said: list[Step] = []
    for given in reversed(rnd.log):
        step = given.step
        if given.what in ("card", "waiting", "drawn") or (step and step.verb not in FORMS):
            break
        said += [step] if step else []
    return said[::-1]


def _voids_on(rnd: Round) -> bool:
    """Whether a hand was voided just now, and nobody has said that the others stand."""
    verbs = [step.verb for step in _said_since(rnd) if step.verb in ("void-hand", "continue")]
    return verbs[-1:] == ["void-hand"]


def lost_by_error(rnd: Round, box: Box, bettor: str) -> bool:
    """Whether the bettor's hand was settled by the very error that was reported and is not
    reconstructed: it is no less invalid than one that still plays (RWS Pontoon Plus 5.7.3). Of a
    box that has split it is not known which hand that was."""
    if not rnd.rules.corrects_settlements:
        return False
    reported = [
        step.seat
        for step in _said_since(rnd)
        if step.verb == "report" and KNOWN[step.word].rewinds and step.seat is not None
    ]
    if not any(seat.box == box.number for seat in reported):
        return False
    bets = [hand.bets[bettor] for hand in box.hands if bettor in hand.bets]
    return len(box.hands) == 1 and not any(bet.open or bet.given_back for bet in bets)


def options_of(rnd: Round) -> Iterator[Step]:
    """What players, and behind a voided hand the supervisor, may say after the last remedy."""
    case = rnd.options
    if case is None:
        return
    if "void-hand" in case.options and _voids_on(rnd):
        yield from (Step("void-hand", Seat(box.number)) for box in voidable_boxes(rnd))
        yield Step("continue")
    if "return" in case.options:
        for box in rnd.boxes.values():
            control = controller_of(rnd, box)
            for bettor in box.bettors_in_order:
                bets = [h.bets[bettor] for h in box.hands if bettor in h.bets]
                if any(bet.open for bet in bets) or lost_by_error(rnd, box, bettor):
                    seat = Seat(box.number, None if bettor == control else bettor)
                    yield Step("choose", seat, word="return")
    hand = rnd.offered_to
    if "refuse" in case.options and may_refuse(rnd) and rnd.waiting and hand is not None:
        yield Step("choose", Seat(hand.box), word="refuse")
        if case.trigger == "together":
            takers = [hand.box]
            if rnd.turn and rnd.turn[0] == rnd.chooser != hand.box:
                takers.append(rnd.chooser)
            for taker in takers:
                cards = dict.fromkeys(rnd.waiting)
                yield from (Step("choose", Seat(taker), cards=(card,)) for card in cards)


def supervisors_options(rnd: Round) -> list[str]:
    """The options behind a remedy that are the supervisor's to give: to void more hands, or to end
    that (Division 15, 16.5(a)), and what takes a settlement back."""
    case = rnd.options
    if case is None or rnd.irregularity is not None:
        return []
    return [
        str(step)
        for step in options_of(rnd)
        if step.verb in ("void-hand", "continue") or _reverses(rnd, step)
    ]


def _reverses(rnd: Round, step: Step) -> bool:
    """Whether the option takes back what was settled."""
    if step.word != "return" or step.seat is None:
        return False
    box = rnd.boxes[step.seat.box]
    return lost_by_error(rnd, box, step.seat.bettor or controller_of(rnd, box))
