"""The sections of a rule file: what each key means and what it may be.

A key is a :class:`Rule`: the value and the clause of the document that gives it, or the default of
the rules matrix (``A-nn``) where the document is silent. A key with one permitted value is a
default that is written down so that it can be read, compared and cited.
"""

from __future__ import annotations

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
    tens: Rule[bool] = key("Whether the decks contain tens", True, False)
    player_ace: Rule[str] = key("What a player's ace counts", "best_total")
    dealer_ace: Rule[str] = key("What the dealer's ace counts", "best_total")


@dataclass(frozen=True, slots=True)
class Shoe:
    """Shoe, shuffle and card sets."""

    burn: Rule[str] = key("Whether the first card of a new shoe is burned", "never", "new_shoe")
    cutting_card_first: Rule[str] = key(
        "The cutting card comes as the first card of a round", "finish_round", "shuffle_at_once"
    )
    cutting_card: Rule[str] = key("The cutting card comes during a round", "shuffle_after_round")
    after_reshuffle: Rule[str] = key(
        "After a round that was finished with shuffled discards", "shuffle_after_round", "goes_on"
    )
    card_sets: Rule[int] = key("Card sets in turn where there is a shuffler", 2)
    faulty_set: Rule[str] = key("A set that comes back incomplete", "blocked")


@dataclass(frozen=True, slots=True)
class Betting:
    """Boxes, bettors and side wagers."""

    boxes_max: Rule[int] = key("Most boxes of a table")
    bettors_max: Rule[int] = key("Most bettors with a main wager on one box", 1, 2, 3)
    seated: Rule[str] = key("What the seated player does for his box", "decides")
    control: Rule[str] = key(
        "Who decides for a box without a seated player", "largest_wager", "nearest_dealer"
    )
    side_wagers: Rule[tuple[str, ...]] = key(
        "Side wagers that may be made", "pair", "bonus", "pandemonium"
    )
    side_wager_by: Rule[str] = key(
        "Who may place a side wager", "main_bettor", "anyone_on_wagered_box"
    )
    side_wager_without_main: Rule[str] = key(
        "A side wager on a box without a main wager", "refused"
    )
    outside_limits: Rule[str] = key(
        "A wager outside the limits, noticed before bets are closed", "refused"
    )
    closed: Rule[str] = key("What the dealer's call does to later wagers", "refused")
    fractions: Rule[str] = key("Sums that are no whole cents", "refused_when_made")
    void: Rule[str] = key(
        "What a void round does to what was paid before", "reversed_by_supervisor"
    )


@dataclass(frozen=True, slots=True)
class Deal:
    """The initial deal and the order of play."""

    order: Rule[str] = key("Order in which boxes are dealt and settled", "clockwise")
    dealer_cards: Rule[int] = key("Dealer's cards before the players play", 1)
    play_order: Rule[str] = key("Order in which boxes play", "clockwise")
    round_begins: Rule[str] = key("When a round begins", "call", "first_card")
    squeeze: Rule[bool] = key("Whether a player may be granted to squeeze his cards", True, False)


@dataclass(frozen=True, slots=True)
class Pontoon:
    """The two-card 21."""

    paid: Rule[str] = key("When a player's Pontoon is paid", "at_once", "compared")
    after_split: Rule[bool] = key("Whether a split hand can be a Pontoon", True, False)


@dataclass(frozen=True, slots=True)
class TwentyOne:
    """A total of 21 that is not a Pontoon."""

    paid: Rule[str] = key("When a 21 is paid", "at_once", "compared")
    lines: Rule[bool] = key("Whether the pay table's lines for 21 apply", True, False)


@dataclass(frozen=True, slots=True)
class Pair:
    """The pair wager."""

    aces: Rule[bool] = key("Whether two aces are a pair", True, False)


@dataclass(frozen=True, slots=True)
class Bonus:
    """The Bonus wager on the first two cards."""

    line: Rule[str] = key("Which of several matching lines pays", "highest")


