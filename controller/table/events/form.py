"""The form of each class of events, from its fields: what an entry's body becomes, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from types import NoneType
from typing import Any, Final, Generic, get_args, get_type_hints

from controller.forms.faults import Wrong
from controller.forms.fields import fields_reader
from controller.forms.json_values import JsonObject, WrongForm
from controller.forms.reading import fields_of
from controller.table.events.event import E, Event

AFTER: Final = "after"
"""Key of an entry's body with the effect of the event, which is none of the event's own."""

OF_ENTRIES: Final = frozenset({"device", "session", "event_no", "offer"})
"""Columns of an entry, beside its type."""


class EventForm(Generic[E]):
    """How events of a class stand in an entry."""

    def __init__(self, kind: type[E]) -> None:
        self._kind = kind
        hints = get_type_hints(kind)
        self._columns = [(name, NoneType in get_args(hints[name])) for name in kind.COLUMNS]
        apart = (*kind.COLUMNS, "more")
        reading = [one for one in fields_of(kind) if one.name not in apart]
        self._read = fields_reader(reading, others=True)
        own = [one for one in fields(kind) if one.name not in apart]
        self._names = [one.name for one in own]
        self._left_out = frozenset(one.name for one in own if one.default is None)

    def read_event(self, body: JsonObject, columns: Mapping[str, object]) -> E:
        """The event with that body, and those columns beside it.

        Raises:
            WrongForm: something is missing or has another form.
        """
        given = self._read(body, None)
        if type(given) is Wrong:
            raise WrongForm("; ".join(given.lines("")))
        if len(given) + (AFTER in body) < len(body):
            others = body.keys() - given.keys() - {AFTER}
            given["more"] = {name: body[name] for name in sorted(others)}
        for name, null in self._columns:
            if (value := columns[name]) is None and not null:
                raise WrongForm(f"{name} is missing")
            given[name] = value
        return self._kind(**given)

    def write(self, event: E) -> dict[str, object]:
        """The body of an event."""
        body = {}
        for name in self._names:
            value = getattr(event, name)
            if value is not None or name not in self._left_out:
                body[name] = value
        return body if event.more is None else {**body, **event.more}


_FORMS: dict[type[Event], EventForm[Any]] = {}


def form_of(kind: type[E]) -> EventForm[E]:
    """The form of a class, found once."""
    form: EventForm[E] | None = _FORMS.get(kind)
    if form is None:
        form = _FORMS[kind] = EventForm(kind)
    return form


def body_of(event: Event) -> dict[str, object]:
    """The event as the body of an entry."""
    return form_of(type(event)).write(event)


def columns_of(event: Event) -> dict[str, Any]:
    """What an entry has of the event in columns of their own, by their names."""
    return {name: getattr(event, name) for name in event.COLUMNS if name in OF_ENTRIES}
