"""Conversion between the table's events and the journal's entries.

Every entry is an event of the table, except snapshots: those have the state after the previous
entry (:mod:`controller.replay.recovery`), and change nothing.
"""

from __future__ import annotations

from typing import Final

from controller.journal.canonical import canonical, decode
from controller.journal.model import Draft, Entry
from controller.json_values import JsonObject
from controller.table.events import Event, Outcome

SNAPSHOT: Final = "snapshot"
"""The type of an entry that is not an event of the table."""

_AS_THEY_ARE: Final = frozenset({int})
"""Types of values that JSON gives back as they were."""

AFTER = "after"
"""Key of an entry's body with the effect of the event; all other keys are the event's own."""


def as_stored(event: Event) -> Event:
    """The event as the journal will give it back: keys by name, tuples as lists. What the live
    table is given in any other form it may keep in that form, and replay would have another.

    Raises:
        BadDraft: the journal cannot store it.
    """
    plain = event.body
    if event.event_no is not None and _AS_THEY_ARE.issuperset(map(type, plain.values())):
        body = {name: plain[name] for name in sorted(plain)}  # a card, say, without the detour
    else:
        body = decode(canonical(plain))
    return Event(event.type, body, event.device, event.session, event.event_no, event.offer)


def draft_of(
    event: Event, outcome: Outcome, *, t_ms: int | None = None, renumbered: bool = False
) -> Draft:
    """The journal draft of an event that the table has taken."""
    return Draft(
        event.type,
        {**event.body, AFTER: outcome.as_body()},
        device=event.device,
        session=event.session,
        event_no=event.event_no,
        t_ms=t_ms,
        offer=event.offer,
        renumbered=renumbered,
    )


def event_of(entry: Entry) -> Event:
    """The event that an entry stores."""
    return Event(
        entry.type,
        {name: value for name, value in entry.body.items() if name != AFTER},
        device=entry.device,
        session=entry.session,
        event_no=entry.event_no,
        offer=entry.offer,
    )


def stored_outcome(entry: Entry) -> JsonObject | None:
    """The effect of the event when it was played, as the journal has it; None where that has not
    the form of one: whoever wrote the entry was no controller."""
    stored = entry.body.get(AFTER, {})
    return stored if isinstance(stored, dict) else None
