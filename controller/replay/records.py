"""Conversion between the table's events and the journal's entries.

Every entry is an event of the table, except snapshots: those have the state after the previous
entry (:mod:`controller.replay.recovery`), and change nothing.
"""

from __future__ import annotations

from typing import Final

from controller.forms.json_values import JsonObject
from controller.journal.canonical import canonical, decode
from controller.journal.model import Draft, Entry
from controller.table.events.event import Event, Reported
from controller.table.events.of_devices import KeyPressed
from controller.table.events.reading import AFTER, body_of, columns_of, read_event
from controller.table.outcome import Outcome

SNAPSHOT: Final = "snapshot"
"""The type of an entry that is not an event of the table."""


def as_stored(event: Event) -> Event:
    """The event as the journal will give it back: keys by name, tuples as lists. What the live
    table is given in any other form it may keep in that form, and replay would have another.

    Raises:
        BadDraft: the journal cannot store it.
    """
    if isinstance(event, Reported) and not isinstance(event, KeyPressed) and event.more is None:
        return event  # what is read of it is numbers, as a card's
    return read_event(event.type, decode(canonical(body_of(event))), **columns_of(event))


def draft_of(
    event: Event, outcome: Outcome, *, t_ms: int | None = None, renumbered: bool = False
) -> Draft:
    """The journal draft of an event that the table has taken."""
    return Draft(
        event.type,
        {**body_of(event), AFTER: outcome.as_body()},
        t_ms=t_ms,
        renumbered=renumbered,
        **columns_of(event),
    )


def event_of(entry: Entry) -> Event:
    """The event that an entry stores; raises as :func:`read_event`."""
    stored = entry.draft
    columns = stored.device, stored.session, stored.event_no, stored.offer
    return read_event(stored.type, stored.body, *columns)


def stored_outcome(entry: Entry) -> JsonObject | None:
    """The effect of the event when it was played, as the journal has it; None where that has not
    the form of one: whoever wrote the entry was no controller."""
    stored = entry.body.get(AFTER, {})
    return stored if isinstance(stored, dict) else None
