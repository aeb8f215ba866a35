"""The controller's side of events: once, in order, acknowledged when stored (section 4)."""

from __future__ import annotations

import pytest

from drivers.table_link.controller_events import Received, Up
from drivers.table_link.layout import Value
from drivers.table_link.messages import EVENTS, encode, seal
from tests.table_link.controller_bench import SESSION, Bench

ACK = "EVENT_ACK"


def received(event_no: int) -> Received:
    return Received(SESSION, event_no, 7, "CUTTING_CARD", {"remaining": 96})


def test_an_event_is_acknowledged_only_when_it_is_stored() -> None:
    bench = Bench()
    bench.up()
    bench.card(1)
    assert bench.events() == [received(1)]
    assert bench.sent() == []
    bench.session.acknowledge(SESSION, 1)
    (ack,) = bench.sent()
    assert (ack.name, ack.id) == (ACK, 0)
    assert ack.fields == {"session_id": SESSION, "event_no": 1}


def test_an_acknowledgement_does_not_wait_for_a_command() -> None:
    bench = Bench()
    bench.up()
    bench.session.command("GATE", {"unlocked": 0, "cards": 0}, bench.now)
    bench.card(1)
    bench.session.acknowledge(SESSION, 1)
    assert bench.names() == ["GATE", ACK]


def test_repeated_events() -> None:
    bench = Bench()
    bench.up()
    bench.card(1)
    bench.card(2)
    bench.card(2)  # not yet stored: no word
    bench.card(4)  # leaves a gap: no word
    assert bench.events() == [received(1), received(2)]
    assert bench.sent() == []
    bench.session.acknowledge(SESSION, 2)
    assert bench.names() == [ACK]
    bench.card(1)  # stored: acknowledged again, up to the last that is stored
    (ack,) = bench.sent()
    assert ack.fields == {"session_id": SESSION, "event_no": 2}
    assert bench.events() == []
    statistics = bench.session.statistics
    assert (statistics["event_gap"], statistics["event_again"]) == (1, 2)


def test_events_before_the_answer_to_the_latest_hello_are_dropped() -> None:
    bench = Bench()
    bench.session.opened(bench.now)
    bench.card(1)
    bench.greet(100, oldest_unacked=1, last_event=1)
    (up,) = bench.events()
    assert isinstance(up, Up)
    bench.wait(1.15)  # the link goes down, HELLO is asked anew
    bench.card(1)
    assert not [event for event in bench.events() if isinstance(event, Received)]
    assert bench.session.statistics["event_before_hello"] == 2


def test_events_come_again_after_an_interruption_and_are_told_apart() -> None:
    bench = Bench()
    bench.up()
    bench.card(1)
    bench.card(2)
    bench.session.acknowledge(SESSION, 1)
    bench.session.closed(bench.now, "unplugged")
    bench.events()
    up = bench.up(oldest_unacked=2, last_event=3)
    assert not up.new_session
    assert not up.first
    bench.card(2)
    bench.card(3)
    assert bench.events() == [received(3)]
    assert bench.sent() == []


@pytest.mark.parametrize(
    ("session", "oldest", "last", "new"),
    [
        (SESSION, 0, 10, False),
        (SESSION, 11, 20, False),
        (SESSION, 0, 9, True),
        (SESSION, 12, 20, True),
        (SESSION, 0, 11, True),
        (SESSION + 1, 1, 1, True),
        (SESSION + 1, 0, 0, True),
    ],
)
def test_a_new_session_is_told(session: int, oldest: int, last: int, new: bool) -> None:
    bench = Bench(resume=(SESSION, 10))
    up = bench.up(session_id=session, oldest_unacked=oldest, last_event=last)
    assert up.new_session is new
    assert not up.first


def test_foreign_unknown_and_short_events_are_dropped() -> None:
    bench = Bench()
    bench.up()
    press: dict[str, Value] = {"event_no": 1, "t_ms": 0, "offer_id": 7}
    bench.session.receive(encode(EVENTS["PRESS"].type, 0, press), bench.now)
    bench.session.receive(seal(0x7E, 0, bytes(8)), bench.now)
    bench.session.receive(seal(EVENTS["CARD"].type, 0, bytes(8)), bench.now)
    assert bench.events() == []
    statistics = bench.session.statistics
    assert statistics["foreign_event"] == 1
    assert statistics["unknown_type"] == 1
    assert statistics["bad_length"] == 1


def test_fault_is_an_event_of_every_device() -> None:
    bench = Bench()
    bench.up()
    fields: dict[str, Value] = {"event_no": 1, "t_ms": 9, "faults": 68}
    bench.session.receive(encode(EVENTS["FAULT"].type, 0, fields), bench.now)
    assert bench.events() == [Received(SESSION, 1, 9, "FAULT", {"faults": 68})]
