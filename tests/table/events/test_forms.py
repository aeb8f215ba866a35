"""What becomes of an event in a journal, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from types import NoneType, UnionType
from typing import Any, Final, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from controller.forms.json_values import WrongForm
from controller.journal.canonical import canonical, decode
from controller.journal.errors import BadDraft
from controller.replay.replay import as_stored
from controller.table.events.event import Event
from controller.table.events.of_controller import ControllerStopped
from controller.table.events.of_devices import CuttingCardCame, KeyPressed, OtherReported
from controller.table.events.reading import AFTER, OTHERS, REPORTS, body_of, columns_of, read_event

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


CARD: dict[str, Any] = {"rank": 1, "suit": 2, "flags": 0}


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
@settings(max_examples=settings().max_examples * 3 // 10)
@given(data=st.data())
def test_what_is_written_is_read_as_it_was(kind: type[Event], data: st.DataObject) -> None:
    event = data.draw(events_of(kind))
    body = decode(canonical(body_of(event)))
    read = read_event(event.type, {**body, AFTER: {"state": "idle"}}, **columns_of(event))
    assert read == event
    assert type(read) is kind
    assert canonical(body_of(read)) == canonical(body)


def test_an_explicit_null_is_what_is_missing() -> None:
    """Where a field may be null and is always written."""
    said = read_event("supervisor", {"command": "void", "user": "sue"})
    assert body_of(said) == {"command": "void", "user": "sue", "by": None, "why": None}


def test_what_a_device_calls_as_the_controller_does_is_not_the_controllers() -> None:
    for called in ("stop", "SOMETHING_NEW"):
        event = read_event(called, {"value": 1}, "shoe", 7, 1)
        assert event == OtherReported(
            device="shoe", session=7, event_no=1, called=called, more={"value": 1}
        )
        assert event.type == called


@pytest.mark.parametrize(
    ("type_", "body", "says"),
    [
        ("stop-it", {}, "no table knows an event of type 'stop-it'"),
        ("CARD", CARD, "no table knows an event of type 'CARD'"),
        ("dealer", {"user": "ida"}, "command is missing"),
        ("dealer", {"command": 7}, "command = 7: expected text"),
        ("dealer", {"command": "open", "uid": "0"}, 'uid = "0": expected a whole number'),
        ("link", {"up": False, "reason": ""}, "device is missing"),
        ("overdue", {"offer": True}, "offer = true: expected a whole number"),
        ("draw", {"multiplier": 25}, "offer is missing"),
        ("readiness", {"ready": 1, "checks": [], "counted": {}, "at": ""}, "ready = 1"),
        ("condition", {"fault": "x", "present": None, "detail": ""}, "present = null"),
    ],
)
def test_what_is_of_another_form_says_what_is_wrong(
    type_: str, body: dict[str, Any], says: str
) -> None:
    with pytest.raises(ValueError, match=says):
        read_event(type_, body)


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"rank": None}, "rank = null: expected a whole number"),
        ({"flags": True}, "flags = true: expected a whole number"),
        ({"remaining": "9"}, 'remaining = "9": expected a whole number'),
    ],
)
def test_a_card_is_numbers(changed: dict[str, object], says: str) -> None:
    with pytest.raises(WrongForm, match=says):
        read_event("CARD", {**CARD, **changed}, "shoe", 7, 1)


@pytest.mark.parametrize(
    ("type_", "body"),
    [
        ("CARD", {**CARD, "card_uid": "E004-0150"}),
        ("CUTTING_CARD", {"remaining": "about 60"}),
        ("SHUFFLER_STATE", {"state": 1, "set": 1, "count": "", "progress": "half"}),
        ("SHUFFLE_DONE", {"set": 1, "count": "384", "result": 0}),
        ("STUCK", {"held_ms": [3, 0]}),
    ],
)
def test_what_play_does_not_need_is_stored_as_a_driver_says_it(
    type_: str, body: dict[str, Any]
) -> None:
    """A report that cannot be read stops the table, and comes again after each start."""
    assert body_of(read_event(type_, body, "shoe", 7, 1)) == body


# What the live table is given is what the journal gives back, spelled through JSON or not --------


def given_back(event: Event) -> Event:
    """What a journal gives back for that event."""
    return read_event(event.type, decode(canonical(body_of(event))), **columns_of(event))


@given(events())
def test_an_event_is_as_the_journal_gives_it_back(event: Event) -> None:
    stored = as_stored(event)
    assert stored == given_back(event)
    assert list(map(repr, body_of(stored))) == list(map(repr, body_of(given_back(event))))
    assert canonical(body_of(stored)) == canonical(body_of(event))


@pytest.mark.parametrize(
    "event",
    [
        KeyPressed(device="keypad", session=1, event_no=1, key="\ud800", supervisor=0),
        ControllerStopped(more={"rank": 1.5}),
        CuttingCardCame(device="shoe", session=1, event_no=1, more={"rank": object()}),
    ],
)
def test_what_cannot_be_stored_is_refused(event: Event) -> None:
    with pytest.raises(BadDraft):
        as_stored(event)
