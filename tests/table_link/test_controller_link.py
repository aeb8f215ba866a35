"""The controller's greeting: HELLO, who answers, and what takes the link down (section 3)."""

from __future__ import annotations

import pytest

from drivers.api import Identity
from drivers.table_link.link_events import Answered, Down, Lost, Up
from drivers.table_link.messages import seal
from tests.table_link.benches import SESSION, ControllerBench

SILENT = "the card shoe does not answer"


def test_the_port_opens_and_the_device_answers() -> None:
    bench = ControllerBench()
    assert bench.up(last_event=3, oldest_unacked=2) == Up(
        Identity("shoe", "SHOE-0001", (1, 4, 2), "0011223344556677", capabilities=15),
        session=SESSION,
        new_session=False,
        first=True,
        last_event=3,
        taken=1,
    )


def test_hello_carries_what_is_on_disk_at_that_moment() -> None:
    bench = ControllerBench(resume=(SESSION, 41))
    bench.up(oldest_unacked=42, last_event=43)
    bench.card(42)
    bench.session.closed(bench.now, "unplugged")
    bench.session.acknowledge(SESSION, 42)
    bench.session.opened(bench.now)
    (hello,) = bench.sent()
    assert hello.fields == {"session_id": SESSION, "event_no": 42}


def test_a_silent_device_is_asked_four_times_and_then_every_half_second() -> None:
    bench = ControllerBench()
    bench.session.opened(bench.now)
    (first,) = bench.sent()
    sent = bench.wait(2.0)
    assert [(at, hello.id - first.id) for at, hello in sent] == [
        (0.15, 0),
        (0.3, 0),
        (0.45, 0),
        (0.6, 1),
        (1.1, 2),
        (1.6, 3),
    ]
    assert {hello.name for _, hello in sent} == {"HELLO"}
    assert bench.downs() == [SILENT]


def test_only_the_latest_hello_can_be_answered() -> None:
    bench = ControllerBench()
    bench.session.opened(bench.now)
    (first,) = bench.sent()
    bench.wait(0.7)
    bench.greet(first.id)
    assert bench.downs() == [SILENT]
    assert bench.session.statistics["stray_answer"] == 1
    bench.greet(first.id + 1)
    assert [type(event) for event in bench.events()] == [Up]


def test_a_missing_port_is_reported_once() -> None:
    bench = ControllerBench()
    for _ in range(3):
        bench.session.closed(bench.now, "no such port")
    assert bench.downs() == ["no such port"]
    assert bench.session.deadline() is None
    bench.session.opened(bench.now)
    bench.wait(5.0)
    assert bench.downs() == [SILENT]
    bench.session.closed(bench.now, "no such port")
    assert bench.downs() == ["no such port"]


def test_a_closed_port_takes_and_gives_nothing() -> None:
    bench = ControllerBench()
    bench.up()
    bench.session.command("SIGNAL", {"colour": 1, "blink": 0}, bench.now)
    bench.session.closed(bench.now, "unplugged")
    assert bench.sent() == []
    assert [type(event) for event in bench.events()] == [Down, Lost]
    bench.greet(100)
    bench.session.poll(bench.now + 60)
    assert bench.events() == []
    assert bench.sent() == []


def test_a_port_opened_anew_is_greeted_anew() -> None:
    bench = ControllerBench()
    bench.up()
    bench.session.opened(bench.now)
    assert bench.names() == ["HELLO"]
    assert bench.downs() == ["the port of the card shoe was opened anew"]


def test_a_device_of_another_kind_is_never_commanded() -> None:
    bench = ControllerBench()
    bench.session.opened(bench.now)
    (hello,) = bench.sent()
    bench.greet(hello.id, kind=2)
    assert bench.downs() == ["a shuffler answers where a card shoe was expected"]
    token = bench.session.command("SIGNAL", {"colour": 1, "blink": 0}, bench.now)
    assert bench.events() == [Lost(token, "SIGNAL")]
    bench.card(1)
    (asked,) = bench.wait(3.2)
    assert asked[0] == 3.0
    assert asked[1].name == "HELLO"
    bench.greet(asked[1].id, kind=2)
    assert bench.events() == []
    (asked,) = bench.wait(3.2)
    bench.greet(asked[1].id)
    assert [type(event) for event in bench.events()] == [Up]


