"""One round of play, from the closed bets to the last settlement.

A round takes cards, steps, presses and drawn multipliers; the machine decides whether and what
next, the guards say why not, the settling functions say how much. A refused step changes nothing.
Rounds can be copied (:meth:`Round.clone`), which is how an entry is tried and taken back.
"""

from __future__ import annotations

from typing import Any, Final

from controller.rules.cards import Card
from controller.rules.hands import hand_total, is_pontoon, is_soft
from controller.rules.schema import RuleSet
from controller.table import settling
from controller.table.guards import CHECKS, controller_of, out_of_place, short_out_of_place
from controller.table.machine import ENDED, PASSING, WINDOWS, build_machine
from controller.table.model import Bet, Box, Hand, Refused, Settlement
from controller.table.money import Stake
from controller.table.offers import offers_left, take_insurance, take_surrender
from controller.table.steps import Step
from controller.table.wagers import Limits, Sheet, boxes_of, check_sheet

_MACHINE: Final = build_machine()

Owner = tuple[int, str]
"""A bettor: box and letter."""


class Round:
    """The state of one round. Every attribute may be read; the verbs are the methods.

    ``turn`` is the box and hand number in turn; ``armed`` the box that has the button;
    ``insurance`` maps (taker, owner) to the amount.
    """

    def __init__(self, rules: RuleSet, limits: Limits, sheet: Sheet) -> None:
        check_sheet(rules, sheet)
        self.rules = rules
        self.limits = limits
        self.state = "deal.first_cards"
        self.boxes: dict[int, Box] = boxes_of(sheet)
        for box in self.boxes.values():
            bets = {bettor: Bet(stake) for bettor, stake in box.main.items()}
            box.hands.append(Hand(box.number, 1, bets=bets))
        self.dealer: list[Card] = []
        self.settlements: list[Settlement] = []
        self.turn: tuple[int, int] | None = None
        self.may_follow: frozenset[str] = frozenset()
        self.served: tuple[int, ...] = ()
        self.armed: int | None = None
        self.nominee: str | None = None
        self.multiplier: int | None = None
        self.multipliers: list[int] = []
        self.insurance: dict[tuple[Owner, Owner], Stake] = {}
        self.super_bonus: set[Owner] = set()
        self.void_clause = ""
        self._dealt = 0

    def clone(self) -> Round:
        """An independent copy."""
        copy = object.__new__(Round)
        copy.__dict__.update(self.__dict__)
        copy.boxes = {number: box.clone() for number, box in self.boxes.items()}
        copy.dealer = self.dealer.copy()
        copy.settlements = self.settlements.copy()
        copy.multipliers = self.multipliers.copy()
        copy.insurance = self.insurance.copy()
        copy.super_bonus = self.super_bonus.copy()
        return copy

    # ---- what happens -------------------------------------------------------------------------

    def take(self, card: Card) -> None:
        """A card leaves the shoe; it has exactly one destination.

        Raises:
            Refused: no card may leave now.
        """
        if not self.card_expected:
            raise Refused(
                f"no card may leave the shoe now ({self.state})", self.clause, short="CARD NOT DUE"
            )
        if self.state in WINDOWS:
            self._fire("done")
        self._fire("card", card)

    def step(self, step: Step) -> None:
        """A decision of a player, or the dealer's ``done``.

        In a window (offers, withdrawal) any other step closes it first, if it may then be taken.

        Raises:
            Refused: it may not be taken now; nothing has changed.
        """
        window = WINDOWS.get(self.state)
        if window is not None and step.verb not in window:
            trial = self.clone()
            trial.step(Step("done"))
            trial.step(step)
            self.__dict__.update(trial.__dict__)
            return
        self.check(step)
        self._fire(step.verb, step)
        if self.state == "offers.open" and not self.offers_left():
            self._fire("done", Step("done"))

    def check(self, step: Step) -> None:
        """Whether :meth:`step` would be taken in this very state.

        Raises:
            Refused: with the reason and the clause.
        """
        event = _MACHINE.events.get(step.verb)
        guard = CHECKS.get(step.verb)
        if event is None or guard is None:
            raise Refused(
                f"these rules do not play {step.verb!r}",
                out_of_place(self, step),
                short="NOT PLAYED HERE",
            )
        if self.state not in event.transitions:
            raise Refused(
                f"{step} is not permitted now ({self.state})",
                out_of_place(self, step),
                short=short_out_of_place(self, step),
            )
        guard(self, step)
        if step.verb == "done" and self.state.startswith("dealer.") and not self.draw_is_moot():
            raise Refused(
                "the dealer must draw: wagers depend on it", self.clause, short="DEALER MUST DRAW"
            )

    def drawn(self, multiplier: int) -> None:
        """The draw for the box that pressed."""
        self._fire("drawn", multiplier)

    def shown(self) -> None:
        """The meter shows the multiplier drawn."""
        self._fire("shown")

    def void(self, clause: str) -> None:
        """The round is void; every wager is returned."""
        self.void_clause = clause
        self._fire("void")

    def _fire(self, trigger: str, *args: Any) -> None:
        if not _MACHINE.events[trigger].trigger(self, *args):
            raise Refused(f"{trigger} is not permitted now ({self.state})", self.clause)
        while self.state in PASSING:
            _MACHINE.events["advance"].trigger(self)

    # ---- what is to be seen -------------------------------------------------------------------

    @property
    def clause(self) -> str:
        """The clause that governs the present state."""
        return self.rules.states.get(self.state, "")

    @property
    def ended(self) -> bool:
        """Settled or void."""
        return self.state in ENDED

    @property
    def hand_in_turn(self) -> Hand | None:
        """The hand that decides or receives now."""
        if self.turn is None:
            return None
        return next(h for h in self.boxes[self.turn[0]].hands if h.number == self.turn[1])

    @property
    def next_hand(self) -> Hand | None:
        """The first hand, in the order of play, that is not over."""
        return next((h for box in self.boxes.values() for h in box.hands if not h.over), None)

    @property
    def dealer_total(self) -> int:
        """Best total of the dealer's hand."""
        return hand_total(self.dealer)

    @property
    def dealer_has_pontoon(self) -> bool:
        """Ace and picture as the dealer's first two cards."""
        return is_pontoon(self.dealer)

    @property
    def card_expected(self) -> bool:
        """Whether a card may leave the shoe now. An open window closes with it, unless no
        player's hand would receive it: then the dealer says so first."""
        if self.state == "offers.open":
            return self.next_hand is not None
        if self.state == "play.withdraw":
            return self.next_hand is not None or self.dealer_plays()
        return self.state in _MACHINE.events["card"].transitions

    @property
    def receiver(self) -> Hand | None:
        """The hand that the next card goes to; None for the dealer's (or when none may leave)."""
        if self.state.endswith((".first_cards", ".second_cards")):
            return list(self.boxes.values())[self._dealt].hands[0]
        if self.state in WINDOWS:
            return self.next_hand
        return self.hand_in_turn if self.state.startswith("play.") else None

    @property
    def cards_in_sequence(self) -> int:
        """How many cards may leave one after the other with their destinations known."""
        boxes = len(self.boxes)
        match self.state:
            case "deal.first_cards":
                return 2 * boxes + 1 - self._dealt
            case "deal.dealer_card":
                return boxes + 1
            case "deal.second_cards":
                return boxes - self._dealt
        return 1 if self.card_expected else 0

    def insured_by_others(self, owner: Owner) -> bool:
        """Whether somebody else has taken up that bettor's insurance."""
        return any(o == owner and taker != owner for taker, o in self.insurance)

    def controller(self, box: int) -> str:
        """Letter of who decides for the box now."""
        return controller_of(self, self.boxes[box])

    # ---- conditions of the machine ------------------------------------------------------------

    def box_follows(self, _: Card) -> bool:
        """Whether another box is served after this card."""
        return self._dealt + 1 < len(self.boxes)

    def winner_waits(self) -> bool:
        """Whether a box with winning Pandemonium wagers has not been served."""
        return self._next_winner() is not None

    def _next_winner(self) -> int | None:
        waiting = [
            box.number
            for box in self.boxes.values()
            if box.pandemonium and box.hands[0].is_pontoon and box.number not in self.served
        ]
        if not waiting:
            return None
        ascending = self.rules.pandemonium.order.value == "ascending"
        return min(waiting) if ascending else max(waiting)

    def offers_left(self) -> bool:
        """Whether insurance or surrender may be taken by anybody."""
        return offers_left(self)

    def hand_needs_card(self) -> bool:
        """Whether the next hand is a split one that waits for its second card."""
        hand = self.next_hand
        return hand is not None and len(hand.cards) == 1

    def only_hit(self) -> bool:
        """Whether the next hand can do nothing but take a card."""
        hand = self.next_hand
        return (
            hand is not None and len(hand.cards) > 2 and hand.total < self.rules.stand.minimum.value
        )

    def hand_waits(self) -> bool:
        """Whether a hand is left to decide."""
        return self.next_hand is not None

    def dealer_plays(self) -> bool:
        """Whether the dealer's second card is needed, or may be taken although it is not."""
        return not self.draw_is_moot() or self.rules.dealer.moot_draw.value == "either"

    def draw_is_moot(self, *_: Step) -> bool:
        """Whether nothing depends on the dealer's next card."""
        if any(hand.live for box in self.boxes.values() for hand in box.hands):
            return False
        if len(self.dealer) > 1:
            return True
        surrendered = any(
            bet.open
            for box in self.boxes.values()
            for hand in box.hands
            for bet in hand.bets.values()
        )
        return not surrendered and not self.insurance

    def may_withdraw_after(self, card: Card) -> bool:
        """Whether the doubled part may be withdrawn once this card lies."""
        hand = self.hand_in_turn
        assert hand
        below = self.rules.double.withdraw_below.value
        return hand_total([*hand.cards, card], hand.hard_aces) < below

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
        total = self.dealer_total
        if total == 17 and is_soft(self.dealer):
            return self.rules.dealer.soft17.value == "draw"
        return total < 17

    # ---- actions of the machine ---------------------------------------------------------------

    def give_box(self, card: Card) -> None:
        """A card of the initial deal to the next box."""
        boxes = list(self.boxes.values())
        boxes[self._dealt].hands[0].cards.append(card)
        self._dealt = (self._dealt + 1) % len(boxes)

    def give_dealer(self, card: Card) -> None:
        """A card to the dealer's hand."""
        self.dealer.append(card)

    def give_hand(self, card: Card) -> None:
        """A card to the hand in turn, which may bust with it, be paid, or be over."""
        hand = self.hand_in_turn
        assert hand
        hand.cards.append(card)
        self.may_follow = frozenset()
        settling.settle_hand(self, hand)
        if hand.doubled and not hand.over:
            hand.over = True
            for bet in hand.bets.values():
                bet.may_withdraw = bet.doubled and bet.open
        if hand.split_aces:
            hand.over = True

    def settle_pairs(self) -> None:
        """Pair wagers."""
        settling.settle_pairs(self)

    def settle_pontoons(self) -> None:
        """Pontoons, and the Pandemonium wagers that lose."""
        settling.settle_pontoons(self)

    def offer_button(self) -> None:
        """The button goes to the next box in the document's order."""
        self.armed = self._next_winner()
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
        settling.settle_pandemonium(self)

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
        aces = hand.cards[0].rank == 1
        new = Hand(
            hand.box,
            len(box.hands) + 1,
            cards=[hand.cards.pop()],
            bets={control: Bet(hand.bets[control].stake)},
            split=True,
            split_aces=aces,
        )
        hand.split, hand.split_aces = True, aces
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
        new = max(self.boxes[hand.box].hands, key=lambda other: other.number)
        new.bets[bettor] = Bet(hand.bets[bettor].stake)
        self.may_follow -= {bettor}

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
        settling.settle_withdrawn(self, *self._choose(step))

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
        settling.settle_insurance(self, won=False)
        if self.rules.surrender.settled.value == "second_card":
            settling.settle_surrenders(self)

    def settle_against_pontoon(self) -> None:
        """Everything that stands against the dealer's Pontoon."""
        settling.settle_against_pontoon(self)

    def settle_final(self) -> None:
        """What still stands, and the shares of a Super Bonus."""
        settling.settle_final(self)

    def return_wagers(self) -> None:
        """Every wager of the void round."""
        self.turn = None
        settling.return_wagers(self, self.void_clause or self.rules.settled_by["void"])
