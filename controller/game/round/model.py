"""The data types of a round: wagers, hands, boxes and settlements.

A box holds the hands in the order in which they are played; a hand's ``number`` counts them in the
order in which they were formed. Bettor ``a`` is seated at the box, ``b`` and ``c`` stand behind,
``b`` nearer the dealer; ``d`` to ``h`` are people outside the box, who have no main wager on it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Final

from controller.game.commands.values import Seat, Stake, write_amount
from controller.game.round.result_fields import SettlementResult
from controller.game.round.steps import AtBox
from controller.game.rules.cards import ACE, Card, hand_total, is_pontoon

BETTORS = ("a", "b", "c", "d", "e", "f", "g", "h")
"""Every bettor, in the order in which wagers are settled."""

OUTSIDE = BETTORS[3:]
"""People outside the box: side wagers and the insurance of others, where the document lets them."""

REVERSED: Final = "reversed"
"""The outcome of a settlement that takes another one back."""

BettorKey = tuple[int, str]
"""A bettor: box and letter."""


@dataclass(slots=True)
class Bet:
    """One bettor's wager on one hand, and what was added by doubling and for bought cards.

    ``original`` is the wager made before the deal, on whichever hand it stands now; ``given_back``:
    it was returned after an irregularity; ``placed``: the amount placed and doubled, where the
    wager counts for less; ``withdrawn``: the doubled part was.
    """

    stake: Stake
    original: bool = True
    buys: tuple[Stake, ...] = ()
    doubled: bool = False
    double: Stake = None
    surrendered: bool = False
    open: bool = True
    may_withdraw: bool = False
    given_back: bool = False
    placed: tuple[Stake, Stake] | None = None
    withdrawn: bool = False

    def clone(self) -> Bet:
        """An independent copy."""
        return Bet(*_OF_BET(self))

    def count_in_full(self) -> None:
        """Have it count for what was placed, and what was doubled since."""
        if self.placed is not None:
            self.stake, doubled = self.placed
            self.double = self.double if doubled is None else doubled
            self.placed = None


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision as it was made at a hand: ``step`` names its bettor, ``at`` is how many cards the
    hand had then, ``out`` how many had left the shoe, ``formed`` the number of the hand that a
    split has formed; ``stands``: it was said to stand, though the cards do not permit it."""

    step: AtBox
    at: int
    out: int
    formed: int = 0
    stands: bool = False


@dataclass(slots=True)
class Hand:
    """A player's hand. ``over``: it takes no more cards and decisions; ``devalued``: the aces among
    its first ``devalued`` cards count 1 when it is doubled; ``twisted``: a card was drawn to it
    that was not bought; ``refused``: the clause by which it takes no more cards.

    ``said`` are the decisions made at it, but for hits, which its cards show; ``beyond`` are cards
    that came to it behind the one that ended it, and count for nothing. From cards and decisions
    the rest of it can be judged anew (:mod:`~.settling.judgement`).
    """

    box: int
    number: int
    cards: list[Card] = field(default_factory=list)
    bets: dict[str, Bet] = field(default_factory=dict)
    split: bool = False
    split_aces: bool = False
    pontoon_barred: bool = False
    doubled: bool = False
    devalued: int = 2
    twisted: bool = False
    refused: str = ""
    over: bool = False
    said: tuple[Decided, ...] = ()
    beyond: list[Card] = field(default_factory=list)

    @property
    def hard_aces(self) -> int:
        """Number of aces that count only 1: those among the devalued cards of a doubled hand."""
        if not self.doubled:
            return 0
        return sum(card.rank == ACE for card in self.cards[: self.devalued])

    @property
    def total(self) -> int:
        """The best total of the hand."""
        return hand_total(self.cards, self.hard_aces if self.doubled else 0)

    @property
    def is_pontoon(self) -> bool:
        """Ace and ten-value card as the first two; after a split only where the rules say so."""
        return not self.pontoon_barred and is_pontoon(self.cards)

    @property
    def live(self) -> bool:
        """Whether a wager on it still stands against the dealer's hand."""
        return any(bet.open and not bet.surrendered for bet in self.bets.values())

    def clone(self) -> Hand:
        """An independent copy."""
        copied = Hand(*_OF_HAND(self))
        copied.cards, copied.beyond = self.cards.copy(), self.beyond.copy()
        copied.bets = {bettor: bet.clone() for bettor, bet in self.bets.items()}
        return copied


