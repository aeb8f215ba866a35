"""Plain values read by their form, which is a type.

The rules:

- A form is a plain type, a ``Literal``, a ``TypedDict``, a dataclass, or a
  list, tuple, mapping or union of these; ``Annotated`` says with :mod:`.expected` what more is
  expected, and in which words.
- Of a ``TypedDict`` other keys than its own are another version's, and kept; a dataclass has none.
- A field of a dataclass that may be null and has no default is null where it is left out.
- A number is no ``bool``, and a whole one no ``float``. A list may be a tuple.
- All faults are found, each with its place. What needs no change is given as it came.
- A form's reader is made once: this is called for every entry of a journal.
"""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import cycle
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal

from controller.forms.expected import Expected, Form, FormField, Usual, fields_reader
from controller.forms.faults import AN_OBJECT, Wrong, among, key_text, not_among

_WORDS: Final[Mapping[object, str]] = {
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    str: "text",
    NoneType: "null",
}


OwnForm = Callable[[Any], Form | None]
"""Gives the form of a type where it is written in another way than JSON has it; else None."""

_ANYTHING: Final = Form(lambda value, context: value, "anything")


@cache
def form_of(hint: Any, own_form: OwnForm | None = None) -> Form:
    """The form that a type says, but for types that have a form of their own."""
    if own_form and (own := own_form(hint)):
        return own
    kind, inner = typing.get_origin(hint), typing.get_args(hint)
    if kind is Annotated:
        expected = next((one for one in inner[1:] if isinstance(one, Expected)), None)
        return form_of(inner[0]) if expected is None else expecting(inner[0], expected)
    if typing.is_typeddict(hint):
        return _object(hint)
    if dataclasses.is_dataclass(kind or hint):
        return _record(hint, own_form)
    if kind in (list, tuple):
        row = kind is tuple and inner[-1] is not ...
        return _list([form_of(one, own_form) for one in inner if one is not ...], kind, row=row)
    if kind in (dict, Mapping):
        return _mapping(form_of(inner[1]))
    if kind in (UnionType, typing.Union):
        return _union(inner, own_form)
    if kind is Literal:
        return _one_of(inner)
    if hint is object:
        return _ANYTHING
    return _plain(hint)


def fields_of(kind: Any, own_form: OwnForm | None = None) -> list[FormField]:
    """The fields of a dataclass or a ``TypedDict``."""
    hints = typing.get_type_hints(kind, include_extras=True)
    if typing.is_typeddict(kind):
        # Of annotations that are texts ``__required_keys__`` knows nothing.
        free = {name for name, one in hints.items() if typing.get_origin(one) is typing.NotRequired}
        return [
            FormField(name, form_of(_bare(hint)), hint, name in kind.__required_keys__ - free)
            for name, hint in hints.items()
        ]
    return [_field(one, hints[one.name], own_form) for one in dataclasses.fields(kind) if one.init]


def _field(one: dataclasses.Field[Any], hint: Any, own_form: OwnForm | None) -> FormField:
    if about := one.metadata.get("expected"):
        hint = Annotated[hint, about]
    said = typing.get_args(hint)
    plain = typing.get_args(said[0]) if typing.get_origin(hint) is Annotated else said
    usual = next((other for other in said if isinstance(other, Usual)), None)
    required = one.default is one.default_factory is dataclasses.MISSING
    if required and usual is None and NoneType in plain:
        usual = Usual(None)
    return FormField(one.name, form_of(hint, own_form), hint, required and usual is None, usual)


def _bare(hint: Any) -> Any:
    wrapped = typing.get_origin(hint) in (typing.NotRequired, typing.Required)
    return typing.get_args(hint)[0] if wrapped else hint


def _plain(kind: type) -> Form:
    words = _WORDS.get(kind, kind.__name__)
    kinds = (float, int) if kind is float else (kind,)

    def read_value(value: object, context: Any) -> object:
        return value if type(value) in kinds else Wrong.value(value, f"expected {words}")

    return Form(read_value, words, plain=kind)


def _one_of(values: tuple[Any, ...]) -> Form:
    kinds = {type(one) for one in values}

    def read_value(value: object, context: Any) -> object:
        if type(value) in kinds and value in values:
            return value
        return Wrong.value(value, not_among(value, values))

    return Form(read_value, among(values))


