"""Moves a round through its machine: a trigger, and the automatic transitions that follow. These
functions change their argument: a draft, which the caller drops when a step is refused half way.
"""

from __future__ import annotations

from controller.game.commands.values import Seat
from controller.game.round.log import Input, cards_out
from controller.game.round.looks import card_expected, hit_was_said, next_winner
from controller.game.round.machine import fire, knows
from controller.game.round.refusal import Refused
from controller.game.round.state import Round
from controller.game.round.states import PASSING, WINDOWS, State
from controller.game.round.steps import Hit
from controller.game.rules.cards import Card, NumberedCard, write_cards


def move(rnd: Round, trigger: str, *given: object) -> None:
    """Take the transition of that trigger, and the automatic ones after it."""
    if not fire(rnd, trigger, *given):
        raise Refused(f"{trigger} is not permitted now ({rnd.state})", rnd.clause)
    pass_on(rnd)


def pass_on(rnd: Round) -> None:
    """Take the automatic transitions. After an offer of the button that a correction has brought,
    play goes on in the state from which it was interrupted."""
    while rnd.state in PASSING:
        at_button = rnd.state == State.INTERIM_BUTTON
        if rnd.state == State.PLAY_NEXT_HAND:
            fire(rnd, "advance", rnd.next_hand)
        elif at_button and rnd.irregular.resumes and next_winner(rnd) is None:
            rnd.state, rnd.irregular.resumes = rnd.irregular.resumes, None
            if knows(rnd.state, "regroup"):
                fire(rnd, "regroup")
        else:
            fire(rnd, "advance")
    if rnd.is_over and rnd.irregular.waiting:
        rnd.remark(f"{write_cards(rnd.irregular.waiting)} is left over: discard it")
        rnd.irregular.beyond = [*rnd.irregular.beyond, *rnd.irregular.waiting]
        rnd.irregular.waiting = []


def regroup(rnd: Round) -> None:
    """Find the next hand after one may have been removed."""
    if knows(rnd.state, "regroup") and fire(rnd, "regroup"):
        pass_on(rnd)


def counted(rnd: Round) -> Round:
    """The same with its cards counted: a snapshot stores it without their number."""
    rnd.out = len(cards_out(rnd.log))
    return rnd


def leave(rnd: Round, card: Card) -> NumberedCard:
    """Number a card that leaves the shoe: so it is known where each of the round lies."""
    rnd.out += 1
    return NumberedCard.numbered(card, rnd.out)


def burn(rnd: Round, card: Card) -> None:
    """Have the card leave the shoe for no hand."""
    rnd.log.append(Input("burned", leave(rnd, card)))


def put_back(rnd: Round, *cards: Card) -> None:
    """Have the cards leave the shoe, and wait: they are the next ones, behind those that do."""
    left = tuple(leave(rnd, card) for card in cards)
    rnd.irregular.waiting += left
    rnd.log.append(Input("back", left))


def receive(rnd: Round, card: Card) -> None:
    """Deal the card to its one destination. A window closes; a hand that decides has hit."""
    if not card_expected(rnd):
        raise Refused(
            f"no card may leave the shoe now ({rnd.state})", rnd.clause, short="CARD NOT DUE"
        )
    if rnd.state in WINDOWS:
        move(rnd, "done")
    due = rnd.irregular.owed  # for the hit before, whose card is gone
    rnd.irregular.options = rnd.irregular.late = None
    rnd.irregular.owed, rnd.irregular.chooser = False, 0
    if rnd.state == State.PLAY_DEALER_CARD:
        rnd.irregular.options = rnd.irregular.owing
    elif not due:
        say_hit(rnd)
    move(rnd, "card", card)


def say_hit(rnd: Round) -> None:
    """Note that the hand in turn hits, where it decides and a card has left for it, said or not."""
    if rnd.state == State.PLAY_DECIDE and not hit_was_said(rnd):
        assert rnd.turn
        rnd.log.append(Input("step", Hit(Seat(rnd.turn[0]))))
        rnd.hits = rnd.turn


def receive_waiting(rnd: Round) -> None:
    """Deal the first of the cards that were put back to its destination."""
    card, *rnd.irregular.waiting = rnd.irregular.waiting
    if isinstance(card, NumberedCard):
        left, place = last_came(rnd)
        came = rnd.out, place + 1 if left == rnd.out else 1
        card = NumberedCard.numbered(card, card.number, came)
    receive(rnd, card)
    rnd.log.append(Input("waiting"))


def last_came(rnd: Round) -> tuple[int, int]:
    """When the last of the cards that lie before players and dealer came there."""
    lie = [*rnd.dealer, *(card for hand in rnd.hands for card in hand.cards)]
    return max((card.came for card in lie if isinstance(card, NumberedCard)), default=(0, 0))


def void(rnd: Round, clause: str) -> None:
    """Void the round: every wager is returned under that clause."""
    rnd.void_clause = clause
    move(rnd, "void")
    rnd.irregular.irregularity = rnd.irregular.options = None
    rnd.irregular.edits, rnd.irregular.missing, rnd.irregular.resumes = (), (), None
    rnd.irregular.waiting.clear()
