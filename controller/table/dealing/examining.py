"""Checks whether a card may be played as the next one, in the way that it left the shoe."""

from __future__ import annotations

from typing import Final

from controller.game.rules.cards import TEN
from controller.table.dealing import laying_aside
from controller.table.state.loose import LooseCard
from controller.table.state.table import Table
from drivers.vocabulary import FACE_UP, FOREIGN, LOCKED, TOGETHER

UNREAD_FAULT: Final = "card-unread"
FOREIGN_FAULT: Final = "card-foreign"
EXCESS_FAULT: Final = "card-excess"


def examine(table: Table, loose: LooseCard) -> tuple[str, str] | None:
    """Why the card may not be played: the fault's code and the reason in words; None where it
    may."""
    flags, name = loose.flags, loose.card
    if loose.foreign or (name and name.rank == TEN and not table.rules.cards.tens.value):
        loose.foreign = True
        what = "a card of another design" if flags & FOREIGN else f"{name or 'a card'}"
        return FOREIGN_FAULT, f"{what} does not belong to the set in play"
    if name is None and table.shoe.burning:
        return None
    if name is None:
        return UNREAD_FAULT, "a card left the shoe unread: look at it and name it"
    if table.shoe.used[name] >= table.settings.decks:
        return (
            EXCESS_FAULT,
            f"{name} has come {table.shoe.used[name] + 1} times from {table.settings.decks} decks",
        )
    joins = not loose.used and laying_aside.joins(table, loose)
    expected = table.card_expected
    due = expected or table.dealing.kept is not None or not table.mid_round
    if not loose.used and (verdict := _as_it_came(loose, joins=joins, due=due)) is not None:
        return verdict
    if not expected:
        return "card-unexpected", f"{name} left the shoe when no card was due"
    if loose.leftover and not loose.used:
        return "card-unexpected", f"{name} left the shoe for the round that is void"
    return None


def _as_it_came(loose: LooseCard, *, joins: bool, due: bool) -> tuple[str, str] | None:
    """What is wrong with the way in which it left the shoe, unless the supervisor has had it used.
    The gate was locked for a card of those that left together when the first of them was
    reported."""
    if loose.flags & LOCKED and not joins:
        return "card-locked", f"{loose.card} was drawn while the gate was locked"
    if loose.flags & TOGETHER and (joins or due):
        return "cards-together", f"{loose.card} left the shoe together with the card before it"
    if loose.flags & FACE_UP:
        return "card-face-up", f"{loose.card} lay face up in the shoe"
    return None
