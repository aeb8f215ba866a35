"""JSON with a known form: what is parsed gets checked once, where it enters, and is a typed value
from there on.
"""

from __future__ import annotations

import typing
from collections.abc import Mapping
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
    if type(value) is not form:
        _check(form, value, where)
    return typing.cast("T", value)


@cache
def _fields(form: type) -> Mapping[str, object]:
    """The fields of a TypedDict with their types."""
    return typing.get_type_hints(form)


def _check(form: object, value: object, where: str) -> None:
    kind, inner = get_origin(form), get_args(form)
    if typing.is_typeddict(form) and isinstance(value, Mapping):
        for name, field in _fields(form).items():
            if name in value:
                _check(field, value[name], f"{where}.{name}")
            elif name in getattr(form, "__required_keys__", ()):
                raise WrongForm(f"{where}.{name} is missing")
    elif kind is list and isinstance(value, list | tuple):
        for index, item in enumerate(value):
            _check(inner[0], item, f"{where}[{index}]")
    elif kind in (dict, Mapping) and isinstance(value, Mapping):
        for key, item in value.items() if inner[1] is not object else ():
            _check(inner[1], item, f"{where}.{key}")
    elif kind is UnionType:
        own = [one for one in inner if type(value) in (one, get_origin(one))]
        _check(own[0] if own else inner[0], value, where)
    elif form is not object and type(value) is not form and (form, type(value)) != (float, int):
        given = repr(value)[:MOST_SHOWN]
        raise WrongForm(f"{where} = {given}: expected {getattr(form, '__name__', form)}")
