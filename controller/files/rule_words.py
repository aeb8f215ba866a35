"""Texts for the values of a rule set, in the terms of an inspector or a pit manager.

The schema says what a key is; what a value means for people stands here and nowhere else, because
only people who read ``rules show`` and ``rules diff`` need it. A value without words is shown with
its underscores as blanks, so a new value needs none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, Final

RANKS: Final = frozenset("A23456789TJQK")
HOUSE: Final = "house default"

_DEFAULT = re.compile(r"A-[0-9]+[a-z]?")

VALUES: Final[Mapping[str, str]] = {
    "add_or_choose": "add an equal wager, or choose the hand that keeps his",
    "add_or_stay_on_first": "add an equal wager, or stay on the first hand",
    "any": "on any number of cards",
    "anyone_on_wagered_box": "anyone, on a box that holds a main wager",
    "as_the_wager": "the same as the wager",
    "as_unsplit": "as any other hand",
    "as_unsplit_without_super_bonus": "as any other hand, but no Super Bonus",
    "ascending": "clockwise, from the dealer's left",
    "before_play": "before play, on the first two cards",
    "box": "the whole box",
    "button": "with the button and the meter",
    "call": "with the call to place bets",
    "clockwise": "clockwise, from the dealer's left",
    "compared": "after comparison with the dealer's hand",
    "dealer_wins": "the dealer wins",
    "descending": "anticlockwise, from the dealer's right",
    "bust_plus_one": "what was lost, and one wager more",
    "cards": "the cards, also where no sum is paid for them",
    "draw": "draws",
    "each_hand_loses": "every other hand loses that amount",
    "every_other_original_wager": "every other original wager",
    "even": "1 to 1",
    "final": "in the final settlement",
    "finish_round": "the round is finished",
    "first_card": "with the first card out of the shoe",
    "first_two": "the first two cards",
    "main_wager": "a main wager",
    "identity": "the original wager, unless that is lost",
    "half": "half of the wager",
    "in_turn": "each in its turn",
    "increment": "the smallest step of a wager",
    "initial_deal": "those of the initial deal",
    "largest_wager": "the largest wager",
    "main_bettor": "the bettor of the main wager",
    "leftmost_loses": "the leftmost other hand loses that amount",
    "may_follow": "each may follow or not",
    "nearest_dealer": "the wager nearest the dealer",
    "no_winning_wager": "a person without a winning Pandemonium wager",
    "nobody_else": "nothing: there is nobody else",
    "once_seen": "once the supervisor has seen the cards, which stay",
    "not_applicable": "does not arise",
    "original": "the original wager",
    "one_original": "one original wager",
    "obbo": "one wager, or what was lost if that is more",
    "pandemonium": "Pandemonium",
    "player": "each player for himself",
    "rank": "equal rank",
    "seated_of_other_boxes": "the seated player of every other box",
    "second_card": "with the dealer's second card",
    "shuffle_after_round": "the cards are shuffled after the round",
    "shuffle_at_once": "the cards are shuffled at once",
    "stand": "stands",
    "stand_off": "stand-off",
    "table": "those of the pay table",
    "table_minimum": "the table minimum",
    "two_cards": "with the first two cards",
    "unsaid": "no",
    "value": "equal value",
    "who_had_the_card": "yes: who had the cutting card",
    "winner": "a Super Bonus that is paid",
}

OF_KEYS: Final[Mapping[tuple[str, object], str]] = {
    ("betting.below_minimum", "once"): "wins or loses once; later ones are returned",
    ("betting.below_minimum", "plays"): "plays as it is",
    ("betting.box_max", "none"): "nothing binds them",
    ("betting.outside", "side_wagers"): "side wagers",
    ("dealer.cards_max", 0): "any number",
    ("dealer.moot_draw", "either"): "may draw or not",
    ("dealer.moot_draw", "forbidden"): "does not draw",
    ("double.aces", "first_two"): "those among its first two cards",
    ("double.cards", "first_two"): "on its first two cards",
    ("shoe.burn", "never"): "no",
    ("shoe.burn", "new_shoe"): "yes",
    ("split.cards", "at_once"): "both at once",
    ("stand.minimum", 0): "any total",
    ("surrender.offered", "in_turn"): "in the player's turn",
}
"""Words for a value that reads otherwise at that key."""

PAYS: Final[Mapping[str, str]] = {
    "regular": "Any other win",
    "pontoon": "Pontoon",
    "insurance": "Insurance",
    "cards_5": "21 with five cards",
    "cards_6": "21 with six cards",
    "cards_7_or_more": "21 with seven cards or more",
    "678_mixed": "6-7-8 of mixed suits",
    "678_suited": "6-7-8 of one suit",
    "678_spades": "6-7-8 of spades",
    "777_mixed": "7-7-7 of mixed suits",
    "777_suited": "7-7-7 of one suit",
    "777_spades": "7-7-7 of spades",
    "aces_suited": "Two aces of one suit",
    "aces": "Two aces",
    "pair": "Two cards of one rank",
    "pair_but_aces": "Two cards of one rank, no aces",
    "high_pair": "Two equal pictures",
    "ace_picture": "Ace and picture",
    "low_pair": "Two cards of one rank, 2 to 10",
    "ace_low": "Ace and 2 to 10",
    "pontoon_dealer_bust": "Pontoon, the dealer is bust",
    "pontoon_dealer_trick": "Pontoon against the dealer's trick",
    "trick": "Trick",
    "trick_dealer_bust": "Trick, the dealer is bust",
    "royal": "Three sevens",
}

STEPS: Final[Mapping[str, str]] = {
    "absent": "Playing for a bettor who is absent",
    "buy": "Buying a card",
    "double": "Doubling",
    "free": "Taking the free card",
    "insure": "Insuring",
    "keep": "Leaving the doubled part",
    "nominate": "Naming another person to press",
    "overdraw": "A card too many to the dealer's hand",
    "place": "Choosing the split hand that a standing bettor's wager stays on",
    "press": "Pressing the button",
    "withdraw": "Withdrawing the doubled part",
}

NAMES: Final[Mapping[str, str]] = {
    "compare": "compared",
    "pandemonium": "Pandemonium",
    "plain": "ordinary hand",
    "pontoon": "Pontoon",
    "dealer_pontoon": "dealer's Pontoon",
    "split": "split hand",
    "doubled": "doubled hand",
    "split_doubled": "split and doubled hand",
    "super_bonus": "Super Bonus",
    "twentyone": "21",
}
"""How a part of a dotted name is said, where blanks for underscores would not do."""


def value_words(where: str, value: Any) -> str:
    """A value of the key ``section.key`` in words; lists of values, and of pairs of them, too."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Sequence) and not isinstance(value, str):
        if set(map(str, value)) == RANKS:
            return "any card"
        if value and all(isinstance(item, tuple) for item in value):
            return "; ".join(f"from {first:,}: {second:,}" for first, second in value)
        return ", ".join(value_words(where, item) for item in value) or "none"
    if where.endswith(".persons_max") and value == 0:
        return "any number"
    special = OF_KEYS.get((where, value))
    return special or VALUES.get(str(value)) or blanks(str(value))


