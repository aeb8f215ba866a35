"""Who did something, by name, and how often.

Names are free text, and a snapshot contains all of them. So the first ``MOST_NAMES`` of a span are
counted each by itself, later ones together under ``OTHERS``, and a name is cut after
``LONGEST_NAME`` characters. A table has fewer supervisors in years; the sums stay right, and the
journal has each name.
"""

from __future__ import annotations

from typing import Final

from controller.table.events.event import ByPerson, Event
from controller.table.events.of_devices import KeyPressed
from controller.table.events.of_people import PersonCommanded
from controller.table.people import KEY_SWITCH

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
