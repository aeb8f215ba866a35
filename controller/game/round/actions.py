"""The actions of a round's machine: functions of the round and of the trigger's arguments.

They are called after the guards have permitted a step. Actions that only settle wagers are in
:mod:`~.settling`, those of insurance and surrender in :mod:`~.offers`.
"""

from __future__ import annotations

from controller.game.commands.values import STAFF, Seat
from controller.game.round import hands, steps
from controller.game.round.hands import controller_of
from controller.game.round.looks import hit_was_said, house_plays, next_winner
from controller.game.round.model import Hand
from controller.game.round.refusal import Refused
from controller.game.round.settling import interim
from controller.game.round.state import Round
from controller.game.round.states import State
from controller.game.round.steps import Insure, Surrender
from controller.game.rules.cards import Card, NumberedCard


def _bettor(rnd: Round, step: steps.AtBox) -> str:
    """The bettor who takes the step: the one named, else the one who decides for the box."""
    return step.seat.bettor or controller_of(rnd, rnd.boxes[step.seat.box])


def _note(rnd: Round, step: steps.AtBox, formed: int = 0) -> tuple[Hand, str]:
    """Note the decision at the hand in turn; the hand, and the bettor who makes it."""
    hand, bettor = rnd.turn_hand, _bettor(rnd, step)
    rnd.hits = None
    hands.note(rnd, hand, bettor, step, formed)
    return hand, bettor


def give_box(rnd: Round, card: Card) -> None:
    """Deal a card of the initial deal to the next box."""
    rnd.to_be_served[0].hands[0].cards.append(card)


def give_dealer(rnd: Round, card: Card) -> None:
    """Deal a card to the dealer's hand."""
    rnd.dealer.append(card)


def give_dealer_late(rnd: Round, card: Card) -> None:
    """Deal the dealer's missing first card, on which a Super Bonus may depend."""
    give_dealer(rnd, card)
    interim.settle_late_super_bonuses(rnd)


def give_hand(rnd: Round, card: Card) -> None:
    """Deal a card to the hand in turn, which may bust with it, be paid, or be over."""
    hand = rnd.turn_hand
    if rnd.state in (State.PLAY_DECIDE, State.PLAY_FORCED_CARD):
        hand.twisted = True
    if rnd.state == State.PLAY_FORCED_CARD and isinstance(card, NumberedCard):
        card.forced = not hit_was_said(rnd) and not house_plays(rnd, hand)
    rnd.hits = None
    hand.cards.append(card)
    rnd.may_follow = frozenset()
    interim.settle_hand(rnd, hand)
    if hand.doubled and not hand.over:
        hand.over = True
        for bet in hand.bets.values():
            bet.may_withdraw = bet.doubled and bet.open
    if hand.split_aces:
        hand.over = True


def ask_for_card(rnd: Round, _: steps.Hit | steps.Free) -> None:
    """Record that the hand in turn hits: until its card comes it is not said again."""
    rnd.hits = rnd.turn


def offer_button(rnd: Round) -> None:
    """Offer the button to the next box in the document's order."""
    rnd.armed = next_winner(rnd)
    rnd.nominee = None
    rnd.multiplier = None


def hand_over_button(rnd: Round, step: steps.Nominate) -> None:
    """Record that another person is to press the button."""
    rnd.nominee = str(step.by or STAFF)


def take_multiplier(rnd: Round, multiplier: int) -> None:
    """Record the multiplier drawn for the box; once."""
    if rnd.multiplier is not None:
        raise Refused(
            "the multiplier of this box is drawn already", rnd.clause, code="drawn-already"
        )
    rnd.multiplier = multiplier
    rnd.multipliers.append(multiplier)


def box_served(rnd: Round, *_: steps.Step) -> None:
    """Pay the box; the button moves on."""
    assert rnd.armed is not None
    rnd.served += (rnd.armed,)
    rnd.armed = rnd.multiplier = rnd.nominee = None


def place_insurance(rnd: Round, step: Insure) -> None:
    """Place an insurance that the guard has permitted."""
    owner = step.owner or step.seat
    taker_key = (step.seat.box, step.seat.bettor or "a")
    rnd.insurance[taker_key, (owner.box, owner.bettor or "a")] = step.amount


def place_surrender(rnd: Round, step: Surrender) -> None:
    """Surrender a wager before play, which the guard has permitted."""
    hand, bettor = rnd.boxes[step.seat.box].hands[0], step.seat.bettor or "a"
    hands.note(rnd, hand, bettor, step)
    hands.surrender(rnd, hand, bettor)


