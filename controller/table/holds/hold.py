"""Why play is held, and what may be done about it.

A hold is latched until a supervisor ends it. A device that is needed and does not answer is no
hold of this kind: it ends by itself when the device is back
(:func:`controller.table.showing.prompt.needed_device`).

Holds stand in a list. The one for loose cards comes first and is dealt with first; the others,
one for each fault of each device, are ended together by one ``resume``, and all of them are told:
after a power cut the supervisor hears of the cut and of every device that lost its memory. One that
says that the journal may not be what it was is told before those that say less
(:func:`as_told`): nobody is to overlook it behind a configuration that was meant to change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from controller.rules.cards import UNREAD, Card
from drivers.vocabulary import FACE_UP, FOREIGN, TOGETHER

if TYPE_CHECKING:
    from controller.table.table import Table

DOUBTS = frozenset(
    {
        "journal-differs",
        "journal-damaged",
        "journal-cut",
        "journal-differs-from-head",
        "heads-doubted",
        "journal-behind-copy",
        "journal-recovered",
        "counters-differ",
        "two-controllers",
        "program-damaged",
    }
)
"""Faults that say that something stored may be missing or not be what it was."""

MARKS = ((FACE_UP, "^"), (FOREIGN, "%"), (TOGETHER, "&"))


@dataclass(slots=True)
class LooseCard:
    """A card that left the shoe and has no place yet; ``card`` None: unread; ``leftover``: it left
    before the gate was known to be locked after a void round; ``used``: the supervisor has it
    played as it came; ``down``: the box where it lies face down until the dealer turns it."""

    card: Card | None
    flags: int
    foreign: bool = False
    leftover: bool = False
    used: bool = False
    down: int = 0

    def __str__(self) -> str:
        return marked(self.card, self.flags | (FOREIGN if self.foreign else 0))


@dataclass(slots=True)
class Hold:
    """A latched hold: ``fault`` is its code, ``reason`` in plain words. ``cards`` are those that
    wait for the supervisor; without any he may let play go on as it is. ``device`` is the one
    concerned, where the fault is a device's; ``before`` the serial number and the firmware of the
    one in whose place it came.

    ``irregular``: the round has an open irregularity, and ``cards`` left the shoe behind it;
    ``by_dealer``: what is to be done about it, the dealer may do.
    """

    fault: str
    reason: str
    cards: list[LooseCard] = field(default_factory=list)
    device: str = ""
    before: tuple[str, str] = ("", "")
    irregular: bool = False
    by_dealer: bool = False


def hold(table: Table, new: Hold) -> None:
    """Hold the table: for cards first, for another fault once, with what was said of it last."""
    table.outcome.notes.append(new.reason)
    if new.cards:
        table.holds.insert(0, new)
        return
    same = [
        old
        for old in table.holds
        if not old.cards and (old.fault, old.device) == (new.fault, new.device)
    ]
    if same:
        table.holds[table.holds.index(same[0])] = new
    else:
        table.holds.append(new)


def as_told(holds: Sequence[Hold]) -> list[Hold]:
    """The holds in the order in which a person is to hear of them: first the one for cards that
    wait, which is dealt with first, then what casts doubt on the journal."""
    return sorted(holds, key=lambda held: (not held.cards, held.fault not in DOUBTS))


def marked(card: Card | None, flags: int) -> str:
    """A card with the marks of round scripts."""
    text = UNREAD if card is None else str(card)
    return text + "".join(mark for flag, mark in MARKS if flags & flag)
