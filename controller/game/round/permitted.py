"""The steps that are permitted now, found with the guards themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from controller.game.commands.command import Command
from controller.game.commands.values import Seat, Stake
from controller.game.round import steps
from controller.game.round.guards import may
from controller.game.round.hands import controller_of
from controller.game.round.irregular.cases import remedy_steps
from controller.game.round.looks import draw_is_moot, late_offer, options_wait, put_back
from controller.game.round.model import BETTORS, Hand
from controller.game.round.offers import late_steps, open_offers
from controller.game.round.play import take_step
from controller.game.round.state import Round
from controller.game.round.states import WINDOWS, RoundPart, State
from controller.game.rules.cases import KNOWN

_DECISIONS: Final[tuple[type[steps.Decision], ...]] = (
    *(steps.Hit, steps.Free, steps.Buy, steps.Stand),
    *(steps.Double, steps.Split, steps.Surrender, steps.Absent),
)


def permitted_steps(rnd: Round) -> list[steps.Step]:
    """The steps that are permitted now, amounts and nominees left open."""
    return list(dict.fromkeys(_steps(rnd)))


def permitted(rnd: Round) -> list[Command]:
    """The same as commands, with amounts and nominees open."""
    return [step.offered for step in permitted_steps(rnd)]


def proposed(rnd: Round, command: Command) -> Stake:
    """The sum that is meant where a raise or an insurance does not say it: as much as the wager on
    the hand in turn, half of what is insured; None where it is not known."""
    seat = command.owner or command.seat
    box = rnd.boxes.get(seat.box) if seat else None
    if seat is None or box is None:
        return None
    if command.verb == steps.Insure.verb:
        bets = [hand.bets.get(seat.bettor or "a") for hand in box.hands]
        stake = next((bet.stake for bet in bets if bet and bet.original), None)
        return stake // 2 if stake else None
    hand = hand_to_decide(rnd)
    bet = hand.bets.get(seat.bettor or controller_of(rnd, rnd.boxes[hand.box])) if hand else None
    return bet.stake if bet else None


def hand_to_decide(rnd: Round) -> Hand | None:
    """The hand in turn; where offers are open or nobody's turn is, the next one."""
    turn = None if rnd.state == State.OFFERS_OPEN else rnd.hand_in_turn
    return turn or rnd.next_hand


def _steps(rnd: Round) -> Iterator[steps.Step]:
    found = rnd.irregular.irregularity
    if rnd.irregular.edits and not (found and KNOWN[found.trigger].rewinds):
        yield steps.Done()
        return
    if rnd.irregular.irregularity or rnd.irregular.options:
        yield from remedy_steps(rnd)
    if rnd.irregular.irregularity:
        return
    if late_offer(rnd):
        yield from late_steps(rnd)
        yield steps.Done()
        return
    waits = put_back(rnd) and rnd.state in (State.PLAY_SPLIT_CARD, State.PLAY_DOUBLE_CARD)
    if (options_wait(rnd) or waits) and rnd.state not in (*WINDOWS, State.JACKPOT_PAYING):
        yield steps.Done()
    match rnd.state:
        case State.JACKPOT_ARMED:
            assert rnd.armed is not None
            yield steps.Nominate(Seat(rnd.armed), None)
        case State.JACKPOT_PAYING:
            yield steps.Done()
        case State.OFFERS_OPEN:
            yield from open_offers(rnd)
            yield steps.Done()
            yield from _after_window(rnd)
        case State.PLAY_SPLIT_CARD:
            yield from _after_split(rnd)
        case State.PLAY_DECIDE | State.PLAY_FORCED_CARD:
            yield from _decisions(rnd)
        case State.PLAY_DOUBLE_CARD:
            hand = rnd.turn_hand
            others = {bettor for bettor, bet in hand.bets.items() if not bet.doubled and bet.open}
            doubles = (steps.Double(seat) for seat in _co_seats(rnd, frozenset(others)))
            yield from (step for step in doubles if may(rnd, step))
        case State.PLAY_WITHDRAW:
            yield from _withdrawals(rnd)
            yield steps.Done()
            yield from _after_window(rnd)
        case State.DEALER_SECOND_CARD | State.DEALER_DRAW if draw_is_moot(rnd) and not options_wait(
            rnd
        ):
            yield steps.Done()


def _after_window(rnd: Round) -> Iterator[steps.Step]:
    after = take_step(rnd, steps.Done())
    if after.state not in WINDOWS and after.state.part is RoundPart.PLAY:
        yield from _steps(after)


def _co_seats(rnd: Round, bettors: frozenset[str]) -> Iterator[Seat]:
    hand = rnd.turn_hand
    control = controller_of(rnd, rnd.boxes[hand.box])
    named = (None if bettor == control else bettor for bettor in BETTORS if bettor in bettors)
    return (Seat(hand.box, bettor) for bettor in named)


def _decisions(rnd: Round) -> Iterator[steps.Step]:
    hand = rnd.turn_hand
    known = _DECISIONS if rnd.state == State.PLAY_DECIDE else (steps.Hit,)
    played = (kind for kind in known if kind.verb not in rnd.rules.not_played)
    return (step for kind in played if may(rnd, step := kind(Seat(hand.box))))


def _after_split(rnd: Round) -> Iterator[steps.Step]:
    hand = rnd.turn_hand
    newest = max(other.number for other in rnd.boxes[hand.box].hands)
    for seat in _co_seats(rnd, rnd.may_follow):
        if not may(rnd, steps.Follow(seat)):
            continue
        yield steps.Follow(seat)
        if steps.Place.verb not in rnd.rules.not_played:
            yield from (steps.Place(seat, number) for number in (hand.number, newest))


def _withdrawals(rnd: Round) -> Iterator[steps.Step]:
    hand = rnd.turn_hand
    choosers = frozenset(bettor for bettor, bet in hand.bets.items() if bet.may_withdraw)
    for seat in _co_seats(rnd, choosers):
        yield steps.Withdraw(seat)
        yield steps.Keep(seat)
