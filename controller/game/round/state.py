"""A round as data, with what has gone wrong in it and waits for a remedy.

This module neither checks nor changes a round: what follows from its data and the rules is in
:mod:`~.looks` and :mod:`~.hands`, its sequence in :mod:`~.machine`, the functions that return the
next round in :mod:`~.play`, and what may be done about an irregularity in :mod:`~.irregular`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from operator import attrgetter

from controller.game.commands.values import Stake
from controller.game.round.log import Input
from controller.game.round.model import BettorKey, Box, Hand, Settlement
from controller.game.round.remedies import Correction
from controller.game.round.states import CARDS_BEFORE, ENDED, WINDOWS, RoundPart, State
from controller.game.round.wagers import Limits, Sheet
from controller.game.rules.cards import Card, hand_total
from controller.game.rules.cases import Case, LateOffer
from controller.game.rules.schema import RuleSet


@dataclass(slots=True)
class Irregularity:
    """What has gone wrong: ``cards`` wait for a place, in the order in which they left the shoe;
    ``asked``: one of them was due; ``seen`` are those that somebody has seen; ``foreign``: it can
    be used by nobody; ``box``, and the ``bettor`` where a letter was said; ``past``: it cannot be
    reconstructed any more. ``case`` is the one that applied when it was opened, or when more became
    known."""

    trigger: str
    cards: list[Card] = field(default_factory=list)
    asked: bool = False
    seen: tuple[Card, ...] = ()
    box: int = 0
    bettor: str = ""
    amount: Stake = None
    case: Case | None = None
    past: bool = False
    areas: int = 0
    settled: bool = False

    def clone(self) -> Irregularity:
        """An independent copy."""
        return replace(self, cards=self.cards.copy())


@dataclass(slots=True)
class Irregular:
    """What has gone wrong in a round, and how it is put right.

    ``irregularity`` is the open one; ``options`` is the case after whose remedy players may choose;
    ``waiting`` are cards that were put back and come next; ``owed``: a card that was due was
    discarded, another is due; ``late`` is an offer made late, and its box, ``late_to`` the bettor
    where it is to one alone; ``finishing`` the hand that may be completed before the dealer gets
    his missing first card, which is dealt under the case ``owing``; ``offered_on``: what waits is
    offered to the next player after that box, and is burned under that clause if he takes none;
    ``chooser`` the box that chose among cards that left together; ``remarks`` say what was done
    automatically and why; ``after_round`` what is to be corrected when the round is over.

    ``edits`` are corrections that are not judged yet; ``history`` are the settlements told before
    the last judgement with their reversals, in place of the first ``covered`` of the round's;
    ``resumes`` is the state to which play returns after an offer of the button that a correction
    has brought; ``missing`` are boxes (0: the dealer) that lack cards after one.

    ``beyond`` are cards that came to the dealer's hand behind the one that completed it.

    Of the insurance of the round ``returned_insurance`` went back; ``dropped_insurance`` did,
    because the cards did not offer it: it may be taken up anew.
    """

    irregularity: Irregularity | None = None
    options: Case | None = None
    waiting: list[Card] = field(default_factory=list)
    owed: bool = False
    late: tuple[LateOffer, int] | None = None
    finishing: tuple[int, int] | None = None
    owing: Case | None = None
    chooser: int = 0
    remarks: list[str] = field(default_factory=list)
    after_round: tuple[str, ...] = ()
    edits: tuple[Correction, ...] = ()
    history: list[Settlement] = field(default_factory=list)
    covered: int = 0
    resumes: State | None = None
    missing: tuple[int, ...] = ()
    returned_insurance: frozenset[tuple[BettorKey, BettorKey]] = frozenset()
    offered_on: tuple[int, str] | None = None
    dropped_insurance: list[tuple[BettorKey, BettorKey, Stake]] = field(default_factory=list)
    late_to: str = ""
    beyond: list[Card] = field(default_factory=list)

    def clone(self) -> Irregular:
        """An independent copy."""
        copied = Irregular(*_OF_IRREGULAR(self))
        copied.irregularity = self.irregularity and self.irregularity.clone()
        copied.waiting, copied.beyond = self.waiting.copy(), self.beyond.copy()
        copied.remarks, copied.history = self.remarks.copy(), self.history.copy()
        copied.dropped_insurance = self.dropped_insurance.copy()
        return copied


@dataclass(slots=True)
class Round:
    """The state of one round. Its fields, their names and types are stored in snapshots, but for
    ``out`` and ``hits``, which follow from the log.

    ``turn`` is the box and hand number in turn; ``armed`` the box that has the button;
    ``insurance`` maps (taker, owner of the wager) to the amount, ``closed_insurance`` of which are
    settled. ``draws`` are the multipliers that the meter has shown, by box. ``log`` has the inputs
    of the round, ``out`` is how many cards have left the shoe for it; ``hits`` is the hand, by box
    and number, that has said to hit and has not got its card; ``irregular`` is what has gone wrong
    in it and is put right.
    """

    rules: RuleSet
    limits: Limits
    state: State = State.DEAL_FIRST_CARDS
    boxes: dict[int, Box] = field(default_factory=dict)
    dealer: list[Card] = field(default_factory=list)
    settlements: list[Settlement] = field(default_factory=list)
    turn: tuple[int, int] | None = None
    may_follow: frozenset[str] = frozenset()
    served: tuple[int, ...] = ()
    armed: int | None = None
    nominee: str | None = None
    multiplier: int | None = None
    multipliers: list[int] = field(default_factory=list)
    insurance: dict[tuple[BettorKey, BettorKey], Stake] = field(default_factory=dict)
    closed_insurance: frozenset[tuple[BettorKey, BettorKey]] = frozenset()
    super_bonus: set[BettorKey] = field(default_factory=set)
    void_clause: str = ""
    sheet: Sheet = field(default_factory=Sheet)
    log: list[Input] = field(default_factory=list)
    draws: dict[int, int] = field(default_factory=dict)
    irregular: Irregular = field(default_factory=Irregular)
    out: int = field(default=0, init=False, compare=False)
    hits: tuple[int, int] | None = field(default=None, init=False, compare=False)

    def clone(self) -> Round:
        """An independent copy; the sheet stays as it was keyed."""
        copied = Round(*_OF_ROUND(self))
        copied.boxes = {number: box.clone() for number, box in self.boxes.items()}
        copied.dealer, copied.log = self.dealer.copy(), self.log.copy()
        copied.settlements, copied.super_bonus = self.settlements.copy(), self.super_bonus.copy()
        copied.multipliers, copied.draws = self.multipliers.copy(), self.draws.copy()
        copied.insurance, copied.irregular = self.insurance.copy(), self.irregular.clone()
        copied.out, copied.hits = self.out, self.hits
        return copied

    def remark(self, said: str) -> None:
        """Say what was done by itself, and why."""
        self.irregular.remarks.append(said)

    @property
    def all_settlements(self) -> list[Settlement]:
        """Every settlement as it was told, with reversals: only a void round takes any out."""
        if not self.irregular.history:
            return self.settlements
        return [*self.irregular.history, *self.settlements[self.irregular.covered :]]

    @property
    def clause(self) -> str:
        """The clause that governs the present state."""
        return self.rules.states.get(self.state, "")

    @property
    def is_over(self) -> bool:
        """Whether the round is settled or void."""
        return self.state in ENDED

    @property
    def hands(self) -> list[Hand]:
        """The players' hands in the order of play."""
        return [hand for box in self.boxes.values() for hand in box.hands]

    @property
    def hand_in_turn(self) -> Hand | None:
        """The hand that decides or receives now."""
        if self.turn is None:
            return None
        return self._hand(*self.turn)

    @property
    def turn_hand(self) -> Hand:
        """The same, where there is one."""
        assert self.hand_in_turn
        return self.hand_in_turn

    def _hand(self, box: int, number: int) -> Hand:
        [found] = [hand for hand in self.boxes[box].hands if hand.number == number]
        return found

    @property
    def next_hand(self) -> Hand | None:
        """The first hand, in the order of play, that is not over; where both hands of a split get
        their second cards at once, a hand just formed comes before it. One that is completed before
        the dealer's missing card comes first of all (MBS 5.12.1)."""
        if self.irregular.finishing is not None and not self.dealer:
            hand = self._hand(*self.irregular.finishing)
            if not hand.over:
                return hand
        at_once, first = self.rules.split.cards.value == "at_once", None
        for box in self.boxes.values():
            for hand in box.hands:
                if not hand.over:
                    if not at_once or len(hand.cards) == 1:
                        return hand
                    first = first or hand
        return first

    @property
    def dealer_total(self) -> int:
        """The best total of the dealer's hand."""
        return hand_total(self.dealer)

    @property
    def receiver(self) -> Hand | None:
        """The hand that the next card goes to; None: the dealer's, or no card may leave."""
        if self.state in CARDS_BEFORE:
            return self.to_be_served[0].hands[0]
        if self.state in WINDOWS:
            return self.next_hand
        if self.state == State.PLAY_DEALER_CARD:
            return None  # his missing first card
        return self.hand_in_turn if self.state.part is RoundPart.PLAY else None

    @property
    def in_play(self) -> list[Box]:
        """The boxes that take part in the initial deal: all except those given up meanwhile."""
        return [box for box in self.boxes.values() if not box.hands[0].over]

    @property
    def to_be_served(self) -> list[Box]:
        """The boxes that still wait for the card that every box is being dealt."""
        before, boxes = CARDS_BEFORE[self.state], self.boxes.values()
        return [b for b in boxes if not b.hands[0].over and len(b.hands[0].cards) == before]

    @property
    def offered_to(self) -> Hand | None:
        """The hand that may refuse the card that waits: the next hand; for cards that left
        together, the next hand of a box other than the one that chose."""
        hands = [hand for hand in self.hands if not hand.over]
        if self.irregular.chooser and self.irregular.options is not None:
            hands = [h for h in hands if h.box > self.irregular.chooser] or hands
        return hands[0] if hands else None

    @property
    def open_insurance(self) -> set[tuple[BettorKey, BettorKey]]:
        """Insurance that is neither settled nor returned: (taker, owner)."""
        return self.insurance.keys() - self.closed_insurance


_OF_ROUND, _OF_IRREGULAR = (attrgetter(*kind.__match_args__) for kind in (Round, Irregular))
"""All fields that are given, fast: every step makes a copy."""
