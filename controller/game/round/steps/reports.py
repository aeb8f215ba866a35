"""Reports of irregularities: one class for each form that a trigger's report has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from controller.game.round.money import Stake, write_amount
from controller.game.round.steps.step import PutsRight, Seat
from controller.game.rules.cards import Card

DRAWN: Final = "drawn"
TOGETHER: Final = "together"
OVER_MAXIMUM: Final = "over-maximum"


@dataclass(frozen=True, slots=True)
class Report(PutsRight):
    """``report TRIGGER``, ``report TRIGGER BOX``: something went wrong
    (:data:`controller.game.rules.triggers.KNOWN`)."""

    verb: ClassVar = "report"
    trigger: str
    seat: Seat | None = None

    def __str__(self) -> str:
        return f"report {self.trigger}" + (f" {self.seat}" if self.seat else "")

    @property
    def box(self) -> int:
        """The box that it names; 0: none."""
        return self.seat.box if self.seat else 0


@dataclass(frozen=True, slots=True)
class ReportDrawn(Report):
    """``report drawn``: the next card left although nobody asked. With ``BOX`` or ``dealer`` it is
    the last card, which lies there: it leaves the hand and waits. ``seen``: somebody has seen it.
    """

    trigger: str = DRAWN
    dealer: bool = False
    seen: bool = False

    def __str__(self) -> str:
        place = " dealer" if self.dealer else f" {self.seat}" if self.seat else ""
        return f"report drawn{place}{' seen' if self.seen else ''}"


@dataclass(frozen=True, slots=True)
class ReportTogether(Report):
    """``report together CARD …``: the cards that somebody has seen, of those that wait."""

    trigger: str = TOGETHER
    cards: tuple[Card, ...] = ()

    def __str__(self) -> str:
        return " ".join(("report together", *map(str, self.cards)))


@dataclass(frozen=True, slots=True)
class ReportOverMaximum(Report):
    """``report over-maximum BOX AMOUNT``: the wagers on the box are above that maximum; those that
    are settled are settled anew."""

    trigger: str = OVER_MAXIMUM
    amount: Stake = None

    def __str__(self) -> str:
        return f"report over-maximum {self.seat} {write_amount(self.amount)}"
