"""What a round was given, in order: so that it can be played again with a correction.

=========  ===========================================================================
what       ``value``
=========  ===========================================================================
card       a card that left the shoe and was taken
loose      cards that left the shoe and wait for a place: (cards, trigger, asked, seen,
           box, whether it is dealt with by itself)
back       cards that were put back: they are the next ones, in this order
waiting    the first of the cards put back was taken
burned     a card that left the shoe and was burned
options    the case behind whose remedy players may choose
step       a step of a player, the dealer or the supervisor
drawn      a multiplier
shown      (None) the meter has shown it
=========  ===========================================================================
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from controller.round.steps.step import Step
from controller.rules.cards import Card


class Given(NamedTuple):
    """One thing that a round was given."""

    what: str
    value: Any = None

    @property
    def step(self) -> Step | None:
        """The step, where it is one."""
        return self.value if self.what == "step" else None

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards that left the shoe with it."""
        match self.what:
            case "card" | "burned":
                return (self.value,)
            case "loose":
                return tuple(self.value[0])
            case "back":
                return tuple(self.value)
            case "step" if self.value.verb == "overdraw":
                return tuple(self.value.cards)
        return ()

    def with_card(self, place: int, card: Card) -> Given:
        """The same with another card at ``place`` of its cards."""
        cards = [*self.cards]
        cards[place] = card
        match self.what:
            case "loose":
                return Given("loose", (tuple(cards), *self.value[1:]))
            case "back":
                return Given("back", tuple(cards))
            case "step":
                return Given("step", self.value.with_cards(cards))
        return Given(self.what, card)


def cards_out(log: Iterable[Given]) -> list[Card]:
    """The cards that have left the shoe, in order."""
    return [card for given in log for card in given.cards]
