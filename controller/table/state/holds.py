"""The holds of play, and the conditions of the controller that are present.

A hold is latched until a supervisor ends it. Waiting for a device that is needed and does not
answer is not such a hold: it ends when the device is back
(:func:`controller.table.entering.fence.needed_device`).

The holds are a list. The one for loose cards comes first and is resolved first; the others, one for
each fault of each device, are ended together by one ``resume``, and all of them are shown: after a
power cut the supervisor is shown the cut and every device that lost its memory. A hold that casts
doubt on the journal is shown before less serious ones (:func:`as_told`): it must not be overlooked
behind an intended change of the configuration.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from controller.table.state.cards import LooseCard
from controller.table.state.parts import Part

DOUBTS = frozenset(
    {
        "journal-differs",
        "journal-damaged",
        "journal-not-signed",
        "journal-cut",
        "journal-differs-from-head",
        "heads-doubted",
        "journal-behind-copy",
        "journal-behind-witness",
        "journal-differs-from-witness",
        "journal-recovered",
        "counters-differ",
        "two-controllers",
        "program-damaged",
    }
)
"""Faults that mean that stored data may be missing or changed."""

VOID_UNCONFIRMED = "void-unconfirmed"
"""The fault of a void that waits for a second person."""


@dataclass(slots=True)
class Hold:
    """A latched hold: ``fault`` is its code, ``reason`` is in words. ``cards`` are those that wait
    for the supervisor; without any, ``resume`` continues play. ``device`` is the one concerned,
    where the fault is a device's; ``before`` the serial number and the firmware of the device that
    it replaced.

    ``irregular``: the round has an open irregularity, and ``cards`` left the shoe after it;
    ``by_dealer``: the dealer may give the remedy.
    """

    fault: str
    reason: str
    cards: list[LooseCard] = field(default_factory=list)
    device: str = ""
    before: tuple[str, str] = ("", "")
    irregular: bool = False
    by_dealer: bool = False

    def replace_cards(self, cards: list[LooseCard]) -> None:
        """Have these cards wait, and no others."""
        self.cards = cards

    def replace_reason(self, fault: str, reason: str) -> None:
        """Give it another fault and reason: more has become known."""
        self.fault, self.reason = fault, reason

    def leave_to_dealer(self, *, may: bool) -> None:
        """Record whether the dealer may give the remedy."""
        self.by_dealer = may


@dataclass(frozen=True, slots=True)
class Exchanged:
    """A device that took another one's place: what it is called, its serial number, and that of the
    last one there that somebody has seen."""

    plain: str
    serial: str
    before: str

    def __str__(self) -> str:
        return f"{self.plain} {self.serial}, before {self.before}".replace(";", ",")


@dataclass(slots=True)
class Holds(Part):
    """``standing`` are the holds, the one to be resolved first in front; ``conditions`` are those
    of the controller that are present, with their particulars; ``postponed`` are those that hold
    play when the round is over; ``resumed`` counts the supervisor's resumes; ``exchanged`` are, by
    their keys, devices that nobody has tested since they came."""

    standing: list[Hold] = field(default_factory=list)
    conditions: dict[str, str] = field(default_factory=dict)
    postponed: dict[str, str] = field(default_factory=dict)
    resumed: int = 0
    exchanged: dict[str, Exchanged] = field(default_factory=dict)

    @property
    def irregular(self) -> Hold | None:
        """The hold for the open irregularity of the round."""
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
        """Add a hold: one for cards in front; for any other fault only once, with its latest
        reason."""
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

    def postpone(self, fault: str, reason: str) -> None:
        """Have the fault hold play when the round is over."""
        self.postponed[fault] = reason

    def put_first(self, new: Hold) -> None:
        """Add a hold in front of all others."""
        self.standing.insert(0, new)

    def wait_behind(self, card: LooseCard) -> None:
        """Have the card wait after those that already wait."""
        self.standing[0].cards.append(card)

    def take_first_card(self) -> LooseCard:
        """Remove and return the first of the cards that wait."""
        return self.standing[0].cards.pop(0)

    def take_cards(self) -> list[LooseCard]:
        """End the hold for the cards that wait, and return them."""
        return self.standing.pop(0).cards

    def end_where(self, over: Callable[[Hold], bool]) -> None:
        """End the holds for which ``over`` is true."""
        self.standing = [hold for hold in self.standing if not over(hold)]

    def resume(self) -> None:
        """Count a supervisor's resume: commands that a device refused may be tried again."""
        self.resumed += 1


def as_told(holds: Sequence[Hold]) -> list[Hold]:
    """The holds in the order in which they are shown: first the void that a second person confirms,
    before which nothing else is resolved; then the one for cards that wait; then those that cast
    doubt on the journal."""
    return sorted(
        holds,
        key=lambda held: (held.fault != VOID_UNCONFIRMED, not held.cards, held.fault not in DOUBTS),
    )
