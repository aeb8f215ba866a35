"""``readiness``: the report before opening, as an entry of the journal.

Its body: ``ready``; ``checks``, a list of ``name``, ``ok``, ``mark``, ``what``, ``next_step``;
``counted``, the counters since commissioning; ``at`` (wall clock, ISO 8601) and ``user``. Nothing
of play depends on it.
"""

from __future__ import annotations

from controller.json_values import checked
from controller.table.events import Event
from controller.table.state.readiness import Readiness
from controller.table.state.table import Table


def readiness(table: Table, event: Event) -> None:
    """A report was made."""
    body = event.body
    counted = checked(dict[str, int], body["counted"], "counted")
    in_order = dict(sorted(counted.items()))  # as the journal has them, whatever order they came in
    table.readiness = Readiness(str(body["at"]), in_order)
    checks = checked(list[dict[str, object]], body["checks"], "checks")
    missing = [str(check["name"]) for check in checks if not check["ok"]]
    said = f"not ready: {', '.join(missing)}" if missing else "ready"
    table.note(f"report before opening: {said}")