def test_a_device_of_another_serial_number_is_named_and_never_commanded() -> None:
    bench = ControllerBench(serial="SHOE-0002")
    bench.session.opened(bench.now)
    (hello,) = bench.sent()
    bench.greet(hello.id)
    assert bench.downs() == ["the card shoe SHOE-0001 answers where SHOE-0002 was expected"]
    token = bench.session.command("SIGNAL", {"colour": 1, "blink": 0}, bench.now)
    assert bench.events() == [Lost(token, "SIGNAL")]
    (asked,) = bench.wait(3.2)
    bench.greet(asked[1].id, serial="SHOE-0002")
    assert [type(event) for event in bench.events()] == [Up]


@pytest.mark.parametrize("serial", ["\x1b]0;won\x07", "A\nERROR B", "A\x7f"])
def test_a_device_whose_serial_number_a_terminal_would_obey_is_not_up(serial: str) -> None:
    bench = ControllerBench()
    bench.session.opened(bench.now)
    (hello,) = bench.sent()
    bench.greet(hello.id, serial=serial)
    (reason,) = bench.downs()
    assert reason == (f"the card shoe tells a serial number that is no printable ASCII: {serial!a}")
    assert reason.isprintable()


def test_a_serial_number_is_as_long_as_hello_has_room_for() -> None:
    bench = ControllerBench(serial="SHOE-00000000002")
    assert bench.up(serial="SHOE-0000000").identity.serial == "SHOE-0000000"


def test_a_device_of_an_unknown_kind_is_named_by_its_number() -> None:
    bench = ControllerBench()
    bench.session.opened(bench.now)
    bench.greet(100, kind=9)
    assert bench.downs() == ["a device of kind 9 answers where a card shoe was expected"]


def test_a_device_without_a_session_is_not_up() -> None:
    bench = ControllerBench()
    bench.session.opened(bench.now)
    bench.greet(100, session_id=0)
    assert bench.downs() == ["the card shoe names no session of events"]


def test_a_refused_hello_is_said_again() -> None:
    bench = ControllerBench()
    bench.session.opened(bench.now)
    bench.sent()
    bench.nak(100, "HELLO", 5)
    assert bench.downs() == ["the card shoe refuses HELLO (NAK 5)"]
    assert [(at, hello.id) for at, hello in bench.wait(0.6)] == [(0.5, 101)]


def test_an_idle_link_is_pinged_every_half_second() -> None:
    bench = ControllerBench()
    bench.up()
    for number in range(4):
        ((at, ping),) = bench.wait(0.5)
        assert (at, ping.name, ping.id) == (0.5, "PING", 101 + number)
        bench.give("PING", ping.id, {"uptime_ms": 1, "state": 2, "faults": 0, "unacked": 0})
        assert bench.events() == []
    assert bench.session.statistics["pings"] == 4


def test_an_unanswered_ping_takes_the_link_down() -> None:
    bench = ControllerBench()
    bench.up()
    sent = bench.wait(1.2)
    assert [(at, message.name) for at, message in sent] == [
        (0.5, "PING"),
        (0.65, "PING"),
        (0.8, "PING"),
        (0.95, "PING"),
        (1.1, "HELLO"),
    ]
    assert bench.events() == [Down(SILENT)]


def test_damaged_payloads_and_echoes_are_no_life() -> None:
    bench = ControllerBench()
    bench.up()
    for _ in range(12):
        bench.wait(0.1)
        bench.session.receive(b"\1\x82\1\0 noise", bench.now)
        bench.session.receive(seal(0x02, 101, b""), bench.now)
    assert bench.downs() == [SILENT]
    assert bench.session.statistics["bad_crc"] == 12
    assert bench.session.statistics["echoed_command"] == 12


def test_a_late_poll_does_not_burn_all_transmissions() -> None:
    bench = ControllerBench()
    bench.session.opened(bench.now)
    bench.sent()
    bench.now += 30.0
    bench.session.poll(bench.now)
    assert bench.names() == ["HELLO"]
    assert bench.events() == []


