"""JSON with a known form: what is parsed gets checked once, where it enters, and is a typed value
from there on.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Never, TypeAlias, TypeVar, cast

from controller.forms.faults import Wrong
from controller.forms.reading import form_of

JsonObject: TypeAlias = Mapping[str, object]
"""A JSON object of unknown form: each of its values has to be checked before it is used."""

T = TypeVar("T")


class WrongForm(ValueError):
    """A value that does not have the expected form; the message says where and what."""


def checked(form: type[T], value: object, where: str = "value") -> T:
    """The value that ``value`` is in that form; WrongForm, by the name ``where``, where it has
    another."""
    if type(value) is form:
        return value
    found = form_of(cast("Any", form)).read(value, None)
    if type(found) is Wrong:
        raise WrongForm("; ".join(found.lines(where)))
    return cast("T", found)


def parse_json(text: str, parse_float: Callable[[str], Any] = float) -> Any:
    """What the text says: every key once, and no number that is none; ValueError where it is not
    JSON, ArithmeticError or RecursionError for a number or a nesting without measure."""
    return json.loads(
        text, parse_float=parse_float, parse_constant=_no_number, object_pairs_hook=_each_once
    )


def _no_number(name: str) -> Never:
    raise ValueError(f"{name} is no number")


def _each_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = [name for name, n in Counter(name for name, _ in pairs).items() if n > 1]
        raise ValueError(f"key {twice[0]!r} stands twice")
    return found
