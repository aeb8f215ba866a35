"""The controller's side of events: once, in order, acknowledged when stored (section 4)."""

from __future__ import annotations

import pytest

from drivers.api import Value
from drivers.table_link.link_events import Down, Received, Up
from drivers.table_link.messages import EVENTS, encode, seal
from drivers.table_link.pace import GAP_AT_MOST_S, GREETINGS, NAMED_AT_MOST_S
from tests.table_link.benches import SESSION, ControllerBench

ACK = "EVENT_ACK"


def received(event_no: int) -> Received:
    return Received(SESSION, event_no, 7, "CUTTING_CARD", {"remaining": 96})


def test_an_event_is_acknowledged_only_when_it_is_stored() -> None:
    bench = ControllerBench()
    bench.up()
    bench.card(1)
    assert bench.events() == [received(1)]
    assert bench.sent() == []
    bench.session.acknowledge(SESSION, 1)
    (ack,) = bench.sent()
    assert (ack.name, ack.id) == (ACK, 0)
    assert ack.fields == {"session_id": SESSION, "event_no": 1}


def test_an_acknowledgement_does_not_wait_for_a_command() -> None:
    bench = ControllerBench()
    bench.up()
    bench.session.command("GATE", {"unlocked": 0, "cards": 0}, bench.now)
    bench.card(1)
    bench.session.acknowledge(SESSION, 1)
    assert bench.names() == ["GATE", ACK]


def test_repeated_events() -> None:
    bench = ControllerBench()
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
    bench = ControllerBench()
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
    bench = ControllerBench()
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


def test_foreign_unknown_and_short_events_are_dropped() -> None:
    bench = ControllerBench()
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
    bench = ControllerBench()
    bench.up()
    fields: dict[str, Value] = {"event_no": 1, "t_ms": 9, "faults": 68}
    bench.session.receive(encode(EVENTS["FAULT"].type, 0, fields), bench.now)
    assert bench.events() == [Received(SESSION, 1, 9, "FAULT", {"faults": 68})]


def _named_in_vain(bench: ControllerBench) -> tuple[str, int]:
    """The gate is locked, an event is named with that and does not come; as :func:`_until_down`."""
    bench.session.command("GATE", {"unlocked": 0, "cards": 0}, bench.now)
    gate = bench.sent()[-1]
    bench.give("GATE", gate.id, {"last_event": 5})
    return _until_down(bench)


def _until_down(bench: ControllerBench) -> tuple[str, int]:
    """What is said of the link once it is down, and the id of the HELLO that follows; pings are
    answered until then."""
    until, hello = bench.now + 10, 0
    while bench.now < until:
        bench.now = min(bench.session.deadline() or until, until)
        bench.session.poll(bench.now)
        for message in bench.sent():
            if message.name == "PING":
                bench.give(
                    "PING", message.id, {"state": 1, "faults": 0, "uptime_ms": 7, "unacked": 0}
                )
            if message.name == "HELLO":
                hello = message.id
        if downs := bench.downs():
            return downs[0], hello
    return "", 0


def test_an_event_that_is_named_and_does_not_come_is_not_waited_for() -> None:
    """Found in review: a dealer had neither an answer nor a word for 50 s."""
    bench = ControllerBench()
    bench.up()
    begun = bench.now
    said, hello = _named_in_vain(bench)
    assert said == "the card shoe names an event that it does not send"
    assert bench.now - begun == NAMED_AT_MOST_S
    bench.greet(hello, oldest_unacked=1, last_event=5)
    assert [type(event) for event in bench.events()] == [Up]
    said, hello = _until_down(bench)
    assert said == "the card shoe names an event that it does not send"
    bench.greet(hello, oldest_unacked=1, last_event=5)
    assert "switch it off and on" in bench.downs()[0]


def test_a_device_that_sends_what_it_names_is_used_again() -> None:
    bench = ControllerBench()
    bench.up()
    _, hello = _named_in_vain(bench)
    for _ in range(2):
        bench.greet(hello, oldest_unacked=1, last_event=5)
        _, hello = _until_down(bench)
    bench.card(1)
    bench.now += 3
    bench.session.poll(bench.now)
    bench.events()
    (again,) = bench.sent()
    bench.greet(again.id, oldest_unacked=1, last_event=5)
    assert [type(event) for event in bench.events()] == [Up]