@dataclass(slots=True)
class Box:
    """A box with its wagers by bettor, in cents; ``sides`` are the side wagers by kind, in the
    order of the rules. ``absent`` are the bettors who are not present to decide; ``given_back`` are
    side wagers (kind and bettor) that were returned."""

    number: int
    main: dict[str, Stake] = field(default_factory=dict)
    sides: dict[str, dict[str, Stake]] = field(default_factory=dict)
    absent: frozenset[str] = frozenset()
    given_back: frozenset[tuple[str, str]] = frozenset()
    hands: list[Hand] = field(default_factory=list)

    @property
    def bettors(self) -> set[str]:
        """All bettors with a wager on the box."""
        return {*self.main}.union(*self.sides.values())

    def seat(self, bettor: str) -> Seat:
        """The bettor as offers and remedies name him: ``a`` by the box's number alone."""
        return Seat(self.number, None if bettor == BETTORS[0] else bettor)

    def side(self, kind: str) -> dict[str, Stake]:
        """The side wagers of that kind that are in play."""
        wagers = self.sides.get(kind, {})
        if not self.given_back:
            return wagers
        return {b: stake for b, stake in wagers.items() if (kind, b) not in self.given_back}

    @property
    def bettors_in_order(self) -> list[str]:
        """Bettors with a main wager, the one nearest the dealer first."""
        return [bettor for bettor in BETTORS if bettor in self.main]

    @property
    def deciding(self) -> list[str]:
        """The bettors who may decide for it now, the one nearest the dealer first: those who are
        present and whose main wager has been neither surrendered nor returned."""
        return self.present_without(self.absent)

    def present_without(self, absent: Collection[str]) -> list[str]:
        """The same, where these had left."""
        return [
            bettor
            for bettor in BETTORS
            if bettor in self.main
            and bettor not in absent
            and any(
                not bet.surrendered and not bet.given_back
                for hand in self.hands
                if (bet := hand.bets.get(bettor))
            )
        ]

    @property
    def bets(self) -> list[Bet]:
        """The main wagers on all its hands."""
        return [bet for hand in self.hands for bet in hand.bets.values()]

    @property
    def is_open(self) -> bool:
        """Whether one of them is not settled."""
        return any(bet.open for bet in self.bets)

    @property
    def given_up(self) -> bool:
        """Whether all of them were given back."""
        return all(bet.given_back for bet in self.bets)

    @property
    def first_two(self) -> list[Card]:
        """The cards of its initial deal: of a split hand the second one formed a hand."""
        if len(self.hands) == 1:
            return self.hands[0].cards[:2]
        return [card for hand in self.by_number[:2] for card in hand.cards[:1]]

    def original_bet(self, bettor: str) -> Bet | None:
        """The bettor's main wager, on whichever hand it stands now (Division 15, 15.3(d))."""
        bets = (hand.bets[bettor] for hand in self.hands if bettor in hand.bets)
        return next((bet for bet in bets if bet.original), None)

    @property
    def by_number(self) -> list[Hand]:
        """Its hands in the order in which they were formed."""
        return sorted(self.hands, key=lambda hand: hand.number)

    def clone(self) -> Box:
        """An independent copy: its wagers are only ever replaced as a whole."""
        copied = Box(*_OF_BOX(self))
        copied.hands = [hand.clone() for hand in self.hands]
        return copied


_OF_BET, _OF_HAND, _OF_BOX = (attrgetter(*kind.__match_args__) for kind in (Bet, Hand, Box))
"""All fields, fast: every step makes a copy of its round, and trying every choice many."""


@dataclass(frozen=True, slots=True)
class Settlement:
    """The result of one wager on one hand; money in cents, None where amounts are not entered."""

    box: int
    bettor: str
    hand: int
    kind: str
    stake: Stake
    outcome: str
    odds: str | None
    net: Stake
    clause: str

    def reversed(self) -> Settlement:
        """The settlement that takes it back: nothing that was told is erased."""
        net = None if self.net is None else -self.net
        return replace(self, outcome=REVERSED, odds=None, net=net)

    def as_result(self) -> SettlementResult:
        """The settlement as a JSON object of a round's result."""
        return {
            "box": self.box,
            "bettor": self.bettor,
            "hand": self.hand,
            "kind": self.kind,
            "stake": write_amount(self.stake),
            "outcome": self.outcome,
            "odds": self.odds,
            "net": write_amount(self.net),
            "clause": self.clause,
        }
