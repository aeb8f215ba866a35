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
from typing import Annotated, Final, TypeAlias

from controller.forms.expected import Usual
from controller.game.rules.cards import ACE, TEN, Card, is_pontoon
from controller.game.rules.sections import Clause, Odds, Rule, key

Holds: TypeAlias = Callable[[Card, Card], bool]
"""Whether two cards are of a kind."""


def _of_ranks(holds: Callable[[int, int], bool]) -> Holds:
    """What depends on both ranks alone, the lower one first."""
    return lambda one, other: holds(min(one.rank, other.rank), max(one.rank, other.rank))


COMBINATIONS: Final[Mapping[str, Holds]] = {
    "aces_suited": lambda one, other: one == other and one.rank == ACE,
    "aces": _of_ranks(lambda _, high: high == ACE),
    "pair": _of_ranks(lambda low, high: low == high),
    "pair_but_aces": _of_ranks(lambda low, high: ACE < low == high),
    "high_pair": _of_ranks(lambda low, high: TEN < low == high),
    "low_pair": _of_ranks(lambda low, high: ACE < low == high <= TEN),
    "ace_picture": _of_ranks(lambda low, high: low == ACE and high > TEN),
    "ace_low": _of_ranks(lambda low, high: low == ACE < high <= TEN),
    "pontoon": lambda one, other: is_pontoon((one, other)),
}
"""By name. A pair is of one rank: king and queen are none. A low card is one from 2 to 10."""


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
    """A side wager: ``pays`` has odds by combination, ``settled_by`` clauses by decision."""

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
