"""Conditions of the box itself: a failing generator, a disk filling up, a clock that went back.

The box reports that one has come about or is over; what it means for play is decided here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.table.events import Event
from controller.table.holds import Hold, hold

if TYPE_CHECKING:
    from controller.table.table import Table


def condition(table: Table, event: Event) -> None:
    """A condition has come about (play is held) or is over (said; a hold stays latched)."""
    fault, detail = str(event.body["fault"]), str(event.body["detail"])
    if event.body["present"]:
        hold(table, Hold(fault, detail))
    else:
        table.outcome.notes.append(f"over: {detail or fault}")
