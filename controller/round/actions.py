"""What happens to a round: the actions of its machine, one for each name in the table of arrows.

They are called with what the trigger was given, when the guards have let it pass; how much is paid
they leave to :mod:`~.settling`, :mod:`~.settling_dealer` and :mod:`~.returning`.
"""

from __future__ import annotations

from controller.round.conditions import RoundConditions
from controller.round.model import Bet, Hand
from controller.round.offers import take_insurance, take_surrender
from controller.round.refusal import Refused
from controller.round.seats import controller_of
from controller.round.settling import final, interim, returning
from controller.round.steps.step import Step
from controller.rules.cards import ACE, Card


class RoundActions(RoundConditions):
    """A round with the actions of its machine; they are not for others to call."""

    def give_box(self, card: Card) -> None:
        """A card of the initial deal to the next box."""
        hand = self.receiver
        assert hand
        hand.cards.append(card)

    def give_dealer(self, card: Card) -> None:
        """A card to the dealer's hand."""
        self.dealer.append(card)

    def give_hand(self, card: Card) -> None:
        """A card to the hand in turn, which may bust with it, be paid, or be over."""
        hand = self.hand_in_turn
        assert hand
        if self.state in ("play.decide", "play.forced_card"):
            hand.twisted = True
        hand.cards.append(card)
        self.may_follow = frozenset()
        interim.settle_hand(self, hand)
        if hand.doubled and not hand.over:
            hand.over = True
            for bet in hand.bets.values():
                bet.may_withdraw = bet.doubled and bet.open
        if hand.split_aces:
            hand.over = True

    def settle_pairs(self) -> None:
        """Pair wagers."""
        interim.settle_pairs(self)

    def settle_bonus(self) -> None:
        """Bonus wagers."""
        interim.settle_bonus(self)

    def settle_pontoons(self) -> None:
        """Pontoons, and the Pandemonium wagers that lose."""
        interim.settle_pontoons(self)

    def offer_button(self) -> None:
        """The button goes to the next box in the document's order."""
        self.armed = self.next_winner()
        self.nominee = None
        self.multiplier = None

    def hand_over_button(self, step: Step) -> None:
        """Another person is to press."""
        self.nominee = "staff" if step.by_staff else str(step.other)

    def take_multiplier(self, multiplier: int) -> None:
        """What was drawn for the box; once."""
        if self.multiplier is not None:
            raise Refused("the multiplier of this box is drawn already", self.clause)
        self.multiplier = multiplier
        self.multipliers.append(multiplier)

    def settle_pandemonium(self) -> None:
        """The winning Pandemonium wagers of the box."""
        interim.settle_pandemonium(self)

    def box_served(self, *_: Step) -> None:
        """The box is paid; the button goes on."""
        assert self.armed is not None
        self.served += (self.armed,)
        self.armed = self.multiplier = self.nominee = None

    def place_insurance(self, step: Step) -> None:
        """Insurance of an own or another's wager."""
        take_insurance(self, step)

    def place_surrender(self, step: Step) -> None:
        """A wager, or a whole box, surrenders."""
        take_surrender(self, step)

    def begin_turn(self) -> None:
        """The next hand is in turn."""
        hand = self.next_hand
        assert hand
        if self.turn != (hand.box, hand.number):
            self.may_follow = frozenset()
        self.turn = (hand.box, hand.number)

    def end_turns(self) -> None:
        """All players have decided."""
        self.turn = None

    def end_hand(self, _: Step) -> None:
        """The hand stands."""
        hand = self.hand_in_turn
        assert hand
        hand.over = True

    def split_hand(self, step: Step) -> None:
        """Two hands of one; standing bettors may add, else stay on the first."""
        hand = self.hand_in_turn
        assert hand
        box = self.boxes[hand.box]
        control = controller_of(self, box)
        rules = self.rules
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
        self.may_follow = frozenset(
            bettor
            for bettor, bet in hand.bets.items()
            if bettor != control and bet.open and not bet.surrendered
        )

    def follow_split(self, step: Step) -> None:
        """A standing bettor's equal wager on the new hand."""
        hand = self.hand_in_turn
        assert hand
        assert step.seat
        bettor = step.seat.bettor or self.controller(hand.box)
        self.newest_hand.bets[bettor] = Bet(hand.bets[bettor].stake, original=False)
        self.may_follow -= {bettor}

    def choose_hand(self, step: Step) -> None:
        """The hand of the two just formed that a standing bettor's single wager stays on."""
        hand = self.hand_in_turn
        assert hand
        assert step.seat
        bettor = step.seat.bettor or self.controller(hand.box)
        if step.number == self.newest_hand.number:
            self.newest_hand.bets[bettor] = hand.bets.pop(bettor)
        self.may_follow -= {bettor}

    @property
    def newest_hand(self) -> Hand:
        """The hand that the last split has formed."""
        assert self.turn
        return max(self.boxes[self.turn[0]].hands, key=lambda hand: hand.number)

    def buy_card(self, step: Step) -> None:
        """The stake of the hand is raised; a card follows."""
        hand = self.hand_in_turn
        assert hand
        bet = hand.bets[self.controller(hand.box)]
        bet.buys += (step.amount,)

    def give_up_hand(self, _: Step) -> None:
        """The hand surrenders in its turn; half is lost at once."""
        hand = self.hand_in_turn
        assert hand
        hand.over = True
        for bet in hand.bets.values():
            bet.surrendered = True
        interim.settle_surrendered(self, self.boxes[hand.box])

    def leave_to_house(self, step: Step) -> None:
        """Who decides for the box is not there: another bettor takes over, or the house plays."""
        assert step.seat
        box = self.boxes[step.seat.box]
        box.absent |= {step.seat.bettor or self.controller(box.number)}

    def end_absent_hand(self) -> None:
        """The house has drawn what it must."""
        hand = self.next_hand
        assert hand
        hand.over = True

    def double_hand(self, step: Step) -> None:
        """The hand is doubled by who decides for the box."""
        hand = self.hand_in_turn
        assert hand
        hand.doubled = True
        bet = hand.bets[self.controller(hand.box)]
        bet.doubled, bet.double = True, step.amount

    def follow_double(self, step: Step) -> None:
        """A standing bettor doubles too."""
        hand = self.hand_in_turn
        assert hand
        assert step.seat
        bet = hand.bets[step.seat.bettor or self.controller(hand.box)]
        bet.doubled, bet.double = True, step.amount

    def _choose(self, step: Step) -> tuple[Hand, str]:
        hand = self.hand_in_turn
        assert hand
        assert step.seat
        bettor = step.seat.bettor or self.controller(hand.box)
        hand.bets[bettor].may_withdraw = False
        return hand, bettor

    def withdraw_double(self, step: Step) -> None:
        """A bettor takes back what he doubled and loses his original wager."""
        interim.settle_withdrawn(self, *self._choose(step))

    def keep_double(self, step: Step) -> None:
        """A bettor lets his doubled wager stand."""
        self._choose(step)

    def keep_all(self, *_: Step) -> None:
        """The window closes: nobody else withdraws."""
        hand = self.hand_in_turn
        assert hand
        for bet in hand.bets.values():
            bet.may_withdraw = False

    def settle_second_card(self, _: Card) -> None:
        """No Pontoon: insurance loses, and surrenders are settled where the document says so."""
        interim.settle_insurance(self, won=False)
        if self.rules.surrender.settled.value == "second_card":
            interim.settle_surrenders(self)

    def settle_against_pontoon(self) -> None:
        """Everything that stands against the dealer's Pontoon."""
        final.settle_against_pontoon(self)

    def settle_final(self) -> None:
        """What still stands, and the shares of a Super Bonus."""
        final.settle_final(self)

    def return_wagers(self) -> None:
        """Every wager of the void round."""
        self.turn = None
        returning.return_wagers(self, self.void_clause or self.rules.settled_by["void"])
