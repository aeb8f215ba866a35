"""Conversion between values of known types and the plain data of a snapshot.

The rules:

- A value is written by its declared type: all declared fields of a dataclass are written that can
  be given, so a new field is in the snapshot without further work. An unknown type is an error and
  never left out.
- Plain data is whole numbers, text, booleans, null, lists and objects with text keys. Mappings are
  lists of pairs in their own order, which play may depend on and a canonical encoding would lose;
  sets are sorted lists. Commands and steps are their texts.
- A field that has its default is left out, which keeps a snapshot small and readable.
- ``dump(load(plain)) == plain``, and ``load(dump(value)) == value`` in the same order.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, TypeAlias, TypeVar, cast, get_args, get_origin, get_type_hints

from controller.forms.json_values import JsonObject
from controller.game.commands.command import Command, read_open
from controller.game.round.log import Draws, Input, Loose, Returns
from controller.game.round.remedies import Correction, step_of
from controller.game.round.steps import Step
from controller.game.rules.cards import Card, parse_card
from controller.game.rules.cases import Case

T = TypeVar("T")

Hint: TypeAlias = Any
"""A type as annotations write it (``list[int] | None``): :mod:`typing` has no type for these."""

Plain: TypeAlias = "int | str | bool | list[Plain] | dict[str, Plain] | None"
"""Plain data of a snapshot."""


class BadSnapshot(ValueError):
    """A value that does not have its declared type, or plain data that is not a snapshot of this
    version."""


LOOSE: Final = tuple[tuple[Card, ...], str, bool, tuple[Card, ...], int, bool]
"""A :class:`Loose` is written as its fields in order."""

GIVEN: Final[Mapping[str, Hint]] = {
    "card": Card,
    "loose": Loose,
    "back": tuple[Card, ...],
    "waiting": None,
    "burned": Card,
    "options": Case | None,
    "corrected": tuple[Correction, ...],
    "drawn for": Draws,
    "returned": Returns,
    "step": Step,
    "drawn": int,
    "shown": None,
}
"""The type of each kind of a round's inputs (:mod:`controller.game.round.log`)."""

_SIMPLE: Final = (int, str, bool, NoneType)
_SEQUENCES: Final = (list, set, frozenset)
_MAPPINGS: Final = (dict, Mapping, Counter)

Special = tuple[Callable[..., Plain], Callable[..., object]]
"""The functions that write and read values of a special type."""


