"""Steps at the jackpot button."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from controller.game.commands.values import Seat
from controller.game.round.steps.step import AtBox


@dataclass(frozen=True, slots=True)
class Nominate(AtBox):
    """``nominate BOX BETTOR``, ``nominate BOX staff``: another one presses for the box."""

    verb: ClassVar = "nominate"
    by: Seat | None


@dataclass(frozen=True, slots=True)
class Press(AtBox):
    """``press BOX``: the button was pressed for the box."""

    verb: ClassVar = "press"
