"""Reports of irregularities: one class for each form that a trigger's report has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from controller.game.commands.values import Seat
from controller.game.money import Stake
from controller.game.round.steps.step import PutsRight
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


@dataclass(frozen=True, slots=True)
class ReportTogether(Report):
    """``report together CARD …``: the cards that somebody has seen, of those that wait."""

    trigger: str = TOGETHER
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class ReportOverMaximum(Report):
    """``report over-maximum BOX AMOUNT``: the wagers on the box are above that maximum; those that
    are settled are settled anew."""

    trigger: str = OVER_MAXIMUM
    amount: Stake = None
