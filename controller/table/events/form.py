"""The form of each class of events, from its fields: what an entry's body becomes, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from functools import reduce
from operator import or_
from types import GenericAlias, NoneType, UnionType
from typing import Any, Final, Generic, NamedTuple, get_args, get_origin, get_type_hints

from controller.json_values import Check, JsonObject, WrongForm, check_of
from controller.table.events.event import E, Event

AFTER: Final = "after"
"""Key of an entry's body with the effect of the event, which is none of the event's own."""

OF_ENTRIES: Final = frozenset({"device", "session", "event_no", "offer"})
"""Columns of an entry, beside its type."""


class _Field(NamedTuple):
    """A field of the body. ``plain`` is a type whose values need no ``check``; ``items``: it is a
    tuple, which JSON has as a list; ``required``: it has no default, and where it may be ``null``
    that is what a missing one counts as."""

    name: str
    plain: type
    check: Check
    items: bool
    required: bool
    null: bool


class Form(Generic[E]):
    """How events of a class stand in an entry."""

    def __init__(self, kind: type[E]) -> None:
        self._kind = kind
        hints = get_type_hints(kind)
        self._columns = [(name, NoneType in get_args(hints[name])) for name in kind.COLUMNS]
        own = [one for one in fields(kind) if one.name not in (*kind.COLUMNS, "more")]
        self._fields = [
            _field(one.name, hints[one.name], required=one.default is MISSING) for one in own
        ]
        self._names = [one.name for one in own]
        self._left_out = frozenset(one.name for one in own if one.default is None)

    def read(self, body: JsonObject, columns: Mapping[str, object]) -> E:
        """The event with that body, and those columns beside it.

        Raises:
            WrongForm: something is missing or has another form.
        """
        given: dict[str, Any] = {}
        known = int(AFTER in body)
        for name, plain, check, items, required, null in self._fields:
            if name in body:
                known += 1
                value: Any = body[name]
                if type(value) is not plain and (fault := check(value)):
                    raise WrongForm(name + fault)
                given[name] = tuple(value) if items and value is not None else value
            elif required:
                if not null:
                    raise WrongForm(f"{name} is missing")
                given[name] = None
        if known < len(body):
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


def _field(name: str, form: object, *, required: bool) -> _Field:
    forms = get_args(form) if isinstance(form, UnionType) else (form,)
    items = any(get_origin(one) is tuple for one in forms)
    as_json = [
        GenericAlias(list, get_args(one)[:1]) if get_origin(one) is tuple else one for one in forms
    ]
    return _Field(
        name,
        next((one for one in (int, str, bool) if one in forms), Form),
        check_of(reduce(or_, as_json)),
        items=items,
        required=required,
        null=NoneType in forms,
    )


_FORMS: dict[type[Event], Form[Any]] = {}


def form_of(kind: type[E]) -> Form[E]:
    """The form of a class, found once."""
    form: Form[E] | None = _FORMS.get(kind)
    if form is None:
        form = _FORMS[kind] = Form(kind)
    return form


def body_of(event: Event) -> dict[str, object]:
    """The event as the body of an entry."""
    return form_of(type(event)).write(event)


def columns_of(event: Event) -> dict[str, Any]:
    """What an entry has of the event in columns of their own, by their names."""
    return {name: getattr(event, name) for name in event.COLUMNS if name in OF_ENTRIES}
