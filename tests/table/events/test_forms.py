"""What becomes of an event in a journal, and back."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.forms.json_values import WrongForm
from controller.journal.canonical import canonical, decode
from controller.table.events.event import Event
from controller.table.events.of_devices import OtherReported
from controller.table.events.reading import AFTER, body_of, columns_of, read_event
from tests.table.events.made import CLASSES, events_of

CARD: dict[str, Any] = {"rank": 1, "suit": 2, "flags": 0}


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
@settings(max_examples=max(5, settings().max_examples // 4))
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
