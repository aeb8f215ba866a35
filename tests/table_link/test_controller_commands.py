"""The controller's commands: one at a time, repeated, refused, busy, lost (section 3)."""

from __future__ import annotations

from itertools import pairwise

import pytest

from drivers.api import Value
from drivers.table_link.link_events import Answered, Down, LinkEvent, Lost, Nak
from drivers.table_link.messages import ANSWER_BIT, COMMANDS, seal
from tests.table_link.benches import SESSION, ControllerBench

GATE: dict[str, Value] = {"unlocked": 1, "cards": 1}
SIGNAL: dict[str, Value] = {"colour": 1, "blink": 0}


@pytest.fixture
def bench() -> ControllerBench:
    bench = ControllerBench()
    bench.up()
    return bench


def test_a_command_is_answered(bench: ControllerBench) -> None:
    token = bench.session.command("GATE", GATE, bench.now)
    (gate,) = bench.sent()
    assert (gate.name, gate.fields) == ("GATE", GATE)
    bench.give("GATE", gate.id, {"last_event": 41})
    assert bench.events() == [Answered(token, "GATE", {"last_event": 41})]


def test_commands_go_one_at_a_time_in_order(bench: ControllerBench) -> None:
    first = bench.session.command("GATE", GATE, bench.now)
    second = bench.session.command("SIGNAL", SIGNAL, bench.now)
    (gate,) = bench.sent()
    bench.give("GATE", gate.id, {"last_event": 0})
    (signal,) = bench.sent()
    assert signal.id == gate.id + 1
    bench.give("SIGNAL", signal.id, {})
    assert bench.events() == [
        Answered(first, "GATE", {"last_event": 0}),
        Answered(second, "SIGNAL", {}),
    ]


def test_ids_count_from_65535_to_1() -> None:
    bench = ControllerBench(first_id=65534)
    bench.up()
    ids = []
    for _ in range(3):
        bench.session.command("SIGNAL", SIGNAL, bench.now)
        (signal,) = bench.sent()
        bench.give("SIGNAL", signal.id, {})
        ids.append(signal.id)
    assert ids == [65535, 1, 2]


@pytest.mark.parametrize("first_id", [0, 65536])
def test_an_id_has_sixteen_bits_and_is_not_0(first_id: int) -> None:
    with pytest.raises(ValueError, match="first command id"):
        ControllerBench(first_id=first_id)


def test_only_the_outstanding_id_and_type_are_answers(bench: ControllerBench) -> None:
    bench.session.command("GATE", GATE, bench.now)
    (gate,) = bench.sent()
    bench.give("GATE", gate.id - 1, {"last_event": 0})
    bench.give("SIGNAL", gate.id, {})
    bench.nak(gate.id, "SIGNAL", 3)
    bench.nak(gate.id + 1, "GATE", 3)
    assert bench.events() == []
    assert bench.session.statistics["stray_answer"] == 4
    bench.session.receive(seal(COMMANDS["GATE"].type | ANSWER_BIT, gate.id, b"\0"), bench.now)
    assert bench.session.statistics["bad_length"] == 1
    bench.give("GATE", gate.id, {"last_event": 0})
    bench.give("GATE", gate.id, {"last_event": 0})
    assert len(bench.events()) == 1
    assert bench.session.statistics["stray_answer"] == 5


def test_the_same_bytes_four_times_then_the_link_is_down(bench: ControllerBench) -> None:
    token = bench.session.command("GATE", GATE, bench.now)
    queued = bench.session.command("SIGNAL", SIGNAL, bench.now)
    (gate,) = bench.sent()
    sent = bench.wait(0.65)
    assert [at for at, _ in sent] == [0.15, 0.3, 0.45, 0.6]
    assert [message for _, message in sent[:3]] == [gate] * 3
    assert sent[3][1].name == "HELLO"
    assert bench.events() == [
        Down("the card shoe does not answer"),
        Lost(token, "GATE"),
        Lost(queued, "SIGNAL"),
    ]
    bench.greet(sent[3][1].id)
    assert [message.name for _, message in bench.wait(0.5)] == ["PING"]


