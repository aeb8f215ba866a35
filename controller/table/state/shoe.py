"""The count of the shoe and the two card sets."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import ClassVar

from controller.rules.cards import Card
from controller.table.state.part import Part


@dataclass(slots=True)
class ShoeBook:
    """``counted``: every card since the shoe was full is known; ``fresh``: it was loaded between
    rounds and no card has left it; ``out``: the cards that have left it; ``told``: the number of
    remaining cards that the shoe last reported with a card; ``burned`` are its burned cards.
    ``due_after`` is the round after which a shuffle is due, and ``why``."""

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
    tells for each set whether the shuffler holds it; ``finished`` is the last one that it shuffled
    since the shoe was loaded; ``blocked`` has the reasons why sets may not be played; ``amiss``
    what the shuffle in progress has found."""

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
    that the shuffler is to shuffle; ``cutting_card``: it has come since the shoe was loaded;
    ``cuts``: the box whose player cuts then, and the place of its clause."""

    TAKEN_BACK: ClassVar = ("burning",)

    used: Counter[Card] = field(default_factory=Counter)
    cards_taken: int = 0
    cards_seen: int = 0
    book: ShoeBook = field(default_factory=ShoeBook)
    sets: CardSets = field(default_factory=CardSets)
    burning: bool = False
    cutting_card: bool = False
    cuts: tuple[int, int] | None = None
    shuffle: int | None = None

    def use(self, card: Card) -> None:
        """Count a card that has left the shoe."""
        self.used[card] += 1

    def correct(self, was: Card, card: Card, *, counted: bool) -> None:
        """Correct a misread card; ``counted``: the card that it was read as had been counted."""
        if counted:
            self.used = self.used + Counter({card: 1})
            self.used[was] -= 1

    def lies_out(self, cards: Counter[Card]) -> None:
        """Reset the count: only these cards have left the shoe, the discards are back in it."""
        self.used = cards

    def burn(self, card: str) -> None:
        """Record a burned card, as text."""
        self.book.burned += (card,)

    def lose_count(self) -> None:
        """Record that nobody knows how many cards are in the shoe."""
        self.book.counted = False

    def shuffle_due(self, after: int, why: str) -> None:
        """Record that a shuffle is due after that round."""
        self.book.due_after, self.book.why = after, why
