"""The device's side of events: kept until stored, eight in flight, sessions (section 4)."""

from __future__ import annotations

import pytest

from drivers.table_link.link_events import Memory
from tests.table_link.benches import SESSION, DeviceBench


def greeted() -> DeviceBench:
    bench = DeviceBench()
    bench.hello()
    return bench


def test_no_event_before_hello() -> None:
    bench = DeviceBench()
    bench.cards(2)
    bench.acknowledge(1)  # ignored
    assert bench.sent() == []
    answer = bench.hello()
    assert (answer.fields["oldest_unacked"], answer.fields["last_event"]) == (1, 2)
    assert [event.fields["event_no"] for event in bench.following] == [1, 2]


def test_an_event_is_sent_at_once_with_its_time() -> None:
    bench = greeted()
    bench.now += 1.5
    assert bench.card() == 1
    (event,) = bench.sent()
    assert (event.name, event.id) == ("CUTTING_CARD", 0)
    assert event.fields == {"event_no": 1, "t_ms": 1500, "remaining": 96}


def test_at_most_eight_are_in_flight_and_each_goes_once() -> None:
    bench = greeted()
    bench.cards(11)
    assert bench.event_numbers() == [1, 2, 3, 4, 5, 6, 7, 8]
    bench.acknowledge(2)
    assert bench.event_numbers() == [9, 10]
    bench.acknowledge(10)
    assert bench.event_numbers() == [11]


def test_those_in_flight_go_again_after_200_ms_without_progress() -> None:
    bench = greeted()
    bench.cards(2)
    bench.sent()
    bench.wait(0.1)
    bench.card()
    bench.sent()
    again = bench.wait(0.4)
    assert [(at, event.fields["event_no"]) for at, event in again] == [
        (0.1, 1),
        (0.1, 2),
        (0.1, 3),
        (0.3, 1),
        (0.3, 2),
        (0.3, 3),
    ]


def test_progress_is_an_acknowledgement_of_something_new() -> None:
    bench = greeted()
    bench.cards(3)
    bench.sent()
    bench.wait(0.15)
    bench.acknowledge(1)
    assert bench.wait(0.15) == []
    bench.acknowledge(1)  # nothing new
    assert [(at, event.fields["event_no"]) for at, event in bench.wait(0.1)] == [
        (0.05, 2),
        (0.05, 3),
    ]
    bench.acknowledge(3)
    assert bench.wait(1.0) == []


def test_the_200_ms_of_an_event_made_later_run_from_its_sending() -> None:
    bench = greeted()
    bench.card()
    bench.wait(0.15)
    bench.acknowledge(1)
    bench.wait(0.15)
    bench.sent()
    bench.card()
    bench.sent()
    assert [at for at, _ in bench.wait(0.3)] == [0.2]


@pytest.mark.parametrize(("event_no", "session"), [(3, SESSION), (1, SESSION + 1), (0, SESSION)])
def test_foreign_and_impossible_acknowledgements_are_ignored(event_no: int, session: int) -> None:
    bench = greeted()
    bench.cards(2)
    bench.acknowledge(event_no, session)
    assert len(bench.session.memory().events) == 2


def test_hello_drops_what_is_stored_and_the_rest_is_sent() -> None:
    bench = greeted()
    bench.cards(12)
    answer = bench.hello(SESSION, 10)
    assert (answer.fields["oldest_unacked"], answer.fields["last_event"]) == (11, 12)
    assert [event.fields["event_no"] for event in bench.following] == [11, 12]
    answer = bench.hello(SESSION, 12)
    assert (answer.fields["oldest_unacked"], answer.fields["last_event"]) == (0, 12)


def test_hello_sends_those_in_flight_again_at_once() -> None:
    bench = greeted()
    bench.cards(10)
    bench.hello(SESSION, 1)
    assert [event.fields["event_no"] for event in bench.following] == list(range(2, 10))


@pytest.mark.parametrize(("session", "event_no"), [(0, 0), (SESSION + 1, 2), (SESSION, 4)])
def test_hello_of_another_session_or_of_unknown_numbers_drops_nothing(
    session: int, event_no: int
) -> None:
    bench = greeted()
    bench.cards(3)
    assert bench.hello(session, event_no).fields["oldest_unacked"] == 1


def test_a_session_begins_with_the_present_state() -> None:
    state = [("SHOE_STATE", {"state": 1, "remaining": 416})]
    bench = DeviceBench(state=state)
    assert bench.session.last_event == 1
    bench.hello()
    assert [event.name for event in bench.following] == ["SHOE_STATE"]
    bench.cards(3)
    bench.session.new_session(77, bench.now)
    assert (bench.session.session_id, bench.session.last_event) == (77, 1)


def test_a_new_session_without_a_restart_is_silent_until_hello() -> None:
    bench = greeted()
    bench.card()
    bench.sent()
    bench.session.new_session(77, bench.now)
    bench.card()
    bench.wait(0.5)
    bench.give("PING", 9)
    (nak,) = bench.sent()
    assert nak.fields == {"code": 6, "refused": 2}
    answer = bench.hello(SESSION, 1)
    assert answer.fields["session_id"] == 77
    assert [event.fields["event_no"] for event in bench.following] == [1]


@pytest.mark.parametrize("session_id", [0, SESSION, 1 << 32])
def test_a_new_session_has_an_id_of_its_own(session_id: int) -> None:
    with pytest.raises(ValueError, match="session id"):
        greeted().session.new_session(session_id, 0.0)


def test_the_memory_survives_a_restart() -> None:
    bench = greeted()
    bench.cards(12)
    bench.acknowledge(2)
    restarted = DeviceBench(memory=bench.session.memory(), state=[("SHOE_STATE", {})])
    answer = restarted.hello(SESSION, 3)
    assert answer.fields["session_id"] == SESSION
    assert (answer.fields["oldest_unacked"], answer.fields["last_event"]) == (4, 12)
    assert [event.fields["event_no"] for event in restarted.following] == list(range(4, 12))
    assert restarted.card() == 13


def test_the_last_number_ends_the_session() -> None:
    bench = DeviceBench(memory=Memory(SESSION, 0xFFFFFFFE, ()))
    bench.hello()
    assert bench.card() == 0xFFFFFFFF
    assert bench.card() == 1
    assert bench.session.session_id != SESSION
    assert not bench.session.greeted


def test_faults_are_told_when_they_change() -> None:
    bench = greeted()
    for faults in (0, 4, 4, 0):
        bench.session.set_faults(faults, bench.now)
    assert [event.fields["faults"] for event in bench.sent()] == [4, 0]
    assert bench.session.faults == 0


@pytest.mark.parametrize("name", ["PRESS", "GATE", "NONSENSE"])
def test_a_device_makes_its_own_events_only(name: str) -> None:
    with pytest.raises(ValueError, match=f"a shoe makes no event {name}"):
        greeted().session.event(name, {}, 0.0)


def test_times_wrap_after_49_days() -> None:
    bench = greeted()
    bench.now += 2**32 / 1000 + 5
    bench.card()
    assert bench.sent()[0].fields["t_ms"] == 5000
