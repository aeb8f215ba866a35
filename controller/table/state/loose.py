"""A card that has left the shoe, as the shoe reported it."""

from __future__ import annotations

from dataclasses import dataclass

from controller.game.rules.cards import UNREAD, Card
from drivers.vocabulary import FACE_UP, FOREIGN, TOGETHER

MARKS = ((FACE_UP, "^"), (FOREIGN, "%"), (TOGETHER, "&"))


@dataclass(slots=True)
class LooseCard:
    """A card that left the shoe and has no place yet; ``card`` None: unread; ``leftover``: it left
    before the gate was known to be locked after a void round; ``used``: the supervisor permits it
    to be played as it came; ``down``: the box where it lies face down until the dealer turns it."""

    card: Card | None
    flags: int
    foreign: bool = False
    leftover: bool = False
    used: bool = False
    down: int = 0

    def name(self, card: Card) -> None:
        """Name a card that the shoe could not read."""
        self.card = card

    def permit(self) -> None:
        """Permit it to be played as it came."""
        self.used = True

    def __str__(self) -> str:
        return marked(self.card, self.flags | (FOREIGN if self.foreign else 0))


def marked(card: Card | None, flags: int) -> str:
    """A card with the marks of round scripts."""
    text = UNREAD if card is None else str(card)
    return text + "".join(mark for flag, mark in MARKS if flags & flag)
