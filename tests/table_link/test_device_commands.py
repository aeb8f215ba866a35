"""The device's side of commands: HELLO first, once each, remembered (section 3)."""

from __future__ import annotations

import pytest

from drivers.table_link.link_events import Commanded, ControllerGone, Greeted, Memory
from drivers.table_link.messages import encode, seal
from tests.table_link.benches import SESSION, DeviceBench

GATE = {"unlocked": 1, "cards": 1}


def greeted(kind: str = "shoe") -> DeviceBench:
    bench = DeviceBench(kind)
    bench.hello()
    assert bench.events() == [Greeted()]
    return bench


def naks(bench: DeviceBench) -> list[tuple[int, object, object]]:
    """(id, code, refused) of the NAKs sent; all that was sent must be one."""
    sent = bench.sent()
    assert all(message.name == "NAK" for message in sent)
    return [(nak.id, nak.fields["code"], nak.fields["refused"]) for nak in sent]


def test_hello_is_answered_with_who_it_is() -> None:
    bench = DeviceBench()
    answer = bench.hello(command_id=9)
    assert (answer.id, answer.name) == (9, "HELLO")
    assert answer.fields == {
        "kind": 1,
        "minor": 0,
        "session_id": SESSION,
        "oldest_unacked": 0,
        "last_event": 0,
        "capabilities": 15,
        "firmware": (1, 4, 2),
        "serial": "SHOE-0001",
        "digest": "0011223344556677",
    }


def test_hello_first_goes_before_unknown_and_bad_commands() -> None:
    bench = DeviceBench()
    bench.give("GATE", 5, GATE)
    bench.give("PING", 6)
    bench.session.receive(seal(0x33, 7, b""), bench.now)
    bench.session.receive(seal(0x10, 8, b""), bench.now)
    assert naks(bench) == [(5, 6, 0x10), (6, 6, 2), (7, 6, 0x33), (8, 6, 0x10)]
    bench.session.receive(seal(0x01, 9, b"\0"), bench.now)
    assert naks(bench) == [(9, 2, 1)]
    assert bench.events() == []


def test_unknown_and_bad_commands() -> None:
    bench = greeted("keypad")
    bench.session.receive(seal(0x33, 7, b""), bench.now)
    bench.give("GATE", 8, GATE)  # of another kind of device
    bench.session.receive(seal(0x70, 9, b""), bench.now)  # an event, not a command
    bench.session.receive(seal(0x29, 10, b"\0\0\0"), bench.now)
    bench.session.receive(seal(0x28, 11, b"\0" + b"\xe9" * 20), bench.now)
    assert naks(bench) == [(7, 1, 0x33), (8, 1, 0x10), (9, 1, 0x70), (10, 2, 0x29), (11, 2, 0x28)]
    assert bench.events() == []


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        (seal(0x90, 5, bytes(4)), "unknown_type"),
        (seal(0xFF, 5, bytes(2)), "unknown_type"),
        (seal(0x02, 0, b""), "bad_id"),
        (seal(0x40, 0, bytes(17)), "bad_id"),
        (seal(0x03, 5, bytes(8)), "bad_id"),
        (seal(0x03, 0, bytes(7)), "bad_length"),
        (seal(0x02, 5, b"")[:-1] + b"\0", "bad_crc"),
        (b"\1\2\3", "bad_size"),
    ],
)
def test_what_is_dropped_is_neither_answered_nor_life(payload: bytes, reason: str) -> None:
    bench = greeted()
    bench.wait(1.9)
    bench.session.receive(payload, bench.now)
    assert bench.sent() == []
    assert bench.session.statistics == {reason: 1}
    bench.wait(0.2)
    assert bench.events() == [ControllerGone()]


def test_a_command_is_acted_on_once_and_its_answer_remembered() -> None:
    bench = greeted()
    bench.give("GATE", 5, GATE)
    bench.give("GATE", 5, GATE)  # still running: ignored
    assert bench.events() == [Commanded(5, "GATE", GATE)]
    assert bench.sent() == []
    bench.session.answer(5, {"last_event": 3})
    first = bench.sent()
    bench.give("GATE", 5, GATE)
    assert bench.sent() == first
    assert bench.events() == []
    assert bench.session.statistics["command_again"] == 2


def test_a_refusal_is_remembered_like_an_answer() -> None:
    bench = greeted()
    bench.give("GATE", 5, GATE)
    bench.events()
    bench.session.nak(5, 3)
    bench.give("GATE", 5, GATE)
    assert naks(bench) == [(5, 3, 0x10)] * 2
    assert bench.events() == []


