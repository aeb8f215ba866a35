"""Whether the cards leave the shoe in the order of a new deck: then they were not shuffled.

Six cards one behind the other in rank order of one suit, upwards or downwards, are a notice until
another shoe is loaded or a supervisor says ``play-on``. By chance that comes once in a hundred
million cards. A card that could not be read ends the sequence.
"""

from __future__ import annotations

from typing import Final

from controller.game.rules.cards import TEN, Card
from controller.table.holds import conditions
from controller.table.shoe.book import IN_ORDER
from controller.table.state.table import Table

LEAST: Final = 6
"""So many cards in order are a notice."""


def card_came(table: Table, card: Card | None) -> None:
    """A card has left the shoe; None: it was not read."""
    book = table.shoe.book
    if not table.rules.doubts_sets:
        return
    book.in_order = _with(table, book.in_order, card)[-LEAST:]
    if len(book.in_order) == LEAST and IN_ORDER not in table.holds.conditions:
        conditions.has_come(table, IN_ORDER, f"round {table.round_number}")


def _with(table: Table, before: tuple[Card, ...], card: Card | None) -> tuple[Card, ...]:
    """The cards in order up to and with that one."""
    if card is None:
        return ()
    step = _step(table, before[-1], card) if before else 0
    if not step:
        return (card,)
    goes_on = len(before) == 1 or step == _step(table, before[0], before[1])
    return (*before, card) if goes_on else (before[-1], card)


def _step(table: Table, one: Card, other: Card) -> int:
    """1 where the other card follows in the order of its suit, -1 where it goes before, else 0."""
    if one.suit != other.suit:
        return 0
    places = _place(table, other) - _place(table, one)
    return places if abs(places) == 1 else 0


def _place(table: Table, card: Card) -> int:
    """Its place in a suit; without tens a jack follows the nine."""
    return card.rank - (card.rank > TEN and not table.rules.cards.tens.value)
