"""Holding play: a hold is latched and reported."""

from __future__ import annotations

from controller.table.state.holds import Hold
from controller.table.state.table import Table


def hold(table: Table, new: Hold) -> None:
    """Hold the table."""
    table.note(new.reason)
    table.holds.add(new)
    table.entering.keypad.hush()
