"""What the live table is given is what the journal gives back, spelled through JSON or not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.journal.canonical import canonical, decode
from controller.journal.errors import BadDraft
from controller.replay.records import as_stored
from controller.table.events import Event

VALUES = st.one_of(
    st.integers(), st.booleans(), st.text(max_size=5), st.lists(st.integers(), max_size=3)
)


@given(st.dictionaries(st.text(max_size=5), VALUES | st.integers()), st.none() | st.integers(1))
def test_an_event_is_as_the_journal_gives_it_back(
    body: dict[str, object], event_no: int | None
) -> None:
    event = Event("CARD", body, "shoe", 7, event_no)
    stored = as_stored(event)
    assert list(map(repr, stored.body.items())) == list(map(repr, decode(canonical(body)).items()))
    assert (stored.type, stored.device, stored.session) == ("CARD", "shoe", 7)
    assert (stored.event_no, stored.offer) == (event_no, None)


@pytest.mark.parametrize("body", [{"rank": 1.5}, {"rank": "\ud800"}, {"rank": object()}])
def test_what_cannot_be_stored_is_refused(body: dict[str, object]) -> None:
    with pytest.raises(BadDraft):
        as_stored(Event("CARD", body, "shoe", 7, 1))