class Codec:
    """Writes and reads values by their types; those of ``special`` types by the functions given."""

    def __init__(self, special: Mapping[type, Special]) -> None:
        self._special = special

    def dump(self, value: object, hint: Hint) -> Plain:
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
            case _ if kind in (Card, Command) or _is_enum(kind):
                return str(value)
            case _ if kind is Input:
                given = cast("Input", value)
                return [given.what, self.dump(given.value, _input_hint(given.what))]
            case _ if kind is Loose:
                return self.dump(tuple(_items(value)), LOOSE)
            case _ if kind is tuple:
                return [self.dump(item, inner) for item, inner in _typed(value, args)]
            case _ if isinstance(value, set | frozenset) and kind in (set, frozenset):
                return [self.dump(item, args[0]) for item in sorted(value)]
            case _ if kind is list:
                return [self.dump(item, args[0]) for item in _items(value)]
            case _ if kind in _MAPPINGS:
                return self._pairs(value, Counter if kind is Counter else dict, args)
            case _ if _is_step(kind) and isinstance(value, kind):
                return str(value)
            case _ if dataclasses.is_dataclass(kind) and type(value) is kind:
                return self.record(value)
        raise BadSnapshot(f"a snapshot cannot hold {value!r} as {hint!r}")

    def record(self, value: object, *, leaving_out: Container[str] = ()) -> dict[str, Plain]:
        """Plain data of a dataclass: its fields without those that have their defaults."""
        kind: Hint = type(value)
        return {
            field.name: self.dump(getattr(value, field.name), inner)
            for field, inner in fields(kind)
            if field.name not in leaving_out and getattr(value, field.name) != _default(field)
        }

    def load(self, plain: object, hint: type[T]) -> T:
        """The value of the type ``hint`` that :meth:`dump` has written as ``plain``.

        Raises:
            BadSnapshot: it is not such a value.
        """
        try:
            return cast("T", self._load(plain, hint))
        except (AttributeError, LookupError, TypeError, ValueError) as error:
            raise BadSnapshot(
                f"{str(plain)[:80]!r} is no {hint!r} of a snapshot: {error}"
            ) from error

    def _load(self, plain: object, hint: Hint) -> object:
        kind, args = _form(hint)
        match kind:
            case _ if kind in self._special:
                return self._special[kind][1](plain)
            case _ if kind in _SIMPLE:
                return _checked(plain, kind)
            case _ if kind is UnionType:
                return None if plain is None else self._load(plain, _but_none(args))
            case _ if kind is Card:
                return parse_card(str(plain))
            case _ if kind is Command:
                return read_open(str(plain))
            case _ if _is_enum(kind):
                return kind(plain)
            case _ if kind is Input:
                what, value = _items(plain)
                return Input(str(what), self.load(value, _input_hint(what)))
            case _ if kind is Loose:
                return Loose(*self.load(plain, LOOSE))
            case _ if kind is tuple:
                return tuple(self._load(item, inner) for item, inner in _typed(plain, args))
            case _ if kind in _SEQUENCES:
                return kind(self._load(item, args[0]) for item in _items(plain))
            case _ if kind in _MAPPINGS:
                key, inner = args if len(args) == 2 else (args[0], int)
                written = (_items(pair) for pair in _items(plain))
                pairs = {self._load(k, key): self._load(item, inner) for k, item in written}
                return Counter(pairs) if kind is Counter else pairs
            case _ if _is_step(kind):
                return _checked_step(step_of(read_open(str(plain))), kind)
            case _ if dataclasses.is_dataclass(kind) and isinstance(plain, Mapping):
                return self.build(hint, plain)
        raise BadSnapshot(f"a snapshot cannot hold {hint!r}")

    def build(self, kind: Callable[..., T], plain: JsonObject, **given: object) -> T:
        """The dataclass whose fields are written in ``plain``, or ``given``."""
        types = {field.name: inner for field, inner in fields(kind)}
        read = {name: self._load(item, types[name]) for name, item in plain.items()}
        return kind(**given, **read)

    def _pairs(
        self, value: object, kind: type[dict[Hint, Hint]], args: tuple[Hint, ...]
    ) -> list[Plain]:
        if not isinstance(value, kind):
            raise BadSnapshot(f"{value!r} is no {kind.__name__}")
        key, inner = args if len(args) == 2 else (args[0], int)
        return [[self.dump(k, key), self.dump(item, inner)] for k, item in value.items()]


PLAIN: Final = Codec({})
"""For values without special types."""


@cache
def fields(kind: Hint) -> tuple[tuple[dataclasses.Field[object], Hint], ...]:
    """The fields that a dataclass can be given, with their types."""
    hints = get_type_hints(kind)
    return tuple((field, hints[field.name]) for field in dataclasses.fields(kind) if field.init)


@cache
def _form(hint: Hint) -> tuple[Hint, tuple[Hint, ...]]:
    """The origin and the arguments of a type."""
    if hint is None:
        return NoneType, ()
    origin: Hint = get_origin(hint)
    return origin or hint, get_args(hint)


def _is_enum(kind: Hint) -> bool:
    return isinstance(kind, type) and issubclass(kind, StrEnum)


def _is_step(kind: Hint) -> bool:
    return isinstance(kind, type) and issubclass(kind, Step)


def _checked_step(step: Step, kind: type[Step]) -> Step:
    if not isinstance(step, kind):
        raise BadSnapshot(f"{step} is no {kind.__name__}")
    return step


def _but_none(args: tuple[Hint, ...]) -> Hint:
    others = [arg for arg in args if arg is not NoneType]
    if len(others) != 1:
        raise BadSnapshot(f"a snapshot cannot hold one of {args!r}")
    return others[0]


def _input_hint(what: object) -> Hint:
    if what not in GIVEN:
        raise BadSnapshot(f"a round is given no {what!r}")
    return GIVEN[str(what)]


def _typed(values: object, args: tuple[Hint, ...]) -> list[tuple[object, Hint]]:
    """The items of a tuple with their types."""
    if len(args) == 2 and args[1] is ...:
        return [(value, args[0]) for value in _items(values)]
    return list(zip(_items(values), args, strict=True))


def _items(values: object) -> Iterable[object]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise BadSnapshot(f"{values!r} is no list")
    return values


def _checked(value: object, kind: type) -> Plain:
    if type(value) is kind and isinstance(value, _SIMPLE):
        return value
    raise BadSnapshot(f"{value!r} is no {kind.__name__}")


def _default(field: dataclasses.Field[object]) -> object:
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default
