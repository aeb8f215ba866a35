"""The report before opening, as an entry of the journal: nothing of play depends on it."""

from __future__ import annotations

from controller.table.events.of_controller import ReadinessReported
from controller.table.state.readiness import Readiness
from controller.table.state.table import Table


def readiness(table: Table, event: ReadinessReported) -> None:
    """A report was made."""
    in_order = dict(
        sorted(event.counted.items())
    )  # as the journal has them, whatever order they came in
    table.readiness = Readiness(event.at, in_order)
    missing = [str(check["name"]) for check in event.checks if not check["ok"]]
    said = f"not ready: {', '.join(missing)}" if missing else "ready"
    table.note(f"report before opening: {said}")
