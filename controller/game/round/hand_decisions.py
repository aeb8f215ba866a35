"""What decisions make of a hand and its wagers: once when they are made, and again whenever the
hand is judged anew (:mod:`~.settling.judgement`); and which raises and surrenders it may make.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from controller.game.commands.values import Seat, Stake
from controller.game.round.model import Bet, Box, Decided, Hand
from controller.game.round.state import Round
from controller.game.round.steps import AtBox, Buy, Double, Keep, Stand, Withdraw
from controller.game.rules.cards import ACE, RANKS, Card, hard_total

_OF_ITS_CARDS: Final = (Stand, Double, Buy, Keep, Withdraw)


def note(rnd: Round, hand: Hand, bettor: str, step: AtBox, formed: int = 0) -> None:
    """Note the bettor's decision at the hand. A double is kept by saying so or by the next card."""
    named = replace(step, seat=Seat(hand.box, bettor))
    out, has = 0 if isinstance(step, Keep) else rnd.out, len(hand.cards)
    # What was decided on more cards than lie there does not hold: the hand was asked anew.
    holds = (one for one in hand.said if one.at <= has or not isinstance(one.step, _OF_ITS_CARDS))
    hand.said = (*holds, Decided(named, has, out, formed))


def form_hand(
    rnd: Round, box: Box, hand: Hand, number: int, bettor: str, cards: list[Card]
) -> Hand:
    """Form a hand, right of a split one, with its second card and an equal wager of the bettor."""
    rules = rnd.rules
    aces = hand.cards[0].rank == ACE and rules.split.aces_one_card.value
    initial = rules.double is not None and rules.double.aces.value == "initial_deal"
    new = Hand(hand.box, number, cards)
    for half in (hand, new):
        half.split, half.split_aces = True, aces
        half.pontoon_barred = not rules.pontoon.after_split.value
        half.devalued = 0 if initial else 2
    box.hands.insert(box.hands.index(hand) + 1, new)
    follow(hand, new, bettor)
    return new


def follow(hand: Hand, new: Hand, bettor: str) -> None:
    """Put an equal wager of the bettor on the hand that a split has formed."""
    new.bets[bettor] = Bet(hand.bets[bettor].stake, original=False)


def place(hand: Hand, new: Hand, bettor: str) -> None:
    """Move the bettor's single wager to the hand that a split has formed."""
    new.bets[bettor] = hand.bets.pop(bettor)


def double(hand: Hand, bettor: str, amount: Stake) -> None:
    """Double the bettor's wager; by as much as it is where (at a live table) no amount is said."""
    hand.doubled, bet = True, hand.bets[bettor]
    bet.doubled, bet.double = True, bet.stake if amount is None else amount


def surrender(rnd: Round, hand: Hand, bettor: str) -> None:
    """Surrender the bettor's wager; where the document binds the box, every wager on the hand."""
    of_box = rnd.rules.surrender.scope.value == "box"
    in_turn = rnd.rules.surrender.offered.value == "in_turn"
    for whose, bet in hand.bets.items():
        if of_box or in_turn or whose == bettor:
            bet.surrendered = True
    if all(bet.surrendered for bet in hand.bets.values() if not bet.given_back):
        hand.over = True


def may_raise(rnd: Round, hand: Hand) -> bool:
    """Whether a wager on the hand may be raised, or the hand split, with so many cards."""
    double = rnd.rules.double
    raised = double is not None and double.cards.value == "any"
    return len(hand.cards) <= 2 or raised or may_buy(rnd, hand)


def may_buy(rnd: Round, hand: Hand) -> bool:
    """Whether the next card of the hand may be bought."""
    return rnd.rules.buy is not None and not hand.twisted and not is_free(rnd, hand)


def is_free(rnd: Round, hand: Hand) -> bool:
    """Whether the hand's last card cannot be bought because it cannot bust."""
    rule, trick = rnd.rules.buy, rnd.rules.trick
    if rule is None or trick is None or len(hand.cards) != trick.cards.value - 1:
        return False
    return hard_total(hand.cards) < rule.free_below.value


def surrender_opens(rnd: Round) -> bool:
    """Whether surrender is offered against the dealer's first card, or in each hand's turn."""
    rule = rnd.rules.surrender
    if rule.offered.value == "in_turn":
        return True
    return bool(rnd.dealer) and RANKS[rnd.dealer[0].rank - 1] in rule.dealer_first.value
