"""The button and the meter: the open offer and the draws."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from controller.table.state.part import Part


@dataclass(frozen=True, slots=True)
class Offer:
    """The button offered to a box: ``press`` is the session and number of the event by which it
    was pressed, None for one read from the unit; ``shown`` once the meter has reported the
    multiplier."""

    number: int
    box: int
    press: tuple[int, int] | None = None
    multiplier: int | None = None
    shown: bool = False


@dataclass(slots=True)
class Jackpot(Part):
    """``next_offer`` is the number of the next one: no number is used twice at a table;
    ``last_draw`` is the last offer for which a multiplier was drawn; ``draws`` are those of the
    round, as in its result."""

    TAKEN_BACK: ClassVar = ("offer", "draws")

    offer: Offer | None = None
    next_offer: int = 1
    last_draw: int = 0
    draws: list[dict[str, int]] = field(default_factory=list)

    def number_from(self, first: int) -> None:
        """Number the offers of a new journal from ``first`` on."""
        self.next_offer = first

    def use_number(self, number: int) -> None:
        """Record that the number of an offer was used, in service."""
        self.next_offer = max(self.next_offer, number + 1)

    def begin_round(self) -> None:
        """Begin a round without offer and draws."""
        self.offer, self.draws = None, []

    def withdraw(self) -> None:
        """End the offer."""
        self.offer = None
