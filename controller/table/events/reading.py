"""Where an entry of the journal, or what a device has said, becomes an event, and an event the body
of an entry: the form of each class, from its fields.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from types import ModuleType, NoneType
from typing import Any, Final, get_args, get_type_hints

from controller.forms.expected import fields_reader
from controller.forms.faults import Wrong
from controller.forms.json_values import JsonObject, WrongForm
from controller.forms.reading import fields_of
from controller.table.events import of_controller, of_devices, of_people
from controller.table.events.event import E, Event, Reported

AFTER: Final = "after"
"""Key of an entry's body with the effect of the event, which is none of the event's own."""

OF_ENTRIES: Final = frozenset({"device", "session", "event_no", "offer"})
"""Columns of an entry, beside its type."""


class EventForm:
    """How events of a class stand in an entry."""

    def __init__(self, kind: type[Event]) -> None:
        self._kind = kind
        hints = get_type_hints(kind)
        self._columns = [(name, NoneType in get_args(hints[name])) for name in kind.COLUMNS]
        apart = (*kind.COLUMNS, "more")
        reading = [one for one in fields_of(kind) if one.name not in apart]
        self._read = fields_reader(reading, others=True)
        own = [one for one in fields(kind) if one.name not in apart]
        self._names = [one.name for one in own]
        self._left_out = frozenset(one.name for one in own if one.default is None)

    def read_event(self, body: JsonObject, columns: Mapping[str, object]) -> Any:
        """The event with that body, and those columns beside it; WrongForm where something is
        missing or has another form."""
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

    def write(self, event: Event) -> dict[str, object]:
        """The body of an event."""
        body = {}
        for name in self._names:
            value = getattr(event, name)
            if value is not None or name not in self._left_out:
                body[name] = value
        return body if event.more is None else {**body, **event.more}


_FORMS: Final[dict[type[Event], EventForm]] = {}


def form_of(kind: type[Event]) -> EventForm:
    """The form of a class, found once."""
    if kind not in _FORMS:
        _FORMS[kind] = EventForm(kind)
    return _FORMS[kind]


def body_of(event: Event) -> dict[str, object]:
    """The event as the body of an entry."""
    return form_of(type(event)).write(event)


def columns_of(event: Event) -> dict[str, Any]:
    """What an entry has of the event in columns of their own, by their names."""
    return {name: getattr(event, name) for name in event.COLUMNS if name in OF_ENTRIES}


def _declared(module: ModuleType, kind: type[E]) -> Iterator[type[E]]:
    """The types of events of that kind that the module declares."""
    for one in vars(module).values():
        own = isinstance(one, type) and one.__module__ == module.__name__
        if own and issubclass(one, kind) and one.TYPE:
            yield one


OTHERS: Final[tuple[type[Event], ...]] = (
    *_declared(of_controller, Event),
    *_declared(of_people, Event),
)
"""Every event that no device reports itself."""

REPORTS: Final = tuple(_declared(of_devices, Reported))
"""Every event that a device reports itself."""

_OTHERS: Final = {kind.TYPE: kind for kind in OTHERS}
_REPORTS: Final = {kind.TYPE: kind for kind in REPORTS}


def read_event(
    type: str,  # noqa: A002
    body: JsonObject,
    device: str | None = None,
    session: int | None = None,
    event_no: int | None = None,
    offer: int | None = None,
) -> Event:
    """The event of that type and body; the others are the entry's columns.

    Raises:
        WrongForm: something is missing or has another form.
        ValueError: the type is unknown, and it is no device's event.
    """
    if event_no is not None:
        return read_report(type, body, device, session, event_no)
    kind = _OTHERS.get(type)
    if kind is None:
        raise ValueError(f"no table knows an event of type {type!r}")
    if kind is of_controller.LinkWent and body.get("up"):
        kind = of_controller.LinkCame
    columns = {"device": device, "session": session, "offer": offer}
    event: Event = form_of(kind).read_event(body, columns)
    return event


def read_report(
    called: str, body: JsonObject, device: str | None, session: int | None, event_no: int
) -> Reported:
    """What a device has reported under that name; raises :class:`WrongForm` as
    :func:`read_event`."""
    columns = {"device": device, "session": session, "event_no": event_no, "called": called}
    form = form_of(_REPORTS.get(called, of_devices.OtherReported))
    report: Reported = form.read_event(body, columns)
    return report
