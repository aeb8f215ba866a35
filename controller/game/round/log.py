"""The inputs of a round, in order: so that it can be played again with a correction.

=========  =====================================================================================
what       ``value``
=========  =====================================================================================
card       a card that left the shoe and was taken
loose      cards that left the shoe and wait for a place: :class:`Loose`
back       cards that were put back: they are the next ones, in this order
waiting    (None) the first of the cards put back was taken
burned     a card that left the shoe and was burned
options    the case behind whose remedy players may choose, if any
corrected  steps that say which cards lie where: they are judged together
drawn for  the multipliers that were shown before decisions were taken back, by box
returned   who had taken his wagers back, or was given them, before decisions were taken back:
           box, bettor, clause
step       a step of a player, the dealer or the supervisor
drawn      a multiplier
shown      (None) the meter has shown it
=========  =====================================================================================
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

from controller.game.round.remedies import Correction
from controller.game.round.steps import Overdraw, Step
from controller.game.rules.cards import Card
from controller.game.rules.cases import Case


class Loose(NamedTuple):
    """Cards that may not be played as they came: ``trigger`` of the irregularity; ``asked``: one of
    them was due; ``seen``: those that a person has seen; the empty ``box`` that one went to (0:
    none); ``by_itself``: a remedy that needs no decision is applied at once."""

    cards: tuple[Card, ...]
    trigger: str
    asked: bool = False
    seen: tuple[Card, ...] = ()
    box: int = 0
    by_itself: bool = True


Draws = tuple[tuple[int, int], ...]
"""Boxes with their multipliers."""


Returns = tuple[tuple[int, str, str], ...]
"""Bettors, by box and letter, with the clause by which they have their wagers back."""

Value: TypeAlias = (
    Card
    | Loose
    | tuple[Card, ...]
    | tuple[Correction, ...]
    | Draws
    | Returns
    | Case
    | Step
    | int
    | None
)
"""What an input consists of, by its kind."""


class Input(NamedTuple):
    """One input of a round."""

    what: str
    value: Value = None

    @property
    def step(self) -> Step | None:
        """The step, where it is one."""
        return self.value if isinstance(self.value, Step) else None

    @property
    def loose(self) -> Loose | None:
        """The cards that wait for a place, where the input is of that kind."""
        return self.value if isinstance(self.value, Loose) else None

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards that left the shoe with it."""
        value = self.value
        if isinstance(value, Card):
            return (value,)
        if isinstance(value, Loose):
            return value.cards
        if isinstance(value, Overdraw):
            return () if value.card is None else (value.card,)
        items: tuple[object, ...] = value if isinstance(value, tuple) else ()
        return tuple(card for card in items if isinstance(card, Card))

    @property
    def corrections(self) -> tuple[Correction, ...]:
        """The steps of a correction, where the input is one."""
        items = self.value if self.what == "corrected" and isinstance(self.value, tuple) else ()
        return tuple(step for step in items if isinstance(step, Correction))


def cards_out(log: Iterable[Input]) -> list[Card]:
    """The cards that have left the shoe, in order."""
    return [card for given in log for card in given.cards]
