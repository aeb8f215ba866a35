"""What a rule document is made of, as data.

Every value of a rule set is a :class:`Rule`: the value and the clause of the document that gives
it (or the default of the rules matrix, ``A-nn``, where the document is silent). The fields'
metadata say what the key means and what it may be; the loader and ``rules show`` read them there.
Money in rule files is whole dollars; the engine counts cents.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Rule(Generic[T]):
    """A value and the clause that gives it."""

    value: T
    clause: str


def key(what: str, *permitted: object) -> Any:
    """A key of the rule file: what it means, and its permitted values (none: any of its type)."""
    return field(metadata={"what": what, "permitted": permitted})


@dataclass(frozen=True, slots=True)
class Document:
    """Where the rules come from."""

    id: str = key("Name in configurations and round scripts")
    title: str = key("Title of the document")
    version: str = key("Version and date of entry into force")


@dataclass(frozen=True, slots=True)
class Cards:
    """Cards in play."""

    decks_min: Rule[int] = key("Fewest decks")
    decks_max: Rule[int] = key("Most decks")
    tens: Rule[bool] = key("Whether the decks contain tens", False)


@dataclass(frozen=True, slots=True)
class Betting:
    """Boxes, bettors and side wagers."""

    boxes_max: Rule[int] = key("Most boxes of a table")
    bettors_max: Rule[int] = key("Most bettors with a main wager on one box", 1, 2, 3)
    control: Rule[str] = key(
        "Who decides for a box without a seated player", "largest_wager", "nearest_dealer"
    )
    side_wagers: Rule[tuple[str, ...]] = key("Side wagers that may be made", "pair", "pandemonium")
    side_wager_by: Rule[str] = key(
        "Who may place a side wager", "main_bettor", "anyone_on_wagered_box"
    )
    closed: Rule[str] = key("What the dealer's call does to later wagers", "refused")


@dataclass(frozen=True, slots=True)
class Deal:
    """The initial deal and the order of play."""

    order: Rule[str] = key("Order in which boxes are dealt and settled", "clockwise")
    dealer_cards: Rule[int] = key("Dealer's cards before the players play", 1)
    play_order: Rule[str] = key("Order in which boxes play", "clockwise")


@dataclass(frozen=True, slots=True)
class Pontoon:
    """The two-card 21."""

    paid: Rule[str] = key("When a player's Pontoon is paid", "at_once")
    after_split: Rule[bool] = key("Whether a split hand can be a Pontoon", False)


@dataclass(frozen=True, slots=True)
class Pair:
    """The pair wager."""

    aces: Rule[bool] = key("Whether two aces are a pair", True, False)


@dataclass(frozen=True, slots=True)
class Pandemonium:
    """The Pandemonium wager, its button and meter."""

    order: Rule[str] = key(
        "Order in which winning boxes are offered the button", "ascending", "descending"
    )
    multipliers: Rule[tuple[int, ...]] = key("Games multipliers, to 1")
    press_scope: Rule[str] = key("What one press is for", "box")
    nominee: Rule[str] = key("Who may press instead", "no_winning_wager")


@dataclass(frozen=True, slots=True)
class Insurance:
    """Insurance against the dealer's Pontoon."""

    dealer_first: Rule[tuple[str, ...]] = key("Dealer's first card that opens it", "A")
    limit: Rule[str] = key("Most that may be insured", "half")
    paid_hand: Rule[bool] = key("Whether a paid Pontoon may be insured", False)
    others: Rule[bool] = key("Whether others may take up a declined insurance", True, False)


@dataclass(frozen=True, slots=True)
class Surrender:
    """Giving up half of the wager."""

    dealer_first: Rule[tuple[str, ...]] = key(
        "Dealer's first cards that open it", "A", "K", "Q", "J"
    )
    scope: Rule[str] = key("Whom it binds", "box", "player")
    settled: Rule[str] = key("When the half is collected", "second_card", "final")
    after_split: Rule[bool] = key("Whether a split hand may be surrendered", False)


@dataclass(frozen=True, slots=True)
class Stand:
    """Standing."""

    minimum: Rule[int] = key("Lowest total that may stand")


@dataclass(frozen=True, slots=True)
class Hit:
    """Taking a card."""

    below: Rule[int] = key("A card may be taken below this total", 21)


