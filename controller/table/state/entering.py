"""What people have entered: what waits for the gate, can be taken back, or is being keyed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from controller.round.refusal import Refused
from controller.round.steps.step import Seat
from controller.table.entries import Entry
from controller.table.state.part import Part


@dataclass(slots=True)
class Pending:
    """An entry that waits for the gate: its number, who made it, the cards seen when it came,
    and the last event before the gate was locked, once known."""

    number: int
    entry: Entry
    from_keypad: bool
    cards: int
    locked_at: int | None = None


@dataclass(slots=True)
class Leftover:
    """A void round whose last cards may still be on their way. ``number`` is never an entry's."""

    number: int
    locked_at: int | None = None


@dataclass(frozen=True, slots=True)
class Saved:
    """The table before the last entry, which was ``said``: what it may have changed, by part."""

    said: str
    parts: Mapping[str, Mapping[str, Any]]


@dataclass(slots=True)
class Keypad:
    """What was keyed and not yet ended, the box chosen, what the second row says, and the keys
    that wait for an entry before them."""

    keyed: str = ""
    seat: Seat | None = None
    says: str = ""
    waiting: list[tuple[str, bool]] = field(default_factory=list)

    def tell(self, refused: Refused | None) -> None:
        """Say what became of an entry made here."""
        self.says = f"NO: {refused.short}" if refused else "OK"

    def forget(self) -> None:
        """The keys that wait are not worked off: what they were pressed for has not come about."""
        if self.waiting:
            self.waiting.clear()
            self.keyed, self.says = "", "NO: KEYS LOST, AGAIN"


@dataclass(slots=True)
class Entering(Part):
    """``entries`` numbers the entries of this table; ``saved`` can be taken back; ``notice`` is
    said beside the prompt until the next entry or card."""

    pending: Pending | None = None
    leftover: Leftover | None = None
    entries: int = 0
    saved: Saved | None = None
    keypad: Keypad = field(default_factory=Keypad)
    notice: str = ""

    def leave_over(self, round_number: int) -> None:
        """That round is void: cards may still be on their way for it."""
        self.leftover = Leftover(-round_number)

    def forget_saved(self) -> None:
        """Nothing can be taken back any more."""
        self.saved = None

    def lose_shoe(self) -> None:
        """What was known of the gate is not known any more; keys pressed in the hope that it would
        be locked in a moment are forgotten: nobody remembers them when the shoe is back."""
        if self.leftover:
            self.leftover.locked_at = None
        if self.pending:
            self.pending.locked_at = None
            self.keypad.forget()

    def notify(self, notice: str) -> None:
        """Say that beside the prompt."""
        self.notice = notice

    def card_came(self) -> None:
        """A card has its place: the box chosen on the keypad and the notice are over."""
        self.keypad.seat, self.notice = None, ""
