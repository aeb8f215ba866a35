"""What happens to a round: the actions of its machine, functions of the round and of what the
trigger was given.

They are called when the guards have let a step pass. Those that only settle wagers are in
:mod:`~.settling`, those that take up an offer in :mod:`~.offers`.
"""

from __future__ import annotations

from controller.round.looks import next_winner
from controller.round.model import Bet, Hand
from controller.round.refusal import Refused
from controller.round.seats import controller_of
from controller.round.settling.interim import (
    settle_hand,
    settle_insurance,
    settle_surrendered,
    settle_surrenders,
    settle_withdrawn,
)
from controller.round.state import Round
from controller.round.steps.step import Step
from controller.rules.cards import ACE, Card


def _hand_in_turn(rnd: Round) -> Hand:
    hand = rnd.hand_in_turn
    assert hand
    return hand


def _bettor(rnd: Round, step: Step) -> str:
    """Whose step it is, named or not."""
    assert step.seat
    return step.seat.bettor or controller_of(rnd, rnd.boxes[step.seat.box])


def give_box(rnd: Round, card: Card) -> None:
    """A card of the initial deal to the next box."""
    hand = rnd.receiver
    assert hand
    hand.cards.append(card)


def give_dealer(rnd: Round, card: Card) -> None:
    """A card to the dealer's hand."""
    rnd.dealer.append(card)


def give_hand(rnd: Round, card: Card) -> None:
    """A card to the hand in turn, which may bust with it, be paid, or be over."""
    hand = _hand_in_turn(rnd)
    if rnd.state in ("play.decide", "play.forced_card"):
        hand.twisted = True
    hand.cards.append(card)
    rnd.may_follow = frozenset()
    settle_hand(rnd, hand)
    if hand.doubled and not hand.over:
        hand.over = True
        for bet in hand.bets.values():
            bet.may_withdraw = bet.doubled and bet.open
    if hand.split_aces:
        hand.over = True


def offer_button(rnd: Round) -> None:
    """The button goes to the next box in the document's order."""
    rnd.armed = next_winner(rnd)
    rnd.nominee = None
    rnd.multiplier = None


def hand_over_button(rnd: Round, step: Step) -> None:
    """Another person is to press."""
    rnd.nominee = "staff" if step.by_staff else str(step.other)


def take_multiplier(rnd: Round, multiplier: int) -> None:
    """What was drawn for the box; once."""
    if rnd.multiplier is not None:
        raise Refused("the multiplier of this box is drawn already", rnd.clause)
    rnd.multiplier = multiplier
    rnd.multipliers.append(multiplier)


def box_served(rnd: Round, *_: Step) -> None:
    """The box is paid; the button goes on."""
    assert rnd.armed is not None
    rnd.served += (rnd.armed,)
    rnd.armed = rnd.multiplier = rnd.nominee = None


def begin_turn(rnd: Round) -> None:
    """The next hand is in turn."""
    hand = rnd.next_hand
    assert hand
    if rnd.turn != (hand.box, hand.number):
        rnd.may_follow = frozenset()
    rnd.turn = (hand.box, hand.number)


def end_turns(rnd: Round) -> None:
    """All players have decided."""
    rnd.turn = None


def end_hand(rnd: Round, _: Step) -> None:
    """The hand stands."""
    _hand_in_turn(rnd).over = True


def split_hand(rnd: Round, step: Step) -> None:
    """Two hands of one; standing bettors may add, else stay on the first."""
    hand = _hand_in_turn(rnd)
    box = rnd.boxes[hand.box]
    control = controller_of(rnd, box)
    rules = rnd.rules
    aces = hand.cards[0].rank == ACE and rules.split.aces_one_card.value
    initial = rules.double is not None and rules.double.aces.value == "initial_deal"
    new = Hand(
        hand.box,
        len(box.hands) + 1,
        cards=[hand.cards.pop()],
        bets={control: Bet(hand.bets[control].stake, original=False)},
    )
    for half in (hand, new):
        half.split, half.split_aces = True, aces
        half.pontoon_barred = not rules.pontoon.after_split.value
        half.devalued = 0 if initial else 2
    box.hands.insert(box.hands.index(hand) + 1, new)
    rnd.may_follow = frozenset(
        bettor
        for bettor, bet in hand.bets.items()
        if bettor != control and bet.open and not bet.surrendered
    )


def follow_split(rnd: Round, step: Step) -> None:
    """A standing bettor's equal wager on the new hand."""
    hand, bettor = _hand_in_turn(rnd), _bettor(rnd, step)
    _newest_hand(rnd).bets[bettor] = Bet(hand.bets[bettor].stake, original=False)
    rnd.may_follow -= {bettor}


def choose_hand(rnd: Round, step: Step) -> None:
    """The hand of the two just formed that a standing bettor's single wager stays on."""
    hand, bettor = _hand_in_turn(rnd), _bettor(rnd, step)
    if step.number == _newest_hand(rnd).number:
        _newest_hand(rnd).bets[bettor] = hand.bets.pop(bettor)
    rnd.may_follow -= {bettor}


def _newest_hand(rnd: Round) -> Hand:
    """The hand that the last split has formed."""
    assert rnd.turn
    return max(rnd.boxes[rnd.turn[0]].hands, key=lambda hand: hand.number)


def buy_card(rnd: Round, step: Step) -> None:
    """The stake of the hand is raised; a card follows."""
    bet = _hand_in_turn(rnd).bets[_bettor(rnd, step)]
    bet.buys += (step.amount,)


def give_up_hand(rnd: Round, _: Step) -> None:
    """The hand surrenders in its turn; half is lost at once."""
    hand = _hand_in_turn(rnd)
    hand.over = True
    for bet in hand.bets.values():
        bet.surrendered = True
    settle_surrendered(rnd, rnd.boxes[hand.box])


def leave_to_house(rnd: Round, step: Step) -> None:
    """Who decides for the box is not there: another bettor takes over, or the house plays."""
    assert step.seat
    box = rnd.boxes[step.seat.box]
    box.absent |= {_bettor(rnd, step)}


def end_absent_hand(rnd: Round) -> None:
    """The house has drawn what it must."""
    hand = rnd.next_hand
    assert hand
    hand.over = True


def double_hand(rnd: Round, step: Step) -> None:
    """The hand is doubled by who decides for the box."""
    _hand_in_turn(rnd).doubled = True
    follow_double(rnd, step)


def follow_double(rnd: Round, step: Step) -> None:
    """A standing bettor doubles too."""
    bet = _hand_in_turn(rnd).bets[_bettor(rnd, step)]
    bet.doubled, bet.double = True, step.amount


def withdraw_double(rnd: Round, step: Step) -> None:
    """A bettor takes back what he doubled and loses his original wager."""
    keep_double(rnd, step)
    settle_withdrawn(rnd, _hand_in_turn(rnd), _bettor(rnd, step))


def keep_double(rnd: Round, step: Step) -> None:
    """A bettor lets his doubled wager stand."""
    _hand_in_turn(rnd).bets[_bettor(rnd, step)].may_withdraw = False


def keep_all(rnd: Round, *_: Step) -> None:
    """The window closes: nobody else withdraws."""
    for bet in _hand_in_turn(rnd).bets.values():
        bet.may_withdraw = False


def settle_second_card(rnd: Round, _: Card) -> None:
    """No Pontoon: insurance loses, and surrenders are settled where the document says so."""
    settle_insurance(rnd, won=False)
    if rnd.rules.surrender.settled.value == "second_card":
        settle_surrenders(rnd)