@dataclass(frozen=True, slots=True)
class Split:
    """Splitting two cards of equal value."""

    match: Rule[str] = key("What makes two cards splittable", "value")
    hands_max: Rule[int] = key("Most hands of a box")
    aces_once: Rule[bool] = key("Whether aces are split only once", True)
    aces_cards: Rule[int] = key("Cards dealt to each split ace", 1)
    others: Rule[str] = key("What a standing bettor may do about a split", "add_or_stay_on_first")


@dataclass(frozen=True, slots=True)
class Double:
    """Doubling down and withdrawing the doubled part."""

    cards: Rule[str] = key("When a hand may be doubled", "first_two")
    split_aces: Rule[bool] = key("Whether a split ace may be doubled", False)
    minimum: Rule[str] = key("Least that may be added", "increment", "table_minimum")
    maximum: Rule[str] = key("Most that may be added", "original")
    aces: Rule[str] = key("Which aces of a doubled hand count 1", "first_two")
    others: Rule[str] = key("Standing bettors on a doubled hand", "may_follow")
    others_odds: Rule[str] = key("Odds of a bettor who does not double", "even")
    withdraw_below: Rule[int] = key("The doubled part may be withdrawn below this total")


@dataclass(frozen=True, slots=True)
class Dealer:
    """The dealer's hand."""

    soft17: Rule[str] = key("What the dealer does on soft 17", "draw", "stand")
    moot_draw: Rule[str] = key(
        "Whether the dealer draws when nothing depends on it", "either", "forbidden"
    )


@dataclass(frozen=True, slots=True)
class SuperBonus:
    """Three suited sevens against the dealer's seven."""

    brackets: Rule[tuple[tuple[int, int], ...]] = key(
        "Wager from which a sum is paid, and the sum, in dollars"
    )
    share: Rule[int] = key("What the others receive, in dollars")
    share_to: Rule[str] = key(
        "Who receives it", "seated_of_other_boxes", "every_other_original_wager"
    )


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One rule document.

    ``pays`` maps a result (``pontoon``, ``cards_5``, ``678_suited`` …) to its odds (numerator,
    denominator); ``settled_by`` maps a decision (``main.dealer_bust``) and ``states`` a state of
    the machine to the clause that governs it.
    """

    document: Document
    cards: Cards
    betting: Betting
    deal: Deal
    pontoon: Pontoon
    pair: Pair
    pandemonium: Pandemonium
    insurance: Insurance
    surrender: Surrender
    stand: Stand
    hit: Hit
    split: Split
    double: Double
    dealer: Dealer
    super_bonus: SuperBonus
    pays: Mapping[str, Rule[tuple[int, int]]]
    settled_by: Mapping[str, str]
    states: Mapping[str, str]

    @property
    def id(self) -> str:
        """Name of the rule set, as configurations and round scripts write it."""
        return self.document.id


PAY_KEYS = (
    "pontoon",
    "regular",
    "insurance",
    "pair",
    "cards_5",
    "cards_6",
    "cards_7_or_more",
    "678_mixed",
    "678_suited",
    "678_spades",
    "777_mixed",
    "777_suited",
    "777_spades",
)
"""Results that the pay table must name."""

DECISION_KEYS = (
    "pair.win",
    "pair.lose",
    "pontoon.win",
    "pandemonium.win",
    "pandemonium.win_shared",
    "pandemonium.win_without_main",
    "pandemonium.lose",
    "insurance.win",
    "insurance.lose",
    "surrender.half",
    "surrender.dealer_pontoon",
    "withdrawn",
    "bust.plain",
    "bust.split",
    "bust.doubled",
    "twentyone.plain",
    "twentyone.split",
    "twentyone.doubled",
    "dealer_pontoon.plain",
    "dealer_pontoon.split",
    "dealer_pontoon.doubled",
    "dealer_pontoon.split_doubled",
    "compare.dealer_bust",
    "compare.higher",
    "compare.lower",
    "compare.equal",
    "super_bonus.win",
    "super_bonus.share",
    "super_bonus.share_on_winning_box",
    "void",
)
"""Decisions that pay or take a wager; each names the clause that decides it."""
