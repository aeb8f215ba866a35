"""Conversion between values of known types and the plain data of a snapshot.

The rules:

- A value is written by its declared type: all declared fields of a dataclass are written, so a new
  field is in the snapshot without further work. An unknown type is an error and never left out.
- Plain data is whole numbers, text, booleans, null, lists and objects with text keys. Mappings are
  lists of pairs in their own order, which play may depend on and a canonical encoding would lose;
  sets are sorted lists.
- A field that has its default is left out, which keeps a snapshot small and readable.
- ``dump(load(plain)) == plain``, and ``load(dump(value)) == value`` in the same order.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Container, Mapping
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from controller.round.log import Given, Loose
from controller.round.steps.step import Step
from controller.rules.cards import Card, parse_card
from controller.rules.schema import Case


class BadSnapshot(ValueError):
    """A value that does not have its declared type, or plain data that is not a snapshot of this
    version."""


LOOSE: Final = tuple[tuple[Card, ...], str, bool, tuple[Card, ...], int, bool]
"""A :class:`Loose` is written as its fields in order."""

GIVEN: Final[Mapping[str, Any]] = {
    "card": Card,
    "loose": Loose,
    "back": tuple[Card, ...],
    "waiting": None,
    "burned": Card,
    "options": Case | None,
    "step": Step,
    "drawn": int,
    "shown": None,
}
"""The type of each kind of a round's inputs (:mod:`controller.round.log`)."""

_SIMPLE: Final = (int, str, bool, NoneType)
_SEQUENCES: Final[Mapping[Any, Callable[[Any], Any]]] = {
    list: list,
    set: set,
    frozenset: frozenset,
}
_MAPPINGS: Final[Mapping[Any, Callable[[Any], Any]]] = {
    dict: dict,
    Mapping: dict,
    Counter: lambda pairs: Counter(dict(pairs)),
}


Special = tuple[Callable[[Any], Any], Callable[[Any], Any]]
"""The functions that write and read values of a special type."""


