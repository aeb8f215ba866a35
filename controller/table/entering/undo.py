"""The last entry taken back, until a card, a press or a payment has followed.

An entry of the dealer never changes what it finds: it puts a new round, a new list in its place. So
it is enough to keep what was there before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from controller.round.refusal import Refused
from controller.round.wagers import Sheet

if TYPE_CHECKING:
    from controller.table.table import Table

TAKEN_BACK: Final = (
    "phase",
    "round_number",
    "rnd",
    "offer",
    "drawn",
    "draws",
    "told",
    "adopted",
    "next_settings",
    "burning",
    "squeezed",
)
"""What an entry of the dealer may change, beside the sheet of wagers, which it does change."""


@dataclass(frozen=True, slots=True)
class Saved:
    """The play before the last entry; ``said`` is that entry."""

    said: str
    sheet: Sheet
    play: Mapping[str, Any]


def save(table: Table, said: str) -> Saved:
    """The play as it is, before the entry ``said``."""
    return Saved(said, table.sheet.clone(), {name: getattr(table, name) for name in TAKEN_BACK})


def take_back(table: Table) -> None:
    """``undo``."""
    saved = table.saved
    if saved is None:
        raise Refused(
            "nothing can be taken back: a card, press or payment has followed",
            short="NOTHING TO UNDO",
        )
    for name, value in saved.play.items():
        setattr(table, name, value)
    table.sheet, table.saved = saved.sheet, None
    table.outcome.notes.append(f"taken back: {saved.said}")
