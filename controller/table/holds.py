"""Why play is held, and what may be done about it.

A hold is latched until a supervisor ends it. A device that is needed and does not answer is no
hold of this kind: it ends by itself when the device is back (:mod:`controller.table.conditions`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from controller.rules.cards import UNREAD, Card

FACE_UP, TOGETHER, FOREIGN, LOCKED = 1, 2, 4, 8
"""Flags of a CARD event (protocol section 5); 16, damaged, does not stop play."""

MARKS = ((FACE_UP, "^"), (FOREIGN, "%"), (TOGETHER, "&"))


@dataclass(slots=True)
class LooseCard:
    """A card that left the shoe and has no place yet; ``card`` None: unread."""

    card: Card | None
    flags: int
    foreign: bool = False

    def __str__(self) -> str:
        return marked(self.card, self.flags | (FOREIGN if self.foreign else 0))


@dataclass(slots=True)
class Hold:
    """A latched hold: ``fault`` is its code, ``reason`` in plain words. ``cards`` are those that
    wait for the supervisor; ``resumable``: he may let play go on as it is; ``under``: the hold
    that stands again once the cards have their places."""

    fault: str
    reason: str
    cards: list[LooseCard] = field(default_factory=list)
    resumable: bool = False
    under: Hold | None = None


def marked(card: Card | None, flags: int) -> str:
    """A card with the marks of round scripts."""
    text = UNREAD if card is None else str(card)
    return text + "".join(mark for flag, mark in MARKS if flags & flag)
