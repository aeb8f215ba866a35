"""The conditions of a round's machine, which other modules do not ask: they only read the round and
the trigger's arguments. Behind ``play.next_hand`` that is the next hand (None: all are over)."""

from __future__ import annotations

from controller.game.round import looks
from controller.game.round.model import Hand
from controller.game.round.seats import controller_of
from controller.game.round.state import Round
from controller.game.round.steps import Buy, Keep, Withdraw
from controller.game.rules.cards import Card
from controller.game.rules.hands import BUST_ABOVE, hand_total, is_pontoon


def box_follows(rnd: Round, _: Card) -> bool:
    """Whether another box is served after this card."""
    return len(rnd.to_be_served) > 1


def all_served(rnd: Round) -> bool:
    """Whether every box has its second card."""
    return not rnd.to_be_served


def offer_is_over(rnd: Round) -> bool:
    """Whether the box that has the button has no winning wager left."""
    return rnd.armed is not None and not looks.at_button(rnd, rnd.boxes[rnd.armed])


def turn_is_over(rnd: Round) -> bool:
    """Whether the hand in turn is out."""
    return rnd.hand_in_turn is None or rnd.hand_in_turn.over


def nothing_to_withdraw(rnd: Round) -> bool:
    """Whether no bettor on the hand in turn may withdraw."""
    hand = rnd.hand_in_turn
    return hand is None or not any(b.may_withdraw and b.open for b in hand.bets.values())


def nobody_left(rnd: Round) -> bool:
    """Whether every wager was given back during the initial deal."""
    return not rnd.in_play


def dealer_card_owed(rnd: Round, *_: Hand | None) -> bool:
    """Whether the dealer's missing first card is due: no hand may be completed before it."""
    if rnd.dealer or looks.first_card_is_moot(rnd):
        return False
    hand = rnd.next_hand
    return hand is None or (hand.box, hand.number) != rnd.irregular.finishing


def winner_waits(rnd: Round) -> bool:
    """Whether a box with winning wagers at the button has not been served."""
    return looks.next_winner(rnd) is not None


def hand_needs_card(_: Round, hand: Hand | None) -> bool:
    """Whether the next hand waits for its second card: it was split, or got none in the deal."""
    return hand is not None and len(hand.cards) < 2


def only_hit(rnd: Round, hand: Hand | None) -> bool:
    """Whether the next hand can do nothing but take a card."""
    if hand is None:
        return False
    if looks.house_plays(rnd, hand):
        return True
    if hand.total >= rnd.rules.stand.minimum.value:
        return False
    if controller_of(rnd, rnd.boxes[hand.box]) not in hand.bets:
        return True  # a bettor who has taken over may neither double nor split another's wager
    return not looks.may_raise(rnd, hand)


def double_waits(_: Round, hand: Hand | None) -> bool:
    """Whether the next hand has been doubled, and waits for its card."""
    return hand is not None and hand.doubled


def buy_waits(rnd: Round, hand: Hand | None) -> bool:
    """Whether the next hand has bought a card, and waits for it."""
    if hand is None or not hand.said or looks.is_free(rnd, hand):
        return False
    return sum(isinstance(one.step, Buy) for one in hand.said) > len(hand.cards) - 2


def hand_waits(_: Round, hand: Hand | None) -> bool:
    """Whether a hand still has to decide."""
    return hand is not None


def may_withdraw_after(rnd: Round, card: Card) -> bool:
    """Whether the doubled part may be withdrawn after this card."""
    hand, rule = rnd.turn_hand, rnd.rules.double
    assert rule
    total = hand_total([*hand.cards, card], hand.hard_aces)
    return total < rule.withdraw_below.value and total != BUST_ABOVE


def last_to_choose(rnd: Round, _: Withdraw | Keep) -> bool:
    """Whether no other bettor may still withdraw."""
    hand = rnd.turn_hand
    return sum(bet.may_withdraw for bet in hand.bets.values()) == 1


def makes_pontoon(rnd: Round, card: Card) -> bool:
    """Whether this card makes the dealer's hand a Pontoon."""
    return is_pontoon([*rnd.dealer, card])


def dealer_draws(rnd: Round) -> bool:
    """Whether the dealer's hand takes another card."""
    if looks.draw_is_moot(rnd) and rnd.rules.dealer.moot_draw.value == "forbidden":
        return False
    return not looks.dealer_has_enough(rnd, rnd.dealer)
