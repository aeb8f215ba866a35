"""Steps at the jackpot button."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from controller.game.round.steps.step import STAFF, AtBox, Seat


@dataclass(frozen=True, slots=True)
class Nominate(AtBox):
    """``nominate BOX BETTOR``, ``nominate BOX staff``: another one presses for the box."""

    verb: ClassVar = "nominate"
    form: ClassVar = "sb"
    by: Seat | None

    def __str__(self) -> str:
        return f"nominate {self.seat} {self.by or STAFF}"


@dataclass(frozen=True, slots=True)
class Press(AtBox):
    """``press BOX``: the button was pressed for the box."""

    verb: ClassVar = "press"