def _list(forms: list[Form], make: type, *, row: bool = False) -> Form:
    """A list of values of one form; ``row``: of as many values, each of its own."""
    same = make is list and forms[0].same
    words = f"a list of {len(forms)} values" if row else "a list"

    def read_value(value: object, context: Any) -> object:
        if not isinstance(value, list | tuple) or (row and len(value) != len(forms)):
            return Wrong.value(value, f"expected {words}")
        found = [
            one if type(one) is form.plain else form.read(one, context)
            for form, one in zip(cycle(forms), value, strict=False)
        ]
        if Wrong in map(type, found):
            return _wrong_in((f"[{n}]", one) for n, one in enumerate(found))
        return value if same else make(found)

    return Form(read_value, words, same)


def _mapping(item: Form) -> Form:
    def read_value(value: object, context: Any) -> object:
        if type(value) is not dict and not isinstance(value, Mapping):
            return Wrong.value(value, f"expected {AN_OBJECT}")
        if item is _ANYTHING:
            return value
        found = {key: item.read(one, context) for key, one in value.items()}
        if Wrong in map(type, found.values()):
            return _wrong_in((f".{key_text(str(key))}", one) for key, one in found.items())
        return value if item.same else found

    return Form(read_value, AN_OBJECT, item.same)


def _wrong_in(found: Iterable[tuple[str, object]]) -> Wrong:
    """The faults of values, each with its place."""
    return Wrong(f for place, one in found if isinstance(one, Wrong) for f in one.behind(place))


def _object(kind: Any) -> Form:
    fields = fields_of(kind)
    same = all(field.form.same for field in fields)
    reading = [(one.name, one.form.plain, one.form.read, one.is_required) for one in fields]

    def read_value(value: object, context: Any) -> object:
        if type(value) is not dict and not isinstance(value, Mapping):
            return Wrong.value(value, f"expected {AN_OBJECT}")
        wrong: list[tuple[str, str]] = []
        changed: dict[str, object] = {}
        for name, plain, field, required in reading:
            if name in value:
                given = value[name]
                if type(given) is plain or (one := field(given, context)) is given:
                    continue
                if type(one) is Wrong:
                    wrong += one.behind(f".{name}")
                else:
                    changed[name] = one
            elif required:
                wrong.append((f".{name}", " is missing"))
        if wrong:
            return Wrong(wrong)
        return value if same else {**value, **changed}

    return Form(read_value, AN_OBJECT, same)


def _record(kind: Any, own_form: OwnForm | None) -> Form:
    """A dataclass."""
    read_fields = fields_reader(fields_of(kind, own_form))

    def read_value(value: object, context: Any) -> object:
        if not isinstance(value, Mapping):
            return Wrong.value(value, f"expected {AN_OBJECT}")
        found = read_fields(value, context)
        return found if type(found) is Wrong else kind(**found)

    return Form(read_value, AN_OBJECT, same=False)


def _union(kinds: tuple[Any, ...], own_form: OwnForm | None) -> Form:
    forms = [form_of(kind, own_form) for kind in kinds]
    by_type = {
        accepted: form.read
        for kind, form in zip(kinds[::-1], forms[::-1], strict=True)
        for accepted in _accepted(kind)
    }

    def read_value(value: object, context: Any) -> object:
        return by_type.get(type(value), forms[0].read)(value, context)

    words = " or ".join(form.words for form in forms)
    plain = next((form.plain for form in forms if form.plain not in (None, NoneType)), None)
    return Form(read_value, words, all(form.same for form in forms), plain)


def _accepted(kind: Any) -> tuple[type, ...]:
    """The types of the values that a form may read, as far as its type says so: what none of a
    union accepts is read by the first."""
    origin = typing.get_origin(kind)
    if kind is float:
        return float, int
    if origin in (list, tuple):
        return list, tuple
    plain = kind in _WORDS or not isinstance(origin or kind, type)
    return (kind,) if plain else (kind, dict)


def expecting(hint: Any, expected: Expected) -> Form:
    """The form of a type of which more is expected."""
    if own := expected.own_form(hint):
        return typing.cast("Form", own)
    given = form_of(expected.GIVEN or hint)
    null, words = NoneType in typing.get_args(hint), expected.words

    def read_value(value: object, context: Any) -> object:
        if value is None and null:
            return None
        one = given.read(value, context)
        if type(one) is Wrong and one.faults[0][0]:
            return one
        try:
            if type(one) is Wrong:
                raise ValueError(f"expected {words}{expected.MEND}")
            return expected.judged(one, context)
        except ValueError as error:
            why = str(error)
        return Wrong([("", f": {why}")]) if expected.HIDDEN else Wrong.value(value, why)

    return Form(read_value, words, same=False)
