"""What a round is, and what can be seen of it.

Nothing here changes a round; the conditions of its machine are in :mod:`~.round_conditions`, the
actions in :mod:`~.round_actions`, the verbs in :mod:`~.round`.
"""

from __future__ import annotations

from typing import Final, Self

from controller.round.irregular.cases import Irregularity
from controller.round.log import Given
from controller.round.machine import ENDED, MACHINE, WINDOWS
from controller.round.model import Bet, Box, Hand, Settlement
from controller.round.money import Stake
from controller.round.offers import offers_left
from controller.round.seats import controller_of
from controller.round.steps.step import Step
from controller.round.wagers import Limits, Sheet, boxes_of, check_sheet
from controller.rules.cards import ACE, TEN, Card
from controller.rules.hands import hand_total, hard_total, is_pontoon
from controller.rules.schema import Case, RuleSet

Owner = tuple[int, str]
"""A bettor: box and letter."""


_DEALS: Final = {"deal.first_cards": 0, "deal.second_cards": 1}
"""States in which a card is dealt round, and how many a hand has before it."""


class RoundState:
    """The state of one round. Every attribute may be read.

    ``turn`` is the box and hand number in turn; ``armed`` the box that has the button;
    ``insurance`` maps (taker, owner) to the amount, ``closed_insurance`` of which are settled.
    ``log`` is what the round was given.

    ``irregularity`` is open; ``options`` is the case behind whose remedy players may choose;
    ``waiting`` are cards that were put back: the next ones; ``owed``: a card that was due was
    discarded, another is due; ``late`` is an offer made late (step and box); ``finishing`` the hand
    that may be completed before the dealer gets his missing first card, which is dealt under the
    case ``owing``; ``chooser`` the box that
    chose of cards that left together; ``remarks`` say what was done by itself and why;
    ``after_round`` what is to be put right when the round is over.
    """

    def __init__(self, rules: RuleSet, limits: Limits, sheet: Sheet) -> None:
        check_sheet(rules, sheet)
        self.rules = rules
        self.limits = limits
        self.state: str = "deal.first_cards"
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
        self.closed_insurance: frozenset[tuple[Owner, Owner]] = frozenset()
        self.super_bonus: set[Owner] = set()
        self.void_clause = ""
        self.sheet = sheet.clone()
        self.log: list[Given] = []
        self.irregularity: Irregularity | None = None
        self.options: Case | None = None
        self.waiting: list[Card] = []
        self.owed = False
        self.late: tuple[str, int] | None = None
        self.finishing: tuple[int, int] | None = None
        self.owing: Case | None = None
        self.chooser = 0
        self.remarks: list[str] = []
        self.after_round: tuple[str, ...] = ()

    def clone(self) -> Self:
        """An independent copy."""
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy.boxes = {number: box.clone() for number, box in self.boxes.items()}
        copy.dealer = self.dealer.copy()
        copy.settlements = self.settlements.copy()
        copy.multipliers = self.multipliers.copy()
        copy.insurance = self.insurance.copy()
        copy.log = self.log.copy()
        copy.waiting = self.waiting.copy()
        copy.remarks = self.remarks.copy()
        if self.irregularity:
            copy.irregularity = self.irregularity.clone()
        copy.super_bonus = self.super_bonus.copy()
        return copy

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
        """The first hand, in the order of play, that is not over; before it one just formed by a
        split, where both get their second cards at once."""
        hands = [h for box in self.boxes.values() for h in box.hands if not h.over]
        if self.rules.split.cards.value == "at_once":
            waiting = [hand for hand in hands if len(hand.cards) == 1]
            hands = waiting or hands
        return hands[0] if hands else None

    @property
    def dealer_total(self) -> int:
        """Best total of the dealer's hand."""
        return hand_total(self.dealer)

    @property
    def card_expected(self) -> bool:
        """Whether a card may leave the shoe now. An open window closes with it, unless no
        player's hand would receive it: then the dealer says so first."""
        if self.state == "offers.open":
            return self.next_hand is not None
        if self.state == "play.withdraw":
            return self.next_hand is not None or self.dealer_plays()
        return self.state in MACHINE.events["card"].transitions

    @property
    def receiver(self) -> Hand | None:
        """The hand that the next card goes to; None for the dealer's (or when none may leave)."""
        if self.state in _DEALS:
            return self.to_be_served()[0].hands[0]
        if self.state in WINDOWS:
            return self.next_hand
        return self.hand_in_turn if self.state.startswith("play.") else None

    @property
    def cards_in_sequence(self) -> int:
        """How many cards may leave one after the other with their destinations known."""
        if self.irregularity or self.waiting:
            return 0
        match self.state:
            case "deal.first_cards":
                return len(self.to_be_served()) + 1 + len(self.in_play())
            case "deal.dealer_card":
                return 1 + len(self.in_play())
            case "deal.second_cards":
                return len(self.to_be_served())
        return 1 if self.card_expected else 0

    def in_play(self) -> list[Box]:
        """The boxes that take part in the initial deal: all but those given up meanwhile."""
        return [box for box in self.boxes.values() if not box.hands[0].over]

    def to_be_served(self) -> list[Box]:
        """The boxes that wait for the card that is being dealt round."""
        has = _DEALS[self.state]
        return [box for box in self.in_play() if len(box.hands[0].cards) == has]

    @property
    def offered_to(self) -> Hand | None:
        """The hand that may refuse the card that waits: the next one, and of cards that left
        together the next one of another box than chose."""
        hands = [h for box in self.boxes.values() for h in box.hands if not h.over]
        if self.chooser and self.options is not None:
            hands = [h for h in hands if h.box > self.chooser] or hands
        return hands[0] if hands else None

    @property
    def open_insurance(self) -> set[tuple[Owner, Owner]]:
        """Insurance that is neither settled nor returned: (taker, owner)."""
        return self.insurance.keys() - self.closed_insurance

    def insured_by_others(self, owner: Owner) -> bool:
        """Whether somebody else has taken up that bettor's insurance."""
        return any(o == owner and taker != owner for taker, o in self.insurance)

    def controller(self, box: int) -> str:
        """Letter of who decides for the box now."""
        return controller_of(self, self.boxes[box])

    def offers_left(self) -> bool:
        """Whether insurance or surrender may be taken by anybody."""
        return offers_left(self)

    def house_plays(self, hand: Hand) -> bool:
        """Whether nobody is there to decide for the hand."""
        box, rule = self.boxes[hand.box], self.rules.absent
        if not box.absent or rule is None:
            return False
        if rule.others.value == "takes_over":
            return not box.deciding
        return not any(bettor in hand.bets for bettor in box.deciding)

    def may_buy(self, hand: Hand) -> bool:
        """Whether the next card of the hand may be bought."""
        rule = self.rules.buy
        if rule is None or hand.twisted:
            return False
        return not self.free_card(hand)

    def free_card(self, hand: Hand) -> bool:
        """Whether the hand's last card cannot be bought because it cannot bust."""
        rule, trick = self.rules.buy, self.rules.trick
        if rule is None or trick is None or len(hand.cards) != trick.cards.value - 1:
            return False
        return hard_total(hand.cards) < rule.free_below.value

    def dealer_plays(self) -> bool:
        """Whether the dealer's second card is needed, or may be taken although it is not."""
        return not self.draw_is_moot() or self.rules.dealer.moot_draw.value == "either"

    def draw_is_moot(self, *_: Step) -> bool:
        """Whether nothing depends on the dealer's next card."""
        hands = [hand for box in self.boxes.values() for hand in box.hands]
        if any(hand.live and not self._has_won(hand) for hand in hands):
            return False
        if len(self.dealer) > 1:
            return True
        surrendered = any(bet.open and bet.surrendered for h in hands for bet in h.bets.values())
        return not surrendered and not self.open_insurance

    def _has_won(self, hand: Hand) -> bool:
        """Whether a hand that is compared later wins whatever the dealer draws: a Pontoon, once the
        dealer can have none, where it is paid the same against every hand."""
        if not hand.is_pontoon or self.rules.trick is None:
            return False
        if len(self.dealer) == 1:
            possible = self.dealer[0].rank == ACE or self.dealer[0].points == TEN
        else:
            possible = is_pontoon(self.dealer)
        pays = self.rules.pays
        same = pays["pontoon"].value == pays["pontoon_dealer_bust"].value
        same = same and pays["pontoon"].value == pays["pontoon_dealer_trick"].value
        return same and not possible
