"""A device's session and the short words its tests speak."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from drivers.api import Value
from drivers.table_link.device_session import DeviceSession
from drivers.table_link.link_events import DeviceEvent, Memory
from drivers.table_link.messages import COMMANDS, Message, decode, encode

SESSION = 0xABCD


class Bench:
    """The session under test; ``now`` is moved by the test alone."""

    def __init__(
        self,
        kind: str = "shoe",
        memory: Memory | None = None,
        state: Iterable[tuple[str, Mapping[str, Value]]] = (),
    ) -> None:
        self.now = 50.0
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

    def sent(self) -> list[Message]:
        """What was sent since the last look."""
        return [decode(payload) for payload in self.session.take_output()]

    def event_numbers(self) -> list[Value]:
        """The numbers of the events sent since the last look."""
        return [message.fields["event_no"] for message in self.sent()]

    def events(self) -> list[DeviceEvent]:
        """What was reported since the last look."""
        return self.session.take_events()

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
