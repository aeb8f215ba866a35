"""What the kernel looks up of a rule set: one row of numbers that it only reads, each name where
its numbers begin. What players do is in a row of its own (:mod:`~.plans`), but for a tape's
choices.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from controller.draw.weights import Weights
from controller.game.rules.schema import RuleSet
from figures.kernel.felt import HANDS_MAX, SIDES_MAX
from figures.kernel.words import CARDS, CLASSES, LINES, card_of, class_of, word_of

Table = Sequence[int]
"""A list, or an array of NumPy's, of whole numbers of 64 bits."""

CENTS: Final = 100

TAPED: Final = 0
"""1: every choice is the tape's."""
BRACKET_COUNT: Final = 2
MULTIPLIER_COUNT: Final = 3

OVER: Final = 8
"""The odds of each line (:data:`~.words.LINES`), and of each result behind them: a stake wins
``stake * over >> shift``."""
RESULTS: Final = (
    "pontoon",
    "insurance",
    "pontoon_dealer_bust",
    "pontoon_dealer_trick",
    "trick",
    "trick_dealer_bust",
    "royal",
)
REGULAR: Final = 0
PONTOON: Final = len(LINES)
INSURANCE: Final = PONTOON + 1
PONTOON_DEALER_BUST: Final = PONTOON + 2
PONTOON_DEALER_TRICK: Final = PONTOON + 3
TRICK: Final = PONTOON + 4
TRICK_DEALER_BUST: Final = PONTOON + 5
ROYAL: Final = PONTOON + 6
ODDS: Final = len(LINES) + len(RESULTS)

SHIFTS: Final = OVER + ODDS
BRACKETS: Final = SHIFTS + ODDS
"""Pairs of a wager and its Super Bonus, in cents."""
BRACKETS_MAX: Final = 8
MULTIPLIERS: Final = BRACKETS + 2 * BRACKETS_MAX
MULTIPLIERS_MAX: Final = 16
TICKETS: Final = MULTIPLIERS + MULTIPLIERS_MAX
"""The ticket below which each multiplier is drawn."""
WORDS: Final = TICKETS + MULTIPLIERS_MAX
"""The word of each card."""
RANKS: Final = WORDS + CARDS
"""Its rank from 0."""

WON: Final = RANKS + CARDS
"""What each side wager that two cards settle wins to 1 by the class of the cards
(:func:`~.words.class_of`), 0 where it is lost: ``class * 4 + side``."""
TAPE: Final = WON + CLASSES * SIDES_MAX
"""Numbers that choose."""


class NotForTheKernel(Exception):
    """A rule set that has more of something than the kernel has places for."""


def sides_of(rules: RuleSet) -> tuple[str, ...]:
    """The side wagers that two cards settle, in the order of the rules."""
    return tuple(kind for kind, rule in rules.side_wagers.items() if not rule.at_button)


def new_table(rules: RuleSet, weights: Weights | None = None) -> list[int]:
    """The row of a rule set, in which nothing is decided yet; without ``weights`` its button draws
    nothing.

    Raises:
        NotForTheKernel: it has no place for something.
    """
    table = [0] * TAPE
    odds = [rules.pays[name].value if name in rules.pays else (0, 1) for name in LINES + RESULTS]
    bonus = rules.super_bonus.brackets.value if rules.super_bonus else ()
    pairs, kinds = weights.pairs if weights else (), sides_of(rules)
    for what, found, most in (
        ("brackets of the Super Bonus", len(bonus), BRACKETS_MAX),
        ("multipliers", len(pairs), MULTIPLIERS_MAX),
        ("side wagers on two cards", len(kinds), SIDES_MAX),
        ("hands of a box", rules.split.hands_max.value, HANDS_MAX),
    ):
        if found > most:
            raise NotForTheKernel(f"{rules.id}: {found} {what}; expected {most} at most")
    _put_numbers(table, OVER, [over for over, _ in odds])
    _put_numbers(table, SHIFTS, [under - 1 for _, under in odds])
    _put_numbers(table, BRACKETS, [dollars * CENTS for bracket in bonus for dollars in bracket])
    _put_numbers(table, MULTIPLIERS, [multiplier for multiplier, _ in pairs])
    _put_numbers(
        table, TICKETS, [sum(w for _, w in pairs[: place + 1]) for place in range(len(pairs))]
    )
    table[BRACKET_COUNT], table[MULTIPLIER_COUNT] = len(bonus), len(pairs)
    cards = [card_of(number) for number in range(CARDS)]
    _put_numbers(table, WORDS, map(word_of, cards))
    _put_numbers(table, RANKS, [card.rank - 1 for card in cards])
    for first in cards:
        for second in cards:
            for side, kind in enumerate(kinds):
                rule = rules.side_wagers[kind]
                combination = rule.combination((first, second))
                won = rule.pays[combination].value[0] if combination else 0
                table[WON + class_of(first, second) * SIDES_MAX + side] = won
    return table


def with_tape(table: Sequence[int], tape: Sequence[int]) -> list[int]:
    """The same row, in which the tape decides."""
    taped = [*table[:TAPE], *tape]
    taped[TAPED] = 1
    return taped


def _put_numbers(table: list[int], at: int, numbers: Iterable[int]) -> None:
    for place, number in enumerate(numbers):
        table[at + place] = number