def test_hello_first_takes_the_link_down_and_greets() -> None:
    bench = ControllerBench(resume=(SESSION, 3))
    bench.up(last_event=3)
    token = bench.session.command("SIGNAL", {"colour": 1, "blink": 0}, bench.now)
    (signal,) = bench.sent()
    bench.nak(signal.id, "SIGNAL", 6)
    assert bench.events() == [
        Down("the card shoe restarted, or had not heard from the controller"),
        Lost(token, "SIGNAL"),
    ]
    (hello,) = bench.sent()
    assert hello.name == "HELLO"
    bench.greet(hello.id, last_event=3)
    (up,) = bench.events()
    assert isinstance(up, Up)
    assert not up.new_session


def test_reset_is_sent_once_and_answered_by_the_next_hello() -> None:
    bench = ControllerBench()
    bench.up()
    token = bench.session.command("RESET", {}, bench.now)
    assert bench.names() == ["RESET"]
    sent = bench.wait(0.7)
    assert [(at, message.name) for at, message in sent] == [(0.15, "HELLO"), (0.65, "HELLO")]
    assert bench.events() == [Down("the card shoe was told to restart")]
    bench.greet(sent[-1][1].id)
    up, answered = bench.events()
    assert isinstance(up, Up)
    assert answered == Answered(token, "RESET", {})


def test_an_answered_reset_leaves_the_device_time_to_restart() -> None:
    bench = ControllerBench()
    bench.up()
    token = bench.session.command("RESET", {}, bench.now)
    (reset,) = bench.sent()
    bench.give("RESET", reset.id, {})
    assert bench.events() == [
        Answered(token, "RESET", {}),
        Down("the card shoe was told to restart"),
    ]
    assert [(at, message.name) for at, message in bench.wait(0.6)] == [(0.5, "HELLO")]


@pytest.mark.parametrize("port_vanishes", [False, True])
def test_a_reset_that_is_never_followed_by_hello_is_lost(port_vanishes: bool) -> None:
    bench = ControllerBench()
    bench.up()
    token = bench.session.command("RESET", {}, bench.now)
    if port_vanishes:
        bench.session.closed(bench.now, "unplugged")
    bench.wait(40.0)
    assert Lost(token, "RESET") in bench.events()
    bench.session.opened(bench.now)
    bench.sent()


def test_a_reset_refused_with_hello_first_is_lost() -> None:
    bench = ControllerBench()
    bench.up()
    token = bench.session.command("RESET", {}, bench.now)
    (reset,) = bench.sent()
    bench.nak(reset.id, "RESET", 6)
    assert Lost(token, "RESET") in bench.events()


@pytest.mark.parametrize(("session", "last"), [(SESSION + 1, 9), (SESSION, 2)])
def test_a_device_that_restarted_between_two_hellos_is_greeted_anew(
    session: int, last: int
) -> None:
    bench = ControllerBench(resume=(SESSION, 3))
    bench.session.opened(bench.now)
    assert bench.names() == ["HELLO"]  # the line doubles it
    bench.greet(100, last_event=3)
    bench.greet(100, last_event=3)  # the second answer: nothing has changed
    assert [type(event) for event in bench.events()] == [Up]
    bench.greet(100, session_id=session, last_event=last)
    assert bench.downs() == ["the card shoe restarted"]
    assert bench.names() == ["HELLO"]


def test_only_a_hello_that_was_sent_once_counts() -> None:
    """Found by the model (proof/models/link): of one that was repeated a copy may still be on its
    way; it greets a device that restarts meanwhile, whose events would count as the earlier
    session's."""
    bench = ControllerBench(resume=(SESSION, 3))
    bench.session.opened(bench.now)
    assert len(bench.wait(0.2)) == 2
    bench.greet(100, last_event=3)
    assert bench.events() == []
    [again] = bench.sent()
    assert (again.name, again.id) == ("HELLO", 101)
    bench.card(4)
    bench.greet(101, session_id=SESSION + 1, last_event=1)
    assert [type(event) for event in bench.events()] == [Up]


def test_a_refused_ping_is_told_to_nobody_and_the_next_command_goes() -> None:
    bench = ControllerBench()
    bench.up()
    ((_, ping),) = bench.wait(0.5)
    bench.session.command("SELF_TEST", {}, bench.now)
    bench.nak(ping.id, "PING", 3)
    assert bench.names() == ["SELF_TEST"]
    assert bench.events() == []