def begin_turn(rnd: Round, hand: Hand) -> None:
    """Give the turn to the next hand."""
    if rnd.turn != (hand.box, hand.number):
        rnd.may_follow = _may_follow_still(rnd, hand)
    rnd.turn = (hand.box, hand.number)


def _may_follow_still(rnd: Round, hand: Hand) -> frozenset[str]:
    """Who may still follow a split of which no card has come, behind another hand's turn."""
    splits = [at for at, one in enumerate(hand.said) if isinstance(one.step, steps.Split)]
    if len(hand.cards) != 1 or not splits:
        return frozenset()
    since = hand.said[splits[-1] :]
    new = rnd.boxes[hand.box].by_number[since[0].formed - 1]
    decided = {one.step.seat.bettor for one in since}
    return frozenset(
        bettor
        for bettor, bet in hand.bets.items()
        if bettor not in decided and bet.open and not bet.surrendered and len(new.cards) == 1
    )


def end_turns(rnd: Round, _: None) -> None:
    """End the players' turns: all have decided."""
    rnd.turn = None


def end_hand(rnd: Round, step: steps.Stand) -> None:
    """Have the hand stand."""
    hand, _ = _note(rnd, step)
    hand.over = True


def split_hand(rnd: Round, step: steps.Split) -> None:
    """Split the hand into two; standing bettors may add a wager, else theirs stays on the first."""
    box = rnd.boxes[step.seat.box]
    number = len(box.hands) + 1
    hand, control = _note(rnd, step, number)
    new = [hand.cards.pop()]
    hands.form_hand(rnd, box, hand, number, control, new)
    rnd.may_follow = frozenset(
        bettor
        for bettor, bet in hand.bets.items()
        if bettor != control and bet.open and not bet.surrendered
    )


def follow_split(rnd: Round, step: steps.Follow) -> None:
    """Add a standing bettor's equal wager to the new hand."""
    hand, bettor = _note(rnd, step)
    hands.follow(hand, _newest_hand(rnd), bettor)
    rnd.may_follow -= {bettor}


def choose_hand(rnd: Round, step: steps.Place) -> None:
    """Put a standing bettor's single wager on the chosen one of the two hands just formed."""
    hand, bettor = _note(rnd, step)
    if step.hand == _newest_hand(rnd).number:
        hands.place(hand, _newest_hand(rnd), bettor)
    rnd.may_follow -= {bettor}


def _newest_hand(rnd: Round) -> Hand:
    """The hand that the last split has formed."""
    assert rnd.turn
    return max(rnd.boxes[rnd.turn[0]].hands, key=lambda hand: hand.number)


def buy_card(rnd: Round, step: steps.Buy) -> None:
    """Raise the stake of the hand; a card follows."""
    hand, bettor = _note(rnd, step)
    hand.bets[bettor].buys += (step.amount,)


def give_up_hand(rnd: Round, step: steps.Surrender) -> None:
    """Surrender the hand in its turn; half of the wager is lost at once."""
    hand, bettor = _note(rnd, step)
    hands.surrender(rnd, hand, bettor)
    interim.settle_surrendered(rnd, rnd.boxes[hand.box])


def leave_to_house(rnd: Round, step: steps.Absent) -> None:
    """Mark who decides for the box as absent: another bettor takes over, or the house plays."""
    _, bettor = _note(rnd, step)
    rnd.boxes[step.seat.box].absent |= {bettor}


def end_absent_hand(_: Round, hand: Hand) -> None:
    """End an absent bettor's hand: the house has drawn all required cards."""
    hand.over = True


def double_hand(rnd: Round, step: steps.Double) -> None:
    """Double the hand, for the bettor who decides for the box or one who stands behind."""
    hand, bettor = _note(rnd, step)
    hands.double(hand, bettor, step.amount)


def withdraw_double(rnd: Round, step: steps.Withdraw) -> None:
    """Return the doubled part of a bettor, who loses the original wager."""
    keep_double(rnd, step)
    interim.settle_withdrawn(rnd, rnd.turn_hand, _bettor(rnd, step))


def keep_double(rnd: Round, step: steps.Keep | steps.Withdraw) -> None:
    """Record that a bettor keeps the doubled wager, or withdraws it."""
    hand, bettor = _note(rnd, step)
    hand.bets[bettor].may_withdraw = False


def keep_all(rnd: Round, *_: steps.Step) -> None:
    """Close the window for withdrawal: no other bettor withdraws."""
    hand = rnd.turn_hand
    for bettor, bet in hand.bets.items():
        if bet.may_withdraw:
            keep_double(rnd, steps.Keep(Seat(hand.box, bettor)))
