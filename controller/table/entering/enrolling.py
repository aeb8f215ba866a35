"""Changes of who is known by PIN (``tablectl people``): entries of the journal.

They do not change the table; they are events so that the journal has them in order. Of a PIN they
have nothing.
"""

from __future__ import annotations

from typing import Final

from controller.table.events import Event
from controller.table.people import Who
from controller.table.state.table import Table

CHANGES: Final = {
    "add": "adds {of} as a {role}",
    "pin": "gives {of} ({role}) another PIN",
    "remove": "removes {of} ({role})",
}


def person(table: Table, event: Event) -> None:
    """Somebody was added or removed, or was given another PIN."""
    body = event.body
    did = CHANGES[str(body["change"])].format(of=body["of"], role=body["role"])
    table.note(f"people: {Who.of(body).name} {did}")