@pytest.mark.parametrize("name", ["SELF_TEST", "AUTHENTICATE"])
def test_long_commands_wait_five_seconds_and_the_link_stays_alive(name: str) -> None:
    bench = ControllerBench(resume=(SESSION, 4))
    bench.up(last_event=4)
    fields: dict[str, Value] = {"nonce": "00" * 16} if name == "AUTHENTICATE" else {}
    token = bench.session.command(name, fields, bench.now)
    (first,) = bench.sent()
    sent = bench.wait(20.1)
    repeats = [(at, message) for at, message in sent if message.name == name]
    assert repeats == [(5.0, first), (10.0, first), (15.0, first)]
    signs = [0.0, *(at for at, message in sent if message.name != "HELLO")]
    assert max(b - a for a, b in pairwise(signs)) < 1.0
    acks = [message for _, message in sent if message.name == "EVENT_ACK"]
    assert all(ack.fields == {"session_id": SESSION, "event_no": 4} for ack in acks)
    assert bench.events() == [Down("the card shoe does not answer"), Lost(token, name)]


@pytest.mark.parametrize("code", [1, 2, 3, 5])
def test_a_refused_command_is_not_repeated(bench: ControllerBench, code: int) -> None:
    token = bench.session.command("GATE", GATE, bench.now)
    (gate,) = bench.sent()
    bench.nak(gate.id, "GATE", code)
    assert bench.events() == [Nak(token, "GATE", code)]
    assert [message.name for _, message in bench.wait(0.6)][:1] == ["PING"]


def test_a_busy_device_is_asked_again_under_a_new_id(bench: ControllerBench) -> None:
    token = bench.session.command("GATE", GATE, bench.now)
    queued = bench.session.command("SIGNAL", SIGNAL, bench.now)
    (gate,) = bench.sent()
    bench.nak(gate.id, "GATE", 4)
    bench.give("GATE", gate.id, {"last_event": 0})  # too late: nothing is outstanding
    ((at, again),) = bench.wait(0.1)
    assert (at, again.name, again.id) == (0.1, "GATE", gate.id + 1)
    bench.give("GATE", again.id, {"last_event": 2})
    assert bench.events() == [Answered(token, "GATE", {"last_event": 2})]
    (signal,) = bench.sent()
    bench.give("SIGNAL", signal.id, {})
    assert bench.events() == [Answered(queued, "SIGNAL", {})]


def test_a_device_busy_for_five_seconds_refuses(bench: ControllerBench) -> None:
    token = bench.session.command("GATE", GATE, bench.now)
    (gate,) = bench.sent()
    start = bench.now
    asked = 0
    events: list[LinkEvent] = []
    while not events:
        bench.nak(gate.id, "GATE", 4)
        events = bench.events()
        if not events:
            ((_, gate),) = bench.wait(0.1)
            asked += 1
    assert events == [Nak(token, "GATE", 4)]
    assert bench.now - start == pytest.approx(5.0, abs=0.11)
    assert asked in (49, 50)


def test_a_command_without_a_link_is_lost_at_once() -> None:
    bench = ControllerBench()
    token = bench.session.command("GATE", GATE, bench.now)
    assert bench.events() == [Lost(token, "GATE")]
    assert bench.sent() == []


@pytest.mark.parametrize("name", ["ARM", "HELLO", "EVENT_ACK", "CARD", "NONSENSE"])
def test_what_is_no_command_for_this_device_is_an_error(bench: ControllerBench, name: str) -> None:
    with pytest.raises(ValueError, match=f"a card shoe is not to be commanded {name}"):
        bench.session.command(name, {}, bench.now)


def test_bad_fields_are_an_error_and_send_nothing(bench: ControllerBench) -> None:
    with pytest.raises(ValueError, match="needed"):
        bench.session.command("GATE", {"unlocked": 1}, bench.now)
    assert bench.sent() == []
