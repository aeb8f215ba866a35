"""JSON with a known form: what is parsed gets checked once, where it enters, and is a typed value
from there on.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Hashable, Mapping
from functools import cache
from types import UnionType
from typing import TypeAlias, TypeVar, get_args, get_origin

JsonObject: TypeAlias = Mapping[str, object]
"""A JSON object of unknown form: each of its values has to be checked before it is used."""

MOST_SHOWN = 60
T = TypeVar("T")


class WrongForm(ValueError):
    """A value that does not have the expected form; the message says where and what."""


def checked(form: type[T], value: object, where: str = "value") -> T:
    """The value, which has the form: a plain type, a TypedDict without ``NotRequired``, or a list,
    mapping or union of these. It may have more keys than a TypedDict declares: another version's.

    Raises:
        WrongForm: it has another form; ``where`` is its name in the message.
    """
    if type(value) is not form and (fault := check_of(typing.cast("Hashable", form))(value)):
        raise WrongForm(where + fault)
    return typing.cast("T", value)


Check: TypeAlias = Callable[[object], str]
"""Says where in a value the first fault is, and what; the empty text where there is none."""


@cache
def check_of(form: Hashable) -> Check:
    """The check of a form, made once for each: this is called for every entry of a journal."""
    kind, inner = get_origin(form), get_args(form)
    if typing.is_typeddict(form):
        return _check_of_fields(form)
    if kind is list:
        return _check_of_items(form, check_of(inner[0]))
    if kind in (dict, Mapping):
        return _check_of_values(form, check_of(inner[1]))
    if kind is UnionType:
        return _check_of_union(inner)
    if form is object:
        return _anything
    kinds = (float, int) if form is float else (form,)
    return lambda value: "" if type(value) in kinds else _other(form, value)


def _anything(value: object) -> str:
    return ""


def _check_of_fields(form: typing.Any) -> Check:
    hints: Mapping[str, object] = typing.get_type_hints(form)
    fields = [(name, check_of(hint)) for name, hint in hints.items()]
    required = form.__required_keys__

    def check(value: object) -> str:
        if not isinstance(value, Mapping):
            return _other(form, value)
        for name, check_field in fields:
            if name in value:
                if fault := check_field(value[name]):
                    return f".{name}{fault}"
            elif name in required:
                return f".{name} is missing"
        return ""

    return check


def _check_of_items(form: object, check_item: Check) -> Check:
    def check(value: object) -> str:
        if not isinstance(value, list | tuple):
            return _other(form, value)
        for index, item in enumerate(value):
            if fault := check_item(item):
                return f"[{index}]{fault}"
        return ""

    return check


def _check_of_values(form: object, check_item: Check) -> Check:
    def check(value: object) -> str:
        if not isinstance(value, Mapping):
            return _other(form, value)
        for key, item in value.items() if check_item is not _anything else ():
            if fault := check_item(item):
                return f".{key}{fault}"
        return ""

    return check


def _check_of_union(forms: tuple[object, ...]) -> Check:
    by_type = {kind: check_of(one) for one in forms[::-1] for kind in (one, get_origin(one))}
    first = check_of(forms[0])
    return lambda value: by_type.get(type(value), first)(value)


def _other(form: object, value: object) -> str:
    return f" = {repr(value)[:MOST_SHOWN]}: expected {getattr(form, '__name__', form)}"
