"""Why play is held, and the conditions of the box that stand.

A hold is latched until a supervisor ends it. A device that is needed and does not answer is no
hold of this kind: it ends by itself when the device is back
(:func:`controller.table.entering.needs.needed_device`).

Holds stand in a list. The one for loose cards comes first and is dealt with first; the others,
one for each fault of each device, are ended together by one ``resume``, and all of them are told:
after a power cut the supervisor hears of the cut and of every device that lost its memory. One that
says that the journal may not be what it was is told before those that say less
(:func:`as_told`): nobody is to overlook it behind a configuration that was meant to change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from controller.table.state.loose import LooseCard
from controller.table.state.part import Part

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


@dataclass(slots=True)
class Holds(Part):
    """``standing`` are the holds, the one that is dealt with first in front; ``conditions`` of the
    box that stand, with their particulars; ``postponed`` are those that hold play when the round is
    over; ``resumed`` counts the supervisor's resumes."""

    standing: list[Hold] = field(default_factory=list)
    conditions: dict[str, str] = field(default_factory=dict)
    postponed: dict[str, str] = field(default_factory=dict)
    resumed: int = 0

    @property
    def first(self) -> Hold | None:
        """The hold that is to be dealt with first."""
        return self.standing[0] if self.standing else None

    @property
    def irregular(self) -> Hold | None:
        """The one for the open irregularity of the round."""
        return next((hold for hold in self.standing if hold.irregular), None)

    @property
    def cards(self) -> list[LooseCard]:
        """The cards that wait for the supervisor, in the order in which they left the shoe."""
        return self.standing[0].cards if self.standing else []

    def has(self, *faults: str, device: str = "") -> bool:
        """Whether play is held for one of these faults (of that device, where one is named)."""
        return any(
            hold.fault in faults and (not device or hold.device == device) for hold in self.standing
        )

    def add(self, new: Hold) -> None:
        """For cards first; for another fault once, with what was said of it last."""
        if new.cards:
            self.standing.insert(0, new)
            return
        same = [
            place
            for place, old in enumerate(self.standing)
            if not old.cards and (old.fault, old.device) == (new.fault, new.device)
        ]
        if same:
            self.standing[same[0]] = new
        else:
            self.standing.append(new)

    def put_first(self, new: Hold) -> None:
        """It is dealt with before all others."""
        self.standing.insert(0, new)

    def wait_behind(self, card: LooseCard) -> None:
        """The card waits behind those that wait already."""
        self.standing[0].cards.append(card)

    def take_first_card(self) -> LooseCard:
        """The first of the cards that wait; the others still do."""
        return self.standing[0].cards.pop(0)

    def take_cards(self) -> list[LooseCard]:
        """End the hold for the cards that wait, and give them."""
        return self.standing.pop(0).cards

    def end(self, over: Callable[[Hold], bool]) -> None:
        """End those that are ``over``."""
        self.standing = [hold for hold in self.standing if not over(hold)]

    def resume(self) -> None:
        """A supervisor has let play go on: what a device refused may be tried again."""
        self.resumed += 1


def as_told(holds: Sequence[Hold]) -> list[Hold]:
    """The holds in the order in which a person is to hear of them: first the one for cards that
    wait, which is dealt with first, then what casts doubt on the journal."""
    return sorted(holds, key=lambda held: (not held.cards, held.fault not in DOUBTS))
