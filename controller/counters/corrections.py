"""Corrections that were judged, and by whom: looked for after every event; and who did something,
by name, and how often.

The rules:

- A correction counts when it is judged, once however many cards it names, for whoever gave its last
  ``correct`` or ``lies``: a supervisor's name, the dealer's user, ``key switch``, or ``keypad``
  where the switch was not turned. One that was taken back or dropped is none.
- A command may have waited for the shoe's gate: it is of who made it, not of the lock.
- Names are free text, and a snapshot contains all of them. So the first ``MOST_NAMES`` of a span
  are counted each by itself, later ones together under ``OTHERS``, and a name is cut after
  ``LONGEST_NAME`` characters. A table has fewer supervisors in years; the sums stay right, and the
  journal has each name."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from controller.table.events.event import KEY_SWITCH, ByPerson, Event
from controller.table.events.of_devices import KeyPressed
from controller.table.events.of_people import PersonCommanded
from controller.table.state.table import Table

BY_KEY: Final = KEY_SWITCH
BY_ITSELF: Final = "the table"
OTHERS: Final = "others"
MOST_NAMES: Final = 64
LONGEST_NAME: Final = 64


def who_of(event: Event) -> str:
    """Who brought the event about."""
    if isinstance(event, KeyPressed):
        return BY_KEY
    by = event.by if isinstance(event, PersonCommanded) else None
    user = event.user if isinstance(event, ByPerson) else None
    return (by or user or BY_ITSELF)[:LONGEST_NAME]


def count_name(by: dict[str, int], who: str) -> None:
    """Count once more for that name."""
    if who not in by and len(by) >= MOST_NAMES:
        who = OTHERS
    by[who] = by.get(who, 0) + 1


CORRECTED: Final = "corrected"
"""The input of a round's log that stands for a correction that was judged."""

KEYPAD: Final = "keypad"
"""Who gave a command by keys without the key switch, or by keys that had to wait for the gate."""


@dataclass(slots=True)
class Corrections:
    """What is remembered from one event to the next: how many ``edits`` wait to be judged, who gave
    the last (``by``), who made the command that waits for the gate (``waits``; "": keys did), and
    how many were ``judged`` of this round and of the one before it, which may be brought back."""

    edits: int = 0
    by: str = ""
    waits: str = ""
    judged: dict[int, int] = field(default_factory=dict)

    def command_giver(self, event: Event) -> str:
        """Who has given the command that the event is, or that it has let through."""
        if isinstance(event, PersonCommanded):
            return who_of(event)
        if not isinstance(event, KeyPressed):
            return self.waits or KEYPAD
        return BY_KEY if event.supervisor else KEYPAD

    def note_corrector(self, event: Event, table: Table) -> str:
        """Who gave the correction that was judged in that event, which ``table`` has taken; empty:
        none was."""
        who = self.command_giver(event)
        edits = len(table.rnd.irregular.edits) if table.rnd else 0
        if edits > self.edits:
            self.by = who
        found = (self.by or who) if self._has_judged(table) else ""
        self.edits = edits
        if not edits:
            self.by = ""
        if table.outcome.entry is not None:
            self.waits = who
        elif table.entering.pending is None:
            self.waits = ""
        return found

    def _has_judged(self, table: Table) -> bool:
        rnd, number = table.rnd, table.round_number
        if rnd is None:
            return False
        judged = sum(given.what == CORRECTED for given in rnd.log)
        before = self.judged.get(number, 0)
        if judged != before:  # a reconstruction may have gone back behind one
            self.judged = {old: count for old, count in self.judged.items() if old == number - 1}
            if judged:
                self.judged[number] = judged
        return judged > before
