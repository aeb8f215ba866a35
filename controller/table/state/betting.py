"""The wagers on the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from controller.round.money import Stake
from controller.round.wagers import Sheet
from controller.table.state.part import Part

Returned = tuple[int, str, str, Stake]
"""Box, bettor, kind and amount of a wager that was given back."""


@dataclass(slots=True)
class Betting(Part):
    """``sheet`` is changed in place while bets are open, so a copy of it is kept for ``undo``.
    ``settled_below``: box and letter of those who had a wager below the minimum settled;
    ``returned``: what was given back when bets were closed
    (:mod:`~controller.table.betting.below_minimum`)."""

    TAKEN_BACK: ClassVar = ("settled_below", "returned")

    sheet: Sheet = field(default_factory=Sheet)
    settled_below: frozenset[tuple[int, str]] = frozenset()
    returned: tuple[Returned, ...] = ()

    def keep(self) -> dict[str, object]:
        """A copy of the sheet, and the rest as it is."""
        return {"sheet": self.sheet.clone(), **Part.keep(self)}

    def bring_back(self, kept: Mapping[str, object]) -> None:
        """Restore what was kept; an earlier snapshot kept the sheet alone."""
        sheet = kept["sheet"]
        assert isinstance(sheet, Sheet)
        self.sheet = sheet
        Part.bring_back(self, {"settled_below": frozenset(), "returned": (), **kept})
