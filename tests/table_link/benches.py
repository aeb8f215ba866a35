"""A session of each side and the short words its tests speak."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from drivers.api import Value
from drivers.table_link.controller_session import ControllerSession
from drivers.table_link.device_session import DeviceSession
from drivers.table_link.link_events import DeviceEvent, Down, LinkEvent, Memory, Up
from drivers.table_link.messages import ANSWER_BIT, COMMANDS, EVENTS, Message, decode, encode

SESSION = 0xABCD


class Session(Protocol):
    """What both have."""

    def take_output(self) -> list[bytes]: ...
    def deadline(self) -> float | None: ...
    def poll(self, now: float) -> None: ...


class Bench:
    """The session under test; ``now`` is moved by the test alone."""

    session: Session
    now = 50.0

    def sent(self) -> list[Message]:
        """What was sent since the last look."""
        return [decode(payload) for payload in self.session.take_output()]

    def wait(self, seconds: float) -> list[tuple[float, Message]]:
        """Let time pass, polling only when the session asks; what was sent, and when."""
        start, end, sent = self.now, self.now + seconds, []
        while (due := self.session.deadline()) is not None and due <= end:
            assert due >= self.now
            self.now = due
            self.session.poll(due)
            sent += [(round(due - start, 3), message) for message in self.sent()]
        self.now = end
        return sent


class ControllerBench(Bench):
    """A controller's."""

    session: ControllerSession

    def __init__(
        self,
        kind: str = "shoe",
        resume: tuple[int, int] = (0, 0),
        first_id: int = 100,
        serial: str = "",
    ) -> None:
        self.session = ControllerSession(kind, serial=serial, resume=resume, first_id=first_id)

    def names(self) -> list[str]:
        """The names of what was sent since the last look."""
        return [message.name for message in self.sent()]

    def events(self) -> list[LinkEvent]:
        """What was reported since the last look."""
        return self.session.take_events()

    def give(self, name: str, command_id: int, fields: dict[str, Value]) -> None:
        """The answer to a command arrives."""
        payload = encode(COMMANDS[name].type | ANSWER_BIT, command_id, fields)
        self.session.receive(payload, self.now)

    def nak(self, command_id: int, name: str, code: int) -> None:
        """A NAK arrives."""
        fields: dict[str, Value] = {"code": code, "refused": COMMANDS[name].type}
        self.session.receive(encode(0xFF, command_id, fields), self.now)

    def card(self, event_no: int) -> None:
        """A CUTTING_CARD event arrives (it is the shortest to write)."""
        fields: dict[str, Value] = {"event_no": event_no, "t_ms": 7, "remaining": 96}
        self.session.receive(encode(EVENTS["CUTTING_CARD"].type, 0, fields), self.now)

    def greet(self, command_id: int, **differing: Value) -> None:
        """HELLO is answered."""
        fields: dict[str, Value] = {
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
        self.give("HELLO", command_id, {**fields, **differing})

    def up(self, **differing: Value) -> Up:
        """Open the port and greet; nothing is left to look at but what is returned."""
        self.session.opened(self.now)
        (hello,) = self.sent()
        self.greet(hello.id, **differing)
        (up,) = self.events()
        assert isinstance(up, Up)
        return up

    def downs(self) -> list[str]:
        """The reasons of all Down reported since the last look."""
        return [event.reason for event in self.events() if isinstance(event, Down)]


class DeviceBench(Bench):
    """A device's."""

    session: DeviceSession

    def __init__(
        self,
        kind: str = "shoe",
        memory: Memory | None = None,
        state: Iterable[tuple[str, Mapping[str, Value]]] = (),
    ) -> None:
        self.session = DeviceSession(
            kind,
            capabilities=15,
            firmware=(1, 4, 2),
            serial="SHOE-0001",
            digest="0011223344556677",
            session_id=SESSION,
            memory=memory,
            present_state=lambda: state,
        )
        self.session.started(self.now)
        self.session.opened(self.now)

    def event_numbers(self) -> list[Value]:
        """The numbers of the events sent since the last look."""
        return [message.fields["event_no"] for message in self.sent()]

    def events(self) -> list[DeviceEvent]:
        """What was reported since the last look."""
        return self.session.take_events()

    def give(self, name: str, command_id: int, fields: Mapping[str, Value] | None = None) -> None:
        """A command arrives."""
        payload = encode(COMMANDS[name].type, command_id, fields or {})
        self.session.receive(payload, self.now)

    def hello(self, session: int = 0, event_no: int = 0, command_id: int = 1) -> Message:
        """HELLO arrives; what is left of the output after its answer stays to be looked at."""
        self.session.take_output()
        self.give("HELLO", command_id, {"session_id": session, "event_no": event_no})
        answer, *self.following = self.sent()
        return answer

    def acknowledge(self, event_no: int, session: int = SESSION) -> None:
        """EVENT_ACK arrives."""
        self.give("EVENT_ACK", 0, {"session_id": session, "event_no": event_no})

    def card(self) -> int:
        """The device makes an event."""
        return self.session.event("CUTTING_CARD", {"remaining": 96}, self.now)

    def cards(self, count: int) -> None:
        """The device makes several events."""
        for _ in range(count):
            self.card()
