"""What is in the shoe, what has left it, and the two card sets."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import ClassVar

from controller.rules.cards import Card
from controller.table.state.part import Part


@dataclass(slots=True)
class ShoeBook:
    """``counted``: every card since it was full is known; ``fresh``: it was loaded between rounds
    and no card has left it; ``out``: cards that have; ``told``: how many it last said that it
    holds when one left; ``burned`` are its burned cards. ``due_after`` is the round after which a
    shuffle is due, and ``why``."""

    counted: bool = False
    fresh: bool = False
    out: int = 0
    told: int | None = None
    burned: tuple[str, ...] = ()
    due_after: int | None = None
    why: str = ""


@dataclass(slots=True)
class CardSets:
    """``in_shoe`` is the set in play, where it is known, ``before`` the one before it; ``held``
    says of each set whether the shuffler holds it; ``finished`` the last one that it shuffled
    since the shoe was loaded; ``blocked`` why a set may not be played; ``amiss`` what the shuffle
    under way has found."""

    in_shoe: int | None = None
    before: int | None = None
    held: dict[int, bool] = field(default_factory=dict)
    finished: int | None = None
    blocked: dict[int, str] = field(default_factory=dict)
    amiss: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Shoe(Part):
    """``used`` counts the cards that have left the present shoe; ``cards_taken`` came through an
    open gate, ``cards_seen`` at all; ``burning``: the next card is burned; ``shuffle`` is the set
    that the shuffler is to shuffle; ``cutting_card``: it has come since the shoe was loaded."""

    TAKEN_BACK: ClassVar = ("burning",)

    used: Counter[Card] = field(default_factory=Counter)
    cards_taken: int = 0
    cards_seen: int = 0
    book: ShoeBook = field(default_factory=ShoeBook)
    sets: CardSets = field(default_factory=CardSets)
    burning: bool = False
    cutting_card: bool = False
    shuffle: int | None = None

    def use(self, card: Card) -> None:
        """A card has left it."""
        self.used[card] += 1

    def correct(self, was: Card, card: Card, *, counted: bool) -> None:
        """A card was misread; ``counted``: the one that it was read as had been counted."""
        if counted:
            self.used = self.used + Counter({card: 1})
            self.used[was] -= 1

    def lies_out(self, cards: Counter[Card]) -> None:
        """Only these cards have left it: the discards are in it again."""
        self.used = cards

    def burn(self, card: str) -> None:
        """A card was burned, as it is written."""
        self.book.burned += (card,)

    def shuffle_due(self, after: int, why: str) -> None:
        """A shuffle is due after that round."""
        self.book.due_after, self.book.why = after, why