@dataclass(frozen=True, slots=True)
class Pandemonium:
    """The Pandemonium wager, its button and meter."""

    order: Rule[str] = key(
        "Order in which winning boxes are offered the button", "ascending", "descending"
    )
    multipliers: Rule[tuple[int, ...]] = key("Games multipliers, to 1")
    odds: Rule[str] = key("What a multiplier means", "net_to_one")
    press_scope: Rule[str] = key("What one press is for", "box")
    nominee: Rule[str] = key("Who may press instead", "no_winning_wager")
    no_press: Rule[str] = key("When nobody presses", "stays_armed")
    before_offers: Rule[bool] = key("Whether the button comes before the offers", True)
    after_failure: Rule[str] = key(
        "A press or draw that a failure interrupts", "drawn_once_shown_and_paid"
    )


@dataclass(frozen=True, slots=True)
class Insurance:
    """Insurance against the dealer's Pontoon."""

    dealer_first: Rule[tuple[str, ...]] = key("Dealer's first card that opens it", "A")
    limit: Rule[str] = key("Most that may be insured", "half")
    paid_hand: Rule[bool] = key("Whether a paid Pontoon may be insured", False)
    others: Rule[bool] = key("Whether others may take up a declined insurance", True, False)
    others_limit: Rule[str] = key(
        "Most that all together may take up against one wager", "half_of_that_wager"
    )
    with_surrender: Rule[bool] = key("Whether a surrendered wager may be insured", True)
    until: Rule[str] = key("Until when insurance may be taken", "before_further_cards")
    order: Rule[str] = key("Order of insurance and surrender", "either")


@dataclass(frozen=True, slots=True)
class Surrender:
    """Giving up half of the wager."""

    offered: Rule[str] = key("When it may be taken", "before_play", "in_turn")
    dealer_first: Rule[tuple[str, ...]] = key("Dealer's first cards that open it", *"A23456789TJQK")
    scope: Rule[str] = key("Whom it binds", "box", "player")
    settled: Rule[str] = key("When the half is collected", "at_once", "second_card", "final")
    after_split: Rule[bool] = key("Whether a split hand may be surrendered", False)


@dataclass(frozen=True, slots=True)
class Stand:
    """Standing."""

    minimum: Rule[int] = key("Lowest total that may stand")


@dataclass(frozen=True, slots=True)
class Hit:
    """Taking a card."""

    below: Rule[int] = key("A card may be taken below this total", 21)
    soft_21: Rule[bool] = key("Whether a soft 21 may take a card when asked for", True, False)


@dataclass(frozen=True, slots=True)
class Buy:
    """Buying a card."""

    maximum: Rule[str] = key("Most that a card may cost", "original")
    minimum: Rule[str] = key("Least that a card may cost", "increment")
    after_twist: Rule[bool] = key("Whether a card may be bought after one that was not", False)
    free_below: Rule[int] = key("The last card is free below this hard total of the others")
    pays: Rule[str] = key("What a bought card's stake is paid", "as_the_wager")


@dataclass(frozen=True, slots=True)
class Trick:
    """The hand of so many cards that ends a hand and outranks totals."""

    cards: Rule[int] = key("Cards of a trick", 5)
    against_trick: Rule[str] = key("A player's trick against the dealer's", "dealer_wins")
    royal: Rule[str] = key("Three sevens of a player", "paid_at_once")


@dataclass(frozen=True, slots=True)
class Split:
    """Splitting two equal cards."""

    match: Rule[str] = key("What makes two cards splittable", "value", "rank")
    hands_max: Rule[int] = key("Most hands of a box")
    cards: Rule[str] = key("When the new hands get their second cards", "in_turn", "at_once")
    aces_once: Rule[bool] = key("Whether aces are split only once", True, False)
    aces_one_card: Rule[bool] = key("Whether split aces get one card each", True, False)
    others: Rule[str] = key(
        "What a standing bettor may do about a split",
        "add_or_stay_on_first",
        "add_or_choose",
        "nobody_else",
    )
    others_again: Rule[str] = key(
        "Where a standing bettor stays when his hand is split again",
        "first_of_the_two",
        "chooses_again",
    )
    pays: Rule[str] = key("Odds of a split hand", "as_unsplit_without_super_bonus", "as_unsplit")
    new_hand: Rule[str] = key("Place of the new hand", "right_of_the_split_one")
    bust: Rule[str] = key("What a split hand that busts loses", "its_own_wagers")