def test_the_last_eight_answers_are_remembered() -> None:
    bench = greeted()
    for command_id in range(10, 19):
        bench.give("GATE", command_id, GATE)
        bench.session.answer(command_id, {"last_event": 0})
    bench.events()
    for command_id in range(11, 19):
        bench.give("GATE", command_id, GATE)
    assert bench.events() == []
    bench.give("GATE", 10, GATE)
    assert bench.events() == [Commanded(10, "GATE", GATE)]


def test_hello_is_answered_afresh_and_empties_the_memory() -> None:
    bench = greeted()
    bench.give("GATE", 5, GATE)
    bench.session.answer(5, {"last_event": 0})
    bench.give("SIGNAL", 6, {"colour": 1, "blink": 0})
    bench.events()
    bench.hello(command_id=7)
    bench.card()
    assert bench.hello(command_id=7).fields["last_event"] == 1
    bench.session.answer(6, {})  # asked before HELLO: nobody waits for it
    bench.session.nak(6, 4)
    assert bench.sent() == []
    bench.events()
    bench.give("GATE", 5, GATE)
    assert bench.events() == [Commanded(5, "GATE", GATE)]


def test_ping_is_answered_by_the_session() -> None:
    bench = greeted()
    bench.session.state = 2
    bench.session.set_faults(68, bench.now)
    bench.sent()
    bench.now += 0.1
    bench.give("PING", 5)
    (answer,) = bench.sent()
    assert answer.fields == {"uptime_ms": 100, "state": 2, "faults": 68, "unacked": 1}
    assert bench.events() == []


def test_two_seconds_without_a_payload_and_the_controller_is_gone() -> None:
    bench = greeted()
    for _ in range(5):
        bench.wait(1.9)
        bench.give("PING", 5)
    bench.sent()
    bench.wait(1.99)
    assert bench.events() == []
    bench.wait(0.02)
    assert bench.events() == [ControllerGone()]
    assert not bench.session.greeted
    bench.give("GATE", 6, GATE)
    assert naks(bench) == [(6, 6, 0x10)]
    bench.card()
    assert bench.sent() == []
    assert bench.session.deadline() is None
    bench.hello()
    assert bench.events() == [Greeted()]


def test_bad_commands_and_acknowledgements_are_life() -> None:
    bench = greeted()
    for _ in range(3):
        bench.wait(1.5)
        bench.session.receive(seal(0x33, 7, b""), bench.now)
        bench.wait(1.5)
        bench.acknowledge(99, session=1)
    assert bench.events() == []


def test_a_port_opened_anew_wants_hello_and_the_two_seconds_run_on() -> None:
    bench = greeted()
    bench.wait(1.0)
    bench.session.opened(bench.now)
    bench.give("GATE", 5, GATE)
    assert naks(bench) == [(5, 6, 0x10)]
    bench.wait(1.9)
    assert bench.events() == []
    bench.wait(0.2)
    assert bench.events() == [ControllerGone()]


def test_a_device_that_never_had_a_controller_does_not_miss_one() -> None:
    bench = DeviceBench()
    assert bench.session.deadline() is None
    bench.give("PING", 5)
    bench.wait(10.0)
    assert bench.events() == []


def test_reset_self_test_and_authenticate_are_the_models() -> None:
    bench = greeted()
    bench.give("RESET", 5)
    bench.give("SELF_TEST", 6)
    bench.give("AUTHENTICATE", 7, {"nonce": "00" * 16})
    assert [type(event) for event in bench.events()] == [Commanded] * 3
    bench.session.answer(7, {"digest": "ab" * 32})
    assert [message.id for message in bench.sent()] == [7]


def test_an_acknowledgement_is_never_answered() -> None:
    bench = DeviceBench()
    payload = encode(3, 0, {"session_id": SESSION, "event_no": 1})
    bench.session.receive(payload, bench.now)
    bench.hello()
    bench.session.receive(payload, bench.now)
    assert bench.sent() == []


@pytest.mark.parametrize("session_id", [0, 2**32])
def test_a_device_has_a_session_whose_number_fits_hello(session_id: int) -> None:
    with pytest.raises(ValueError, match=f"session id {session_id} is not a non-zero 32-bit"):
        DeviceBench(memory=Memory(session_id, 0, ()))
