"""Commands beyond a client's role: refused outside the table and stored in its journal.

They do not change the table; they are events so that the journal has them in order.
"""

from __future__ import annotations

from controller.table.events import Event
from controller.table.state.table import Table


def refused_attempt(table: Table, event: Event) -> None:
    """A client tried a command beyond its role: noted, with no other effect."""
    body = event.body
    who = str(body["user"])
    if body["pid"] is not None:
        who += f" (uid {body['uid']}, process {body['pid']})"
    count = event.whole("count")
    times = f", {count} times" if count > 1 else ""
    table.note(f"refused {who}{times}: {body['what']} ({body['why']})")
