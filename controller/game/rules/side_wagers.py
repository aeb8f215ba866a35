"""A side wager as a rule file describes it: ``[side_wagers.KIND]``; and the combinations of two
cards by which side wagers win, by their names there.

The description is all that the program knows of a side wager: no other module names a kind. Wagers
settled on the first two cards (``two_cards``) win by the first of their combinations that the two
cards are, at its odds. That of the button (``button``) wins with a Pontoon, what the meter shows
(section ``[pandemonium]``); it has no odds of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Final

from controller.forms.expected import Usual
from controller.game.rules.cards import ACE, TEN, Card
from controller.game.rules.hands import is_pontoon, same_rank
from controller.game.rules.sections import Clause, Odds, Rule, key


def _ranks(first: Card, second: Card) -> tuple[int, int]:
    """Both ranks, the lower one first."""
    return min(first.rank, second.rank), max(first.rank, second.rank)


def aces(first: Card, second: Card) -> bool:
    """Two aces."""
    return first.rank == second.rank == ACE


def aces_suited(first: Card, second: Card) -> bool:
    """Two aces of one suit."""
    return aces(first, second) and first.suit == second.suit


def pair(first: Card, second: Card) -> bool:
    """Two cards of one rank: king and queen are none."""
    return same_rank((first, second))


def pair_but_aces(first: Card, second: Card) -> bool:
    """Two cards of one rank that are no aces."""
    return pair(first, second) and first.rank != ACE


def high_pair(first: Card, second: Card) -> bool:
    """Two equal pictures."""
    return pair(first, second) and first.rank > TEN


def low_pair(first: Card, second: Card) -> bool:
    """Two cards of one rank from 2 to 10."""
    return pair(first, second) and ACE < first.rank <= TEN


def ace_picture(first: Card, second: Card) -> bool:
    """An ace and a picture."""
    low, high = _ranks(first, second)
    return low == ACE and high > TEN


def ace_low(first: Card, second: Card) -> bool:
    """An ace and a card from 2 to 10."""
    low, high = _ranks(first, second)
    return low == ACE and ACE < high <= TEN


def pontoon(first: Card, second: Card) -> bool:
    """An ace and a card that counts 10."""
    return is_pontoon((first, second))


COMBINATIONS: Final[Mapping[str, Callable[[Card, Card], bool]]] = {
    combination.__name__: combination
    for combination in (
        aces_suited,
        aces,
        pair,
        pair_but_aces,
        high_pair,
        low_pair,
        ace_picture,
        ace_low,
        pontoon,
    )
}


def combination_of(cards: Sequence[Card], names: Iterable[str]) -> str | None:
    """The first of these combinations that two cards are; None: they are none of them."""
    return next((name for name in names if COMBINATIONS[name](*cards)), None)


KIND: Final = re.compile(r"[a-z][a-z0-9_]*")
"""How the name of a kind is spelt, in rule files and entries."""

TWO_CARDS: Final = "two_cards"
BUTTON: Final = "button"

KEYS: Final = ("P", "J", "none")
"""Keys of the dealer's keypad for side wagers; ``none``: it is entered elsewhere."""

DECIDING: Final[Mapping[str, int]] = {TWO_CARDS: 2, BUTTON: 2}
"""How many cards of a hand decide it, by when the wager is settled."""

DECISIONS: Final[Mapping[str, tuple[str, ...]]] = {
    TWO_CARDS: ("win", "lose"),
    BUTTON: ("win", "win_shared", "win_without_main", "lose"),
}
"""Decisions that name their clause in ``settled_by``, by when the wager is settled. A combination
named there, too, has a clause of its own in place of that of ``win``."""


@dataclass(frozen=True, slots=True)
class SideWager:
    """A side wager: ``pays`` has the odds of each combination in ``wins``; ``settled_by`` the
    clause of each decision."""

    name: str = key("Its name in messages")
    short: str = key("Its name in the rows of a keypad, 5 characters at most")
    keypad: str = key("The key of the keypad that enters it", *KEYS)
    by: Rule[str] = key("Who may place it", "main_bettor", "anyone_on_wagered_box")
    persons_max: Rule[int] = key("Most persons with one on the same box (0: any number)")
    settled: Rule[str] = key("When it is settled", TWO_CARDS, BUTTON)
    wins: Rule[tuple[str, ...]] = key(
        "Combinations of two cards that win, of several the first", *COMBINATIONS
    )
    pays: Annotated[Mapping[str, Odds], Usual({})] = key("Its odds by combination")
    settled_by: Mapping[str, Clause] = key("The clauses that decide it")

    def combination(self, cards: Sequence[Card]) -> str | None:
        """The combination by which two cards win a wager settled on them; None: it is lost."""
        return combination_of(cards, self.wins.value)

    @property
    def deciding(self) -> int:
        """How many cards of a hand decide it."""
        return DECIDING[self.settled.value]

    @property
    def at_button(self) -> bool:
        """Whether it is settled by the button."""
        return self.settled.value == BUTTON

    def clause_of_win(self, combination: str) -> str:
        """The clause by which that combination wins."""
        return self.settled_by.get(combination, self.settled_by["win"])
