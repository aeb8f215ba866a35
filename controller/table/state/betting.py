"""The wagers on the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from controller.round.wagers import Sheet
from controller.table.state.part import Part


@dataclass(slots=True)
class Betting(Part):
    """``sheet`` is changed in place while bets are open, so a copy of it is kept for ``undo``."""

    sheet: Sheet = field(default_factory=Sheet)

    def keep(self) -> dict[str, object]:
        """A copy of the sheet."""
        return {"sheet": self.sheet.clone()}

    def bring_back(self, kept: Mapping[str, object]) -> None:
        """Restore the sheet that was kept."""
        sheet = kept["sheet"]
        assert isinstance(sheet, Sheet)
        self.sheet = sheet
