"""Both sessions against anything: any bytes, any order of verbs, any time that passes.

The examples are drawn by hypothesis, which prints what fails and how to run it again.
"""

from __future__ import annotations

import subprocess
import sys

from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.table_link.link_events import Answered, Commanded, Lost, Nak, Received
from drivers.table_link.messages import SPECS, seal
from tests.table_link.benches import SESSION, ControllerBench, DeviceBench

TIMES = st.floats(0.0, 3.0)
PAYLOADS = st.one_of(
    st.binary(max_size=70),
    st.builds(seal, st.integers(0, 255), st.integers(0, 120), st.binary(max_size=48)),
    st.sampled_from(list(SPECS.values())).flatmap(
        lambda spec: st.builds(
            seal,
            st.just(spec.type),
            st.integers(0, 120),
            st.binary(min_size=spec.layout.size, max_size=spec.layout.size),
        )
    ),
)


@settings(deadline=None)
@given(st.lists(st.tuples(TIMES, PAYLOADS), max_size=30))
def test_the_controller_survives_any_payload(steps: list[tuple[float, bytes]]) -> None:
    bench = ControllerBench()
    bench.session.opened(bench.now)
    for wait_s, payload in steps:
        bench.wait(wait_s)
        bench.session.command("SELF_TEST", {}, bench.now)
        bench.session.receive(payload, bench.now)
        due = bench.session.deadline()
        assert due is not None
        assert due >= bench.now


@settings(deadline=None)
@given(st.lists(st.tuples(TIMES, PAYLOADS), max_size=30), st.booleans())
def test_a_device_survives_any_payload(steps: list[tuple[float, bytes]], greeted: bool) -> None:
    bench = DeviceBench()
    if greeted:
        bench.hello()
    ids = []
    for wait_s, payload in steps:
        bench.wait(wait_s)
        bench.card()
        bench.session.receive(payload, bench.now)
        for event in bench.events():
            if isinstance(event, Commanded):
                ids.append(event.id)
                bench.session.nak(event.id, 4)


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("event"), st.integers(1, 30)),
        st.tuples(st.just("store"), st.integers(1, 30)),
        st.tuples(st.just("replug"), st.just(0)),
    ),
    max_size=80,
)


@given(STEPS)
def test_events_come_up_once_in_order_and_only_stored_ones_are_acknowledged(
    steps: list[tuple[str, int]],
) -> None:
    bench = ControllerBench()
    bench.up(oldest_unacked=1, last_event=30)
    received: list[int] = []
    stored = 0
    for verb, number in steps:
        if verb == "event":
            bench.card(number)
        elif verb == "store" and received:
            stored = max(stored, min(number, received[-1]))
            bench.session.acknowledge(SESSION, stored)
        elif verb == "replug":
            bench.session.closed(bench.now, "unplugged")
            bench.session.opened(bench.now)
            (hello,) = bench.sent()
            assert hello.fields["event_no"] == stored
            bench.greet(hello.id, oldest_unacked=stored + 1, last_event=30)
        received += [event.event_no for event in bench.events() if isinstance(event, Received)]
        assert received == list(range(1, len(received) + 1))
        for message in bench.sent():
            assert message.name == "EVENT_ACK"
            assert message.fields == {"session_id": SESSION, "event_no": stored}


COMMANDED = st.lists(
    st.one_of(
        st.just("command"),
        st.just("answer"),
        st.integers(1, 6).map(str),
        st.sampled_from(["wait", "wait long", "replug"]),
    ),
    max_size=60,
)


@settings(deadline=None)
@given(COMMANDED)
def test_every_command_ends_once(steps: list[str]) -> None:
    bench = ControllerBench()
    bench.up()
    tokens: list[int] = []
    ended: list[int] = []
    last_id = 0
    for step in steps:
        if step == "command":
            tokens.append(bench.session.command("SIGNAL", {"colour": 1, "blink": 0}, bench.now))
        elif step == "answer":
            bench.give("SIGNAL", last_id, {})
            bench.greet(last_id)
        elif step.isdigit():
            bench.nak(last_id, "SIGNAL", int(step))
        elif step == "replug":
            bench.session.closed(bench.now, "unplugged")
            bench.session.opened(bench.now)
        for _, message in bench.wait({"wait": 0.12, "wait long": 1.0}.get(step, 0.0)):
            last_id = message.id or last_id
        for message in bench.sent():
            last_id = message.id or last_id
        ended += [e.token for e in bench.events() if isinstance(e, Answered | Nak | Lost)]
    bench.session.closed(bench.now, "the end")
    ended += [e.token for e in bench.events() if isinstance(e, Answered | Nak | Lost)]
    assert sorted(ended) == tokens


# Table Link knows no clock, no chance and no port: its modules import none -----------------------


MODULES = ["controller_session", "device_session", "framing", "messages"]
BANNED = ["asyncio", "random", "serial", "socket", "sqlite3", "usb"]

_PROBE = f"""
import sys
import importlib
for name in {MODULES}:
    importlib.import_module("drivers.table_link." + name)
print(*[name for name in {BANNED} if name in sys.modules])
"""


def test_neither_port_nor_loop_nor_chance_is_imported() -> None:
    found = subprocess.run(
        [sys.executable, "-c", _PROBE], capture_output=True, text=True, check=True
    )
    assert found.stdout.split() == []
