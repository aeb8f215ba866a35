"""The steps that are permitted now, as templates (``double 1 AMOUNT``), found with the guards
themselves."""

from __future__ import annotations

from collections.abc import Iterator

from controller.round.irregular.cases import remedy_steps
from controller.round.looks import draw_is_moot, late_offer, options_wait, put_back
from controller.round.model import BETTORS, Hand
from controller.round.offers import late_steps, may, open_offers
from controller.round.play import take_step
from controller.round.seats import controller_of
from controller.round.state import Round
from controller.round.states import WINDOWS, Part, State
from controller.round.steps.step import Seat, Step

_WITH_AMOUNT = frozenset({"double", "insure", "buy"})


_DECISIONS = ("hit", "free", "buy", "stand", "double", "split", "surrender", "absent")


def template(step: Step) -> str:
    """The step as text, with placeholders for what is still to be filled in."""
    if step.verb == "nominate":
        return f"nominate {step.seat} BY"
    return f"{step} AMOUNT" if step.verb in _WITH_AMOUNT else str(step)


def permitted_steps(rnd: Round) -> list[Step]:
    """The steps that are permitted now, amounts and nominees left open."""
    return list(dict.fromkeys(_steps(rnd)))


def permitted(rnd: Round) -> list[str]:
    """The steps that are permitted now, as templates."""
    return list(dict.fromkeys(map(template, _steps(rnd))))


def _steps(rnd: Round) -> Iterator[Step]:
    if rnd.irregular.edits:
        yield Step("done")
        return
    if rnd.irregular.irregularity or rnd.irregular.options:
        yield from remedy_steps(rnd)
    if rnd.irregular.irregularity:
        return
    if late_offer(rnd):
        yield from late_steps(rnd)
        yield Step("done")
        return
    waits = put_back(rnd) and rnd.state in (State.PLAY_SPLIT_CARD, State.PLAY_DOUBLE_CARD)
    if (options_wait(rnd) or waits) and rnd.state not in (*WINDOWS, State.JACKPOT_PAYING):
        yield Step("done")
    match rnd.state:
        case State.JACKPOT_ARMED:
            assert rnd.armed is not None
            yield Step("nominate", Seat(rnd.armed), by_staff=True)
        case State.JACKPOT_PAYING:
            yield Step("done")
        case State.OFFERS_OPEN:
            yield from open_offers(rnd)
            yield Step("done")
            yield from _after_window(rnd)
        case State.PLAY_SPLIT_CARD:
            yield from _after_split(rnd)
        case State.PLAY_DECIDE | State.PLAY_FORCED_CARD:
            yield from _decisions(rnd)
        case State.PLAY_DOUBLE_CARD:
            hand = rnd.hand_in_turn
            assert hand
            others = {bettor for bettor, bet in hand.bets.items() if not bet.doubled and bet.open}
            steps = (Step("double", seat) for seat in _co_seats(rnd, frozenset(others)))
            yield from (step for step in steps if may(rnd, step))
        case State.PLAY_WITHDRAW:
            yield from _withdrawals(rnd)
            yield Step("done")
            yield from _after_window(rnd)
        case State.DEALER_SECOND_CARD | State.DEALER_DRAW if draw_is_moot(rnd) and not options_wait(
            rnd
        ):
            yield Step("done")


def _after_window(rnd: Round) -> Iterator[Step]:
    after = take_step(rnd, Step("done"))
    if after.state not in WINDOWS and after.state.part is Part.PLAY:
        yield from _steps(after)


def _seat(hand: Hand, bettor: str, control: str) -> Seat:
    return Seat(hand.box, None if bettor == control else bettor)


def _co_seats(rnd: Round, bettors: frozenset[str]) -> Iterator[Seat]:
    hand = rnd.hand_in_turn
    assert hand
    control = controller_of(rnd, rnd.boxes[hand.box])
    return (_seat(hand, bettor, control) for bettor in BETTORS if bettor in bettors)


def _decisions(rnd: Round) -> Iterator[Step]:
    hand = rnd.hand_in_turn
    assert hand
    known = _DECISIONS if rnd.state == State.PLAY_DECIDE else ("hit",)
    verbs = (verb for verb in known if verb not in rnd.rules.not_played)
    steps = (Step(verb, Seat(hand.box)) for verb in verbs)
    return (step for step in steps if may(rnd, step))


def _after_split(rnd: Round) -> Iterator[Step]:
    hand = rnd.hand_in_turn
    assert hand
    newest = max(other.number for other in rnd.boxes[hand.box].hands)
    for seat in _co_seats(rnd, rnd.may_follow):
        if not may(rnd, Step("follow", seat)):
            continue
        yield Step("follow", seat)
        if "place" not in rnd.rules.not_played:
            yield from (Step("place", seat, number=number) for number in (hand.number, newest))


def _withdrawals(rnd: Round) -> Iterator[Step]:
    hand = rnd.hand_in_turn
    assert hand
    choosers = frozenset(bettor for bettor, bet in hand.bets.items() if bet.may_withdraw)
    for seat in _co_seats(rnd, choosers):
        yield Step("withdraw", seat)
        yield Step("keep", seat)