class Codec:
    """Writes and reads values by their types; those of ``special`` types by the functions given."""

    def __init__(self, special: Mapping[Any, Special]) -> None:
        self._special = special

    def dump(self, value: Any, hint: Any) -> Any:
        """Plain data of a value of the type ``hint``.

        Raises:
            BadSnapshot: it is not of that type, or the type is unknown.
        """
        kind, args = _form(hint)
        if value is None and NoneType in args and kind is UnionType:
            return None
        match kind:
            case _ if kind in self._special:
                return self._special[kind][0](value)
            case _ if kind in _SIMPLE:
                return _checked(value, kind)
            case _ if kind is UnionType:
                return self.dump(value, _but_none(args))
            case _ if kind is Card or _is_enum(kind):
                return str(value)
            case _ if kind is Given:
                return [value.what, self.dump(value.value, _given(value.what))]
            case _ if kind is Loose:
                return self.dump(tuple(value), LOOSE)
            case _ if kind is tuple:
                return [self.dump(item, inner) for item, inner in _items(value, args)]
            case _ if kind in (set, frozenset):
                return [self.dump(item, args[0]) for item in sorted(value)]
            case _ if kind in _SEQUENCES:
                return [self.dump(item, args[0]) for item in value]
            case _ if kind in _MAPPINGS:
                return self._pairs(value, Counter if kind is Counter else dict, args)
            case _ if dataclasses.is_dataclass(kind) and type(value) is kind:
                return self.record(value)
        raise BadSnapshot(f"a snapshot cannot hold {value!r} as {hint!r}")

    def record(self, value: Any, *, leaving_out: Container[str] = ()) -> dict[str, Any]:
        """Plain data of a dataclass: its fields without those that have their defaults."""
        kind: Any = type(value)
        return {
            field.name: self.dump(getattr(value, field.name), inner)
            for field, inner in fields(kind)
            if field.name not in leaving_out and getattr(value, field.name) != _default(field)
        }

    def load(self, plain: Any, hint: Any) -> Any:
        """The value of the type ``hint`` that :meth:`dump` has written as ``plain``.

        Raises:
            BadSnapshot: it is not such a value.
        """
        try:
            return self._load(plain, hint)
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            raise BadSnapshot(
                f"{str(plain)[:80]!r} is no {hint!r} of a snapshot: {error}"
            ) from error

    def _load(self, plain: Any, hint: Any) -> Any:
        kind, args = _form(hint)
        match kind:
            case _ if kind in self._special:
                return self._special[kind][1](plain)
            case _ if kind in _SIMPLE:
                return _checked(plain, kind)
            case _ if kind is UnionType:
                return None if plain is None else self._load(plain, _but_none(args))
            case _ if kind is Card:
                return parse_card(plain)
            case _ if _is_enum(kind):
                return kind(plain)
            case _ if kind is Given:
                what, value = plain
                return Given(what, self._load(value, _given(what)))
            case _ if kind is Loose:
                return Loose(*self._load(plain, LOOSE))
            case _ if kind is tuple:
                return tuple(self._load(item, inner) for item, inner in _items(plain, args))
            case _ if kind in _SEQUENCES:
                return _SEQUENCES[kind](self._load(item, args[0]) for item in plain)
            case _ if kind in _MAPPINGS:
                key, inner = args if len(args) == 2 else (args[0], int)
                pairs = {self._load(k, key): self._load(item, inner) for k, item in plain}
                return _MAPPINGS[kind](pairs)
            case _ if dataclasses.is_dataclass(kind):
                return self.build(kind, plain)
        raise BadSnapshot(f"a snapshot cannot hold {hint!r}")

    def build(self, kind: Any, plain: Mapping[str, Any], **given: Any) -> Any:
        """The dataclass whose fields are written in ``plain``, or ``given``."""
        types = {field.name: inner for field, inner in fields(kind)}
        read = {name: self._load(item, types[name]) for name, item in plain.items()}
        return kind(**given, **read)

    def _pairs(self, value: Any, kind: Any, args: tuple[Any, ...]) -> list[list[Any]]:
        if not isinstance(value, kind):
            raise BadSnapshot(f"{value!r} is no {kind.__name__}")
        key, inner = args if len(args) == 2 else (args[0], int)
        return [[self.dump(k, key), self.dump(item, inner)] for k, item in value.items()]


PLAIN: Final = Codec({})
"""For values without special types."""


@cache
def fields(kind: Any) -> tuple[tuple[dataclasses.Field[Any], Any], ...]:
    """The fields of a dataclass with their types."""
    hints = get_type_hints(kind)
    return tuple((field, hints[field.name]) for field in dataclasses.fields(kind))


@cache
def _form(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    """The origin and the arguments of a type."""
    if hint is None:
        return NoneType, ()
    origin = get_origin(hint)
    if origin is Union:
        origin = UnionType
    return origin or hint, get_args(hint)


def _is_enum(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, StrEnum)


def _but_none(args: tuple[Any, ...]) -> Any:
    others = [arg for arg in args if arg is not NoneType]
    if len(others) != 1:
        raise BadSnapshot(f"a snapshot cannot hold one of {args!r}")
    return others[0]


def _given(what: str) -> Any:
    if what not in GIVEN:
        raise BadSnapshot(f"a round is given no {what!r}")
    return GIVEN[what]


def _items(values: Any, args: tuple[Any, ...]) -> list[tuple[Any, Any]]:
    """The items of a tuple with their types."""
    if len(args) == 2 and args[1] is ...:
        return [(value, args[0]) for value in values]
    return list(zip(values, args, strict=True))


def _checked(value: Any, kind: Any) -> Any:
    if type(value) is not kind:
        raise BadSnapshot(f"{value!r} is no {kind.__name__}")
    return value


def _default(field: dataclasses.Field[Any]) -> Any:
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default
