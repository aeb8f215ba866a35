"""The conditions of a round's machine, one for each name in the table of arrows.

They look and change nothing; with the trigger's argument where it has one.
"""

from __future__ import annotations

from controller.round.state import RoundState
from controller.round.steps.step import Step
from controller.rules.cards import Card
from controller.rules.hands import BUST_ABOVE, hand_total, is_pontoon, is_soft


class RoundConditions(RoundState):
    """A round with the conditions of its machine."""

    def box_follows(self, _: Card) -> bool:
        """Whether another box is served after this card."""
        return len(self.to_be_served()) > 1

    def all_served(self) -> bool:
        """Whether no box waits for its second card any more."""
        return not self.to_be_served()

    def offer_is_over(self) -> bool:
        """Whether the box that has the button has no winning wager any more."""
        return self.armed is not None and not self.boxes[self.armed].side("pandemonium")

    def turn_is_over(self) -> bool:
        """Whether the hand in turn is out."""
        return self.hand_in_turn is None or self.hand_in_turn.over

    def nothing_to_withdraw(self) -> bool:
        """Whether nobody on the hand in turn may withdraw."""
        hand = self.hand_in_turn
        return hand is None or not any(b.may_withdraw and b.open for b in hand.bets.values())

    def nobody_left(self) -> bool:
        """Whether every wager was given back during the initial deal."""
        return not self.in_play()

    def dealer_card_owed(self) -> bool:
        """Whether the dealer is to get the first card that he missed, now that no hand may be
        completed before."""
        if self.dealer:
            return False
        hand = self.next_hand
        return hand is None or (hand.box, hand.number) != self.finishing

    def winner_waits(self) -> bool:
        """Whether a box with winning Pandemonium wagers has not been served."""
        return self.next_winner() is not None

    def next_winner(self) -> int | None:
        """The box that is offered the button next, in the document's order."""
        waiting = [
            box.number
            for box in self.boxes.values()
            if box.side("pandemonium") and box.hands[0].is_pontoon and box.number not in self.served
        ]
        if not waiting:
            return None
        assert self.rules.pandemonium
        ascending = self.rules.pandemonium.order.value == "ascending"
        return min(waiting) if ascending else max(waiting)

    def hand_needs_card(self) -> bool:
        """Whether the next hand is a split one that waits for its second card (or one that got
        none in the initial deal)."""
        hand = self.next_hand
        return hand is not None and len(hand.cards) < 2

    def only_hit(self) -> bool:
        """Whether the next hand can do nothing but take a card."""
        hand = self.next_hand
        if hand is None:
            return False
        if self.house_plays(hand):
            return True
        if hand.total >= self.rules.stand.minimum.value:
            return False
        if self.controller(hand.box) not in hand.bets:
            return True  # who has taken over may neither double nor split another's wager
        if len(hand.cards) <= 2:
            return False
        double = self.rules.double
        return not (double and double.cards.value == "any") and not self.may_buy(hand)

    def house_stands(self) -> bool:
        """Whether the next hand is played by the house and draws no more."""
        hand, rule = self.next_hand, self.rules.absent
        if hand is None or rule is None or not self.house_plays(hand):
            return False
        soft = is_soft(hand.cards, hand.hard_aces)
        return hand.total >= (rule.soft_minimum if soft else rule.hard_minimum).value

    def hand_waits(self) -> bool:
        """Whether a hand is left to decide."""
        return self.next_hand is not None

    def may_withdraw_after(self, card: Card) -> bool:
        """Whether the doubled part may be withdrawn once this card lies."""
        hand, rule = self.hand_in_turn, self.rules.double
        assert hand
        assert rule
        total = hand_total([*hand.cards, card], hand.hard_aces)
        return total < rule.withdraw_below.value and total != BUST_ABOVE

    def last_to_choose(self, step: Step) -> bool:
        """Whether nobody else may still withdraw."""
        hand = self.hand_in_turn
        assert hand
        return sum(bet.may_withdraw for bet in hand.bets.values()) == 1

    def makes_pontoon(self, card: Card) -> bool:
        """Whether this card makes the dealer's hand a Pontoon."""
        return is_pontoon([*self.dealer, card])

    def dealer_draws(self) -> bool:
        """Whether the dealer's hand takes another card."""
        if self.draw_is_moot() and self.rules.dealer.moot_draw.value == "forbidden":
            return False
        if len(self.dealer) == self.rules.dealer.cards_max.value:
            return False
        total = self.dealer_total
        if total == 17 and is_soft(self.dealer):
            return self.rules.dealer.soft17.value == "draw"
        return total < 17
