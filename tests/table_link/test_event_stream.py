"""Which events are new (section 4): each bullet, and what the protocol leaves open."""

from __future__ import annotations

import pytest

from drivers.table_link.event_stream import EventHandling, EventStream
from drivers.table_link.timing import EVENT_WINDOW


def stream(stored: int = 10) -> EventStream:
    """Session 5, the events up to ``stored`` on disk."""
    return EventStream((5, stored))


def test_events_are_taken_in_order_and_once() -> None:
    events = stream()
    assert not events.greeted(5, 11, 12)
    assert [events.judge_event(number) for number in (12, 11, 11, 12, 10)] == [
        EventHandling.GAP,
        EventHandling.NEW,
        EventHandling.BEING_STORED,
        EventHandling.NEW,
        EventHandling.STORED,
    ]
    assert events.acknowledge(5, 11)
    assert events.stored == (5, 11)
    assert events.judge_event(11) is EventHandling.STORED
    assert events.judge_event(12) is EventHandling.BEING_STORED


def test_no_more_than_eight_are_taken_that_wait_for_their_acknowledgement() -> None:
    events = stream()
    events.greeted(5, 11, 99)
    taken = [events.judge_event(number) for number in range(11, 20)]
    assert taken == [*[EventHandling.NEW] * EVENT_WINDOW, EventHandling.TOO_MANY]
    assert events.judge_event(19) is EventHandling.TOO_MANY
    assert events.judge_event(20) is EventHandling.GAP
    assert events.acknowledge(5, 11)
    assert events.judge_event(19) is EventHandling.NEW
    assert events.judge_event(20) is EventHandling.TOO_MANY


@pytest.mark.parametrize(("oldest", "last"), [(0, 10), (11, 12), (11, 11), (8, 12), (10, 10)])
def test_a_session_goes_on(oldest: int, last: int) -> None:
    events = stream()
    assert not events.greeted(5, oldest, last)
    assert events.received == 10


@pytest.mark.parametrize(
    ("oldest", "last", "expected"),
    [
        (0, 9, 10),  # the last event is lower than what is stored
        (3, 9, 3),
        (12, 15, 12),  # the oldest is above stored + 1
        (0, 11, 12),  # none is left, yet there were more than are stored
    ],
)
def test_lost_or_renumbered_events_make_a_new_session(
    oldest: int, last: int, expected: int
) -> None:
    events = stream()
    assert events.greeted(5, oldest, last)
    assert events.judge_event(expected) is EventHandling.NEW
    assert events.acknowledge(5, expected)
    assert events.stored == (5, expected)


@pytest.mark.parametrize(
    ("oldest", "last", "expected"), [(0, 0, 1), (1, 4, 1), (3, 4, 3), (0, 7, 8)]
)
def test_an_unknown_session_starts_at_its_oldest(oldest: int, last: int, expected: int) -> None:
    events = stream()
    assert events.greeted(6, oldest, last)
    assert events.stored == (5, 10)  # what HELLO carries until something of it is stored
    assert events.judge_event(expected) is EventHandling.NEW


def test_the_end_of_the_old_session_may_be_stored_late() -> None:
    events = stream()
    events.judge_event(11)
    events.greeted(6, 1, 1)
    events.judge_event(1)
    assert not events.acknowledge(5, 11)
    assert events.stored == (5, 11)
    assert events.acknowledge(6, 1)
    assert not events.acknowledge(5, 12)
    assert events.stored == (6, 1)


def test_a_session_of_which_nothing_is_stored_goes_on_after_an_interruption() -> None:
    events = stream()
    events.greeted(6, 1, 2)
    events.judge_event(1)
    assert not events.greeted(6, 1, 2)
    assert events.judge_event(1) is EventHandling.BEING_STORED
    assert events.judge_event(2) is EventHandling.NEW


def test_numbers_below_what_was_received_are_new_events() -> None:
    events = stream()
    events.judge_event(11)
    events.judge_event(12)
    assert events.greeted(5, 11, 11)


def test_renumbered_events_wait_for_those_being_stored() -> None:
    events = stream()
    events.judge_event(11)
    events.judge_event(12)
    assert events.greeted(5, 9, 11)
    assert events.judge_event(9) is EventHandling.BEING_STORED
    assert not events.acknowledge(5, 11)
    assert events.judge_event(9) is EventHandling.BEING_STORED
    assert not events.acknowledge(5, 12)
    assert events.stored == (5, 8)
    assert events.judge_event(9) is EventHandling.NEW
    assert events.acknowledge(5, 9)


def test_what_was_not_received_cannot_be_acknowledged() -> None:
    events = stream()
    events.judge_event(11)
    assert not events.acknowledge(5, 12)
    assert not events.acknowledge(5, 10)
    assert events.stored == (5, 10)


def test_a_session_that_comes_back_anew_waits_for_what_is_being_stored_of_it() -> None:
    """Found by fuzzing: A, B, A renumbered, all while an event of the first A was being stored: its
    acknowledgement went to the event that bears its number now."""
    events = stream()
    events.judge_event(11)
    events.judge_event(12)
    assert events.greeted(6, 1, 2)
    assert events.judge_event(1) is EventHandling.NEW
    assert events.greeted(5, 11, 14)
    assert events.judge_event(11) is EventHandling.BEING_STORED
    assert not events.acknowledge(5, 11)
    assert events.judge_event(11) is EventHandling.BEING_STORED
    assert not events.acknowledge(5, 12)
    assert events.judge_event(11) is EventHandling.NEW
    assert not events.acknowledge(6, 1)
    assert events.acknowledge(5, 11)