def clause_words(clause: str) -> str:
    """``3.10; A-24; A-25`` as ``[3.10; house defaults A-24, A-25]``. A document's own brackets
    (``[Deal]``) are left out, for there are brackets around the whole."""
    said = []
    for silent, parts in groupby(clause.split("; "), key=is_default):
        listed = [part.strip("[]") for part in parts]
        several = "s" if len(listed) > 1 else ""
        said += [f"{HOUSE}{several} {', '.join(listed)}"] if silent else listed
    return f"[{'; '.join(said)}]"


def is_default(part: str) -> bool:
    """Whether a part of a clause is a default of the rules matrix."""
    return _DEFAULT.fullmatch(part) is not None


def odds_words(odds: tuple[int, int]) -> str:
    """Odds as ``3 to 2``."""
    return f"{odds[0]} to {odds[1]}"


def name_words(name: str) -> str:
    """A dotted name: ``pair.win`` as ``Pair: win``."""
    return sentence(": ".join(NAMES.get(part) or blanks(part) for part in name.split(".")))


def step_words(verb: str) -> str:
    """A step of the dealer's."""
    return STEPS.get(verb) or sentence(blanks(verb))


def pay_words(name: str) -> str:
    """A line of the pay table."""
    return PAYS.get(name) or sentence(blanks(name))


def blanks(name: str) -> str:
    """A name without its underscores and hyphens."""
    return name.replace("_", " ").replace("-", " ")


def sentence(text: str) -> str:
    """The text with a capital in front."""
    return text[:1].upper() + text[1:]