@pytest.mark.parametrize("differing", [{"session_id": 9}, {"oldest_unacked": 0, "last_event": 0}])
def test_and_so_is_one_that_was_switched_off_and_on(differing: dict[str, Value]) -> None:
    bench = ControllerBench()
    bench.up()
    _, hello = _named_in_vain(bench)
    for _ in range(2):
        bench.greet(hello, oldest_unacked=1, last_event=5)
        _, hello = _until_down(bench)
    bench.now += 3
    bench.session.poll(bench.now)
    bench.events()
    (again,) = bench.sent()
    bench.greet(again.id, **differing)
    assert [type(event) for event in bench.events()] == [Up]


def test_one_whose_events_come_one_by_one_or_wait_for_the_disk_has_its_time() -> None:
    bench = ControllerBench()
    bench.up()
    bench.session.command("GATE", {"unlocked": 0, "cards": 0}, bench.now)
    bench.give("GATE", bench.sent()[-1].id, {"last_event": 9})
    for number in range(1, 9):
        bench.now += NAMED_AT_MOST_S - 0.1
        bench.card(number)
    assert _until_down(bench)[0] == ""  # eight wait for the disk
    bench.session.acknowledge(SESSION, 8)
    bench.card(9)
    assert _until_down(bench)[0] == ""


@pytest.mark.parametrize("number", [0, 1, 2])
def test_an_event_whose_number_went_round_is_not_acknowledged_away(number: int) -> None:
    """Found in review: it was taken for a repetition, and the card with it."""
    last = 0xFFFFFFFF
    bench = ControllerBench()
    bench.up(last_event=last)
    for _ in range(2):
        bench.card(number)
        bench.now += GAP_AT_MOST_S
    assert ACK not in bench.names()
    assert bench.downs() == ["an event of the card shoe is missing and is not sent again"]


# A device that comes and goes is greeted less often ----------------------------------------------


def flap(bench: ControllerBench, seconds: float) -> int:
    """The port comes and goes as fast as it can; how often the device was greeted."""
    greeted, end = 0, bench.now + seconds
    while bench.now < end:
        bench.session.opened(bench.now)
        sent = bench.sent()
        if not sent:
            sent = [message for _, message in bench.wait(0.05)]
        if sent:
            bench.greet(sent[-1].id)
            greeted += 1
        bench.session.closed(bench.now, "unplugged")
        bench.now += 0.01
        bench.events()
    return greeted


def test_a_device_that_flaps_is_greeted_once_a_second_after_a_while() -> None:
    bench = ControllerBench()
    assert flap(bench, 60) <= GREETINGS + 61
    assert flap(bench, 60) <= 61


def test_after_a_quiet_minute_it_is_greeted_at_once_again() -> None:
    bench = ControllerBench()
    flap(bench, 60)
    bench.wait(60)
    bench.session.opened(bench.now)
    assert [message.name for message in bench.sent()] == ["HELLO"]


def test_a_greeting_that_waits_comes_by_itself() -> None:
    bench = ControllerBench()
    flap(bench, 60)
    bench.session.opened(bench.now)
    assert bench.sent() == []
    sent = bench.wait(1.1)
    assert sent
    bench.greet(sent[-1][1].id)
    assert [type(event) for event in bench.events()] == [Up]


def test_a_gap_that_lasts_means_that_somebody_else_acknowledged() -> None:
    bench = ControllerBench()
    bench.up(oldest_unacked=1, last_event=3)
    bench.card(2)
    assert bench.events() == []
    bench.now += GAP_AT_MOST_S
    bench.card(3)
    [down] = bench.events()
    assert isinstance(down, Down)
    assert down.reason == "an event of the card shoe is missing and is not sent again"
    (hello,) = bench.sent()
    bench.greet(hello.id, oldest_unacked=3, last_event=3)
    [up] = bench.events()
    assert isinstance(up, Up)
    assert (up.session, up.taken) == (SESSION, 2)


def test_a_gap_that_the_device_closes_is_no_news() -> None:
    bench = ControllerBench()
    bench.up(oldest_unacked=1, last_event=3)
    for number in (2, 1, 3, 2):
        bench.card(number)
        bench.now += GAP_AT_MOST_S
    assert [type(event) for event in bench.events()] == [Received] * 2
