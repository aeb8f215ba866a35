"""The fields of a form, and how the keys of an object become their values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from controller.forms.expected import Usual
from controller.forms.faults import Wrong, unknown

Read: TypeAlias = Callable[[object, Any], Any]
"""Gives the value of a plain one, or a :class:`Wrong`. The second argument is handed through to
what is expected: the folder to which paths are relative."""


class Form(NamedTuple):
    """How values are read: ``words`` say what is expected, ``same`` that what is read is the value
    itself, which values of the type ``plain`` are without being read."""

    read: Read
    words: str
    same: bool = True
    plain: type | None = None


class FormField(NamedTuple):
    """A field of a form. Where it may be left out, ``usual`` is the plain value that it has then,
    or None."""

    name: str
    form: Form
    hint: Any
    is_required: bool
    usual: Usual | None = None


def fields_reader(
    fields: Sequence[FormField], *, others: bool = False
) -> Callable[[Mapping[str, Any], Any], Any]:
    """What reads an object's values by the names of the fields, or gives a :class:`Wrong`;
    ``others``: it may have other keys, which are let go."""
    known = {one.name: one for one in fields}
    reading = [(one.name, one.form.plain, one.form.read) for one in fields]

    def read_value(value: Mapping[str, Any], context: Any) -> object:
        wrong: list[tuple[str, str]] = []
        found: dict[str, Any] = {}
        for name, plain, field in reading:
            if name in value:
                one = value[name]
                if type(one) is not plain:
                    one = field(one, context)
                    if type(one) is Wrong:
                        wrong += one.behind(f".{name}")
                        continue
                found[name] = one
            elif usual := known[name].usual:
                found[name] = field(usual.value, context)
            elif known[name].is_required:
                wrong.append((f".{name}", f" is missing: expected {known[name].form.words}"))
        if not others:
            wrong += [("." + unknown(key, known), "") for key in value if key not in known]
        return Wrong(wrong, found) if wrong else found

    return read_value
