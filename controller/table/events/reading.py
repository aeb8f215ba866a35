"""Where an entry of the journal, or what a device has said, becomes an event."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType
from typing import Final

from controller.forms.json_values import JsonObject
from controller.table.events import of_controller, of_devices, of_links, of_people
from controller.table.events.event import E, Event, Reported
from controller.table.events.form import form_of


def _declared(module: ModuleType, kind: type[E]) -> Iterator[type[E]]:
    """The types of events of that kind that the module declares."""
    for one in vars(module).values():
        own = isinstance(one, type) and one.__module__ == module.__name__
        if own and issubclass(one, kind) and one.TYPE:
            yield one


OTHERS: Final[tuple[type[Event], ...]] = (
    *_declared(of_controller, Event),
    *_declared(of_links, Event),
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
    if kind is of_links.LinkWent and body.get("up"):
        kind = of_links.LinkCame
    return form_of(kind).read_event(body, {"device": device, "session": session, "offer": offer})


def read_report(
    called: str, body: JsonObject, device: str | None, session: int | None, event_no: int
) -> Reported:
    """What a device has reported under that name; raises :class:`WrongForm` as
    :func:`read_event`."""
    columns = {"device": device, "session": session, "event_no": event_no, "called": called}
    return form_of(_REPORTS.get(called, of_devices.OtherReported)).read_event(body, columns)
