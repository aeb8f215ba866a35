"""The wagers on the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, cast

from controller.game.money import Stake
from controller.game.round.wagers import Replaced, Sheet
from controller.table.state.part import Kept, Part

Returned = tuple[int, str, str, Stake]
"""Box, bettor, kind and amount of a wager that was given back."""


@dataclass(slots=True)
class Betting(Part):
    """``sheet`` is changed in place while bets are open, so a copy of it is kept for ``undo``, or
    under ``replaced`` what a command changed of it.
    ``settled_below``: box and letter of those who had a wager below the minimum settled;
    ``returned``: what was given back when bets were closed
    (:mod:`~controller.table.betting.below_minimum`)."""

    TAKEN_BACK: ClassVar = ("settled_below", "returned")
    KEPT_OTHERWISE: ClassVar = {"replaced": Replaced}

    sheet: Sheet = field(default_factory=Sheet)
    settled_below: frozenset[tuple[int, str]] = frozenset()
    returned: tuple[Returned, ...] = ()

    def keep_values(self) -> Kept:
        """A copy of the sheet, and the rest as it is."""
        return {"sheet": self.sheet.clone(), **Part.keep_values(self)}

    def bring_back(self, kept: Mapping[str, object]) -> None:
        """Restore what was kept; an earlier snapshot kept the sheet alone."""
        self.sheet = _sheet(kept)
        Part.bring_back(self, {"settled_below": frozenset(), "returned": (), **kept})

    def only_changed(self, kept: Mapping[str, object], then: Mapping[str, object]) -> Kept:
        """As for every part; of the sheet only the boxes whose wagers are others."""
        changed = Part.only_changed(self, kept, then)
        changed.pop("sheet", None)
        replaced = _sheet(kept).replaced_in(_sheet(then))
        return {**changed, "replaced": replaced} if replaced else changed

    def all_again(self, changed: Mapping[str, object], then: Mapping[str, object]) -> Kept:
        """As for every part."""
        whole = Part.all_again(self, changed, then)
        replaced = cast("Replaced", whole.pop("replaced", {}))
        return {**whole, "sheet": _sheet(then).with_replaced(replaced)}


def _sheet(kept: Mapping[str, object]) -> Sheet:
    sheet = kept["sheet"]
    assert isinstance(sheet, Sheet)
    return sheet
