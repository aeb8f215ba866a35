"""Commands beyond a client's role: refused outside the table and stored in its journal.

They do not change the table; they are events so that the journal has them in order.
"""

from __future__ import annotations

from controller.table.events.of_people import AttemptRefused
from controller.table.state.table import Table


def refused_attempt(table: Table, event: AttemptRefused) -> None:
    """A client tried a command beyond its role: noted, with no other effect."""
    who = event.user
    if event.pid is not None:
        who += f" (uid {event.uid}, process {event.pid})"
    times = f", {event.count} times" if event.count > 1 else ""
    table.note(f"refused {who}{times}: {event.what} ({event.why})")
