"""Changes of who is known by PIN (``tablectl people``): entries of the journal.

They do not change the table; they are events so that the journal has them in order. Of a PIN they
have nothing.
"""

from __future__ import annotations

from typing import Final

from controller.table.events.of_people import PeopleChanged
from controller.table.state.table import Table

CHANGES: Final = {
    "add": "adds {of} as a {role}",
    "pin": "gives {of} ({role}) another PIN",
    "remove": "removes {of} ({role})",
}


def person(table: Table, event: PeopleChanged) -> None:
    """Somebody was added or removed, or was given another PIN."""
    did = CHANGES[event.change].format(of=event.of, role=event.role)
    table.note(f"people: {event.who.name} {did}")
