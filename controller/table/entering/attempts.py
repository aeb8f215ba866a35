"""Attempts at what is not one's own, refused outside the table and kept in its journal.

They change nothing: the table takes them so that they have their place among the events.
"""

from __future__ import annotations

from controller.table.events import Event
from controller.table.state.table import Table


def refused_attempt(table: Table, event: Event) -> None:
    """Somebody was refused what is not his: said, and nothing else."""
    body = event.body
    who = str(body["user"])
    if body["pid"] is not None:
        who += f" (uid {body['uid']}, process {body['pid']})"
    times = f", {body['count']} times" if body["count"] > 1 else ""
    table.note(f"refused {who}{times}: {body['what']} ({body['why']})")
