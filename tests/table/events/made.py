"""Events of every class, with whatever their fields may hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from types import NoneType, UnionType
from typing import Any, Final, get_args, get_origin, get_type_hints

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from controller.table.events.event import Event
from controller.table.events.of_devices import OtherReported
from controller.table.events.reading import OTHERS, REPORTS

CLASSES: Final[tuple[type[Event], ...]] = (*OTHERS, *REPORTS, OtherReported)
NAMES = st.text("abcxyz_", min_size=1, max_size=8)
TEXT = st.text(st.characters(codec="utf-8"), max_size=12)
NUMBERS = st.integers(-(2**63), 2**63 - 1)
PLAIN: SearchStrategy[Any] = st.none() | st.booleans() | NUMBERS | TEXT
VALUES = st.recursive(
    PLAIN, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3)
)
_BY_TYPE: Mapping[object, SearchStrategy[Any]] = {
    int: NUMBERS,
    str: TEXT,
    bool: st.booleans(),
    NoneType: st.none(),
    object: VALUES,
}


def _values(form: Any) -> SearchStrategy[Any]:
    """What a field of that form may hold."""
    if isinstance(form, UnionType):
        return st.one_of([_values(one) for one in get_args(form)])
    if get_origin(form) is tuple:
        return st.lists(_values(get_args(form)[0]), max_size=3).map(tuple)
    if get_origin(form) is not None:
        return st.dictionaries(NAMES, _values(get_args(form)[1]), max_size=3)
    return _BY_TYPE[form]


def events_of(kind: type[Event]) -> SearchStrategy[Event]:
    """Events of a class; what may be left out is in some of them, and so is what no class knows."""
    hints = get_type_hints(kind)
    hints["more"] = Mapping[str, object] | None
    given = {
        one.name: _values(hints[one.name])
        for one in fields(kind)
        if one.default in {MISSING, None} and one.name != "more"
    }
    unknown = NAMES.map(lambda name: f"later_{name}")
    more = st.none() | st.dictionaries(unknown, VALUES, min_size=1, max_size=2)
    return st.builds(kind, more=more, **given)


def events() -> SearchStrategy[Event]:
    """Events of any class."""
    return st.one_of([events_of(kind) for kind in CLASSES])
