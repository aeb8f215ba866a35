"""Combinations of two cards by which side wagers win, by their names in rule files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from controller.game.rules.cards import ACE, TEN, Card
from controller.game.rules.hands import is_pontoon, same_rank


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
