"""What the live table is given is what the journal gives back, spelled through JSON or not."""

from __future__ import annotations

import pytest
from hypothesis import given

from controller.journal.canonical import canonical, decode
from controller.journal.errors import BadDraft
from controller.replay.replay import as_stored
from controller.table.events.event import Event
from controller.table.events.of_controller import ControllerStopped
from controller.table.events.of_devices import CuttingCardCame, KeyPressed
from controller.table.events.reading import body_of, columns_of, read_event
from tests.table.events.made import events


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