@dataclass(frozen=True, slots=True)
class Double:
    """Doubling down and withdrawing the doubled part."""

    cards: Rule[str] = key("When a hand may be doubled", "first_two", "any")
    split_aces: Rule[bool] = key("Whether a split ace may be doubled", False)
    minimum: Rule[str] = key("Least that may be added", "increment", "table_minimum")
    maximum: Rule[str] = key("Most that may be added", "original")
    aces: Rule[str] = key("Which aces of a doubled hand count 1", "first_two", "initial_deal")
    others: Rule[str] = key("Standing bettors on a doubled hand", "may_follow")
    others_first: Rule[str] = key(
        "Whether they may double where the one who decides does not", "never"
    )
    others_odds: Rule[str] = key("Odds of a bettor who does not double", "even", "table")
    withdraw_below: Rule[int] = key("The doubled part may be withdrawn below this total")
    withdraw_until: Rule[str] = key("Until when the doubled part may be withdrawn", "next_card")
    one_card: Rule[str] = key("Cards that a doubled hand receives", "exactly_one")
    at_21: Rule[str] = key("A doubled hand of 21", "paid_at_once")


@dataclass(frozen=True, slots=True)
class Dealer:
    """The dealer's hand."""

    soft17: Rule[str] = key("What the dealer does on soft 17", "draw", "stand")
    moot_draw: Rule[str] = key(
        "Whether the dealer draws when nothing depends on it", "either", "forbidden"
    )
    cards_max: Rule[int] = key("Most cards of the dealer's hand (0: any number)", 0, 5)


@dataclass(frozen=True, slots=True)
class Compare:
    """Players' hands against the dealer's."""

    equal: Rule[str] = key("Equal hands", "stand_off", "dealer_wins")
    ranks: Rule[str] = key("What is compared", "totals", "pontoon_trick_total")
    dealer_pontoon_split: Rule[str] = key(
        "What the dealer's Pontoon takes from split hands", "every_wager", "one_original"
    )
    dealer_pontoon_doubled: Rule[str] = key(
        "What the dealer's Pontoon takes from a doubled hand", "original", "not_applicable"
    )
    dealer_pontoon_split_doubled: Rule[str] = key(
        "What the dealer's Pontoon takes from split and doubled hands",
        "original_of_each",
        "one_original",
        "not_applicable",
    )
    original_gone: Rule[str] = key(
        "Split hands whose original wager is lost before", "not_applicable", "returned"
    )
    original_paid: Rule[str] = key(
        "Split hands whose original wager is paid before", "not_applicable", "leftmost_loses"
    )


@dataclass(frozen=True, slots=True)
class SuperBonus:
    """Three suited sevens against the dealer's seven."""

    brackets: Rule[tuple[tuple[int, int], ...]] = key(
        "Wager from which a sum is paid, and the sum, in dollars"
    )
    with_pays: Rule[str] = key("The Super Bonus and the pay table", "in_addition")
    paid: Rule[str] = key("When the Super Bonus is paid", "with_the_hand")
    share: Rule[int] = key("What the others receive, in dollars")
    share_to: Rule[str] = key(
        "Who receives that sum",
        "seated_of_other_boxes",
        "deciding_of_other_boxes",
        "every_other_original_wager",
    )
    share_times: Rule[str] = key(
        "How often the others receive it, with several winners", "once_a_round"
    )


@dataclass(frozen=True, slots=True)
class Absent:
    """A bettor who is not there in his turn."""

    hard_minimum: Rule[int] = key("The house draws to this hard total")
    soft_minimum: Rule[int] = key("The house draws to this soft total")
    others: Rule[str] = key("Another bettor on the box", "takes_over")
