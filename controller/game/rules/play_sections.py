"""The sections of a rule file about wagers and hands; those about the table are in
:mod:`~.sections`, which explains what a section is."""

from __future__ import annotations

from dataclasses import dataclass

from controller.game.rules.sections import Rule, key


@dataclass(frozen=True, slots=True)
class PontoonRules:
    """The two-card 21."""

    paid: Rule[str] = key("When a player's Pontoon is paid", "at_once", "compared")
    after_split: Rule[bool] = key("Whether a split hand can be a Pontoon", True, False)


@dataclass(frozen=True, slots=True)
class TwentyOneRules:
    """A total of 21 that is not a Pontoon."""

    paid: Rule[str] = key("When a 21 is paid", "at_once", "compared")
    lines: Rule[bool] = key("Whether the pay table's lines for 21 apply", True, False)


@dataclass(frozen=True, slots=True)
class PandemoniumRules:
    """The button and the meter of the side wager that is settled by them."""

    order: Rule[str] = key(
        "Order in which winning boxes are offered the button", "ascending", "descending"
    )
    multipliers: Rule[tuple[int, ...]] = key("Games multipliers, to 1")
    nominee: Rule[str] = key("Who may press instead", "no_winning_wager")


@dataclass(frozen=True, slots=True)
class InsuranceRules:
    """Insurance against the dealer's Pontoon."""

    dealer_first: Rule[tuple[str, ...]] = key("Dealer's first card that opens it", "A")
    limit: Rule[str] = key("Most that may be insured", "half")
    paid_hand: Rule[bool] = key("Whether a paid Pontoon may be insured", False)
    others: Rule[bool] = key("Whether others may take up a declined insurance", True, False)
    outside: Rule[bool] = key(
        "Whether people without a wager in the round may take it up", True, False
    )
    until: Rule[str] = key("Until when insurance may be taken", "before_further_cards")


@dataclass(frozen=True, slots=True)
class SurrenderRules:
    """Giving up half of the wager."""

    offered: Rule[str] = key("When it may be taken", "before_play", "in_turn")
    dealer_first: Rule[tuple[str, ...]] = key("Dealer's first cards that open it", *"A23456789TJQK")
    scope: Rule[str] = key("Whom it binds", "box", "player")
    settled: Rule[str] = key("When the half is collected", "at_once", "second_card", "final")
    after_split: Rule[bool] = key("Whether a split hand may be surrendered", False)


@dataclass(frozen=True, slots=True)
class StandRules:
    """Standing."""

    minimum: Rule[int] = key("Lowest total that may stand")


@dataclass(frozen=True, slots=True)
class HitRules:
    """Taking a card."""

    soft_21: Rule[bool] = key("Whether a soft 21 may take a card when asked for", True, False)


@dataclass(frozen=True, slots=True)
class BuyRules:
    """Buying a card."""

    maximum: Rule[str] = key("Most that a card may cost", "original")
    minimum: Rule[str] = key("Least that a card may cost", "increment")
    after_twist: Rule[bool] = key("Whether a card may be bought after one that was not", False)
    free_below: Rule[int] = key("The last card is free below this hard total of the others")
    pays: Rule[str] = key("What a bought card's stake is paid", "as_the_wager")


@dataclass(frozen=True, slots=True)
class TrickRules:
    """The hand of a fixed number of cards, which is over and outranks totals."""

    cards: Rule[int] = key("Cards of a trick", 5)


@dataclass(frozen=True, slots=True)
class SplitRules:
    """Splitting two equal cards."""

    match: Rule[str] = key("What makes two cards splittable", "value", "rank")
    hands_max: Rule[int] = key("Most hands of a box")
    cards: Rule[str] = key("When the new hands get their second cards", "in_turn", "at_once")
    aces_one_card: Rule[bool] = key("Whether split aces get one card each", True, False)
    others: Rule[str] = key(
        "What a standing bettor may do about a split",
        "add_or_stay_on_first",
        "add_or_choose",
        "nobody_else",
    )
    pays: Rule[str] = key("Odds of a split hand", "as_unsplit_without_super_bonus", "as_unsplit")


@dataclass(frozen=True, slots=True)
class DoubleRules:
    """Doubling down and withdrawing the doubled part."""

    cards: Rule[str] = key("When a hand may be doubled", "first_two", "any")
    minimum: Rule[str] = key("Least that may be added", "increment", "table_minimum")
    maximum: Rule[str] = key("Most that may be added", "original")
    aces: Rule[str] = key("Which aces of a doubled hand count 1", "first_two", "initial_deal")
    others: Rule[str] = key("Standing bettors on a doubled hand", "may_follow")
    others_first: Rule[str] = key(
        "Whether they may double where the one who decides does not", "never"
    )
    others_odds: Rule[str] = key("Odds of a bettor who does not double", "even", "table")
    withdraw_below: Rule[int] = key("The doubled part may be withdrawn below this total")
    one_card: Rule[str] = key("Cards that a doubled hand receives", "exactly_one")
