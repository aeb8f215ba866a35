"""The device's half of a link, with a hostile controller at the other end of the line.

Whatever arrives, in whatever order, with whatever happens to the device meanwhile:

- nothing raises, and every payload that leaves is one of this kind of device;
- nothing is sent of its own accord, and no command is acted on, before HELLO; none is acted on
  again while it runs;
- with a good controller on a good line every event that was not acknowledged reaches it, once and
  in order, soon.
"""

from __future__ import annotations

from drivers.table_link.controller_session import ControllerSession
from drivers.table_link.device_session import DeviceSession
from drivers.table_link.link_events import Commanded, Greeted
from drivers.table_link.messages import COMMANDS, EVENT_ACK, HELLO, SPECS, Role, decode
from drivers.vocabulary import KINDS
from proof.fuzzing.attaching import (
    Conversation,
    converge,
    fields_of,
    sealed,
    specs_of,
    switched_on,
    wild,
)
from proof.fuzzing.choices import Choices
from proof.fuzzing.target import Target

_WAITS = (0.0, 0.01, 0.1, 0.2, 0.5, 1.9, 2.0, 5.0)
_SESSION = 5


class _Bench(Conversation[DeviceSession]):
    def __init__(self, choices: Choices) -> None:
        self.kind = choices.among(tuple(KINDS.values()))
        session = switched_on(self.kind, "FUZZED-1", _SESSION)
        session.opened(0.0)
        super().__init__(choices, session, 1.0)
        self.next_id = 1
        self.greeted = False
        self.running: set[int] = set()

    def step(self) -> None:
        choices = self.choices
        match choices.below(14):
            case 0:
                self.feed_bytes(choices.raw(choices.below(80)))
            case 1:
                self.feed(wild(choices, (0, self.next_id, choices.number(16))))
            case 2 | 3 | 4:
                self.command(choices.among(specs_of(self.kind, Role.COMMAND)).type)
            case 5:
                self.command(HELLO)
            case 6:
                self.command(EVENT_ACK)
            case 7 if self.kept:
                self.feed(choices.among(self.kept))
            case 8 | 9:
                self.event()
            case 10 if self.running:
                self.answer(choices.among(sorted(self.running)))
            case 11 if choices.below(4) == 3:
                self.session.new_session(self.session.session_id + 1, self.now)
                self.greeted = False
            case 11 if choices.below(4) == 3:
                self.session.opened(self.now)
                self.greeted = False
                self.deframer.clear()
            case _:
                self.now += choices.among(_WAITS)
                self.session.poll(self.now)
                self.greeted = self.session.greeted
        self.check_output()

    def command(self, number: int) -> None:
        choices, last = self.choices, self.session.last_event
        near = {
            "session_id": (self.session.session_id, self.session.session_id, _SESSION, 0),
            "event_no": (last, max(0, last - 1), 1, 0, last + 1),
        }
        if number == EVENT_ACK and choices.below(8):
            command_id = 0
        else:
            command_id = self.next_id = (self.next_id + choices.among((1, 1, 1, 0))) & 0xFFFF
        self.feed(sealed(choices, number, command_id, near))

    def event(self) -> None:
        spec = self.choices.among(specs_of(self.kind, Role.EVENT))
        self.session.event(spec.name, fields_of(self.choices, spec.name), self.now)

    def answer(self, command_id: int) -> None:
        self.running.discard(command_id)
        if self.choices.below(2):
            self.session.nak(command_id, 5)
        else:
            number = self.session._answers.running(command_id)
            spec = SPECS.get((number or 0) | 0x80)
            fields = spec.layout.unpack(bytes(64)) if spec else {}
            self.session.answer(command_id, fields)

    def check_output(self) -> None:
        for happened in self.session.take_events():
            if isinstance(happened, Greeted):
                self.greeted = True
                self.running.clear()
            elif isinstance(happened, Commanded):
                assert self.greeted, f"{happened} before HELLO"
                assert happened.id not in self.running, f"{happened} while it runs"
                assert self.kind in COMMANDS[happened.name].kinds
                self.running.add(happened.id)
        for payload in self.session.take_output():
            message = decode(payload)
            spec = SPECS[message.type]
            assert self.kind in spec.kinds, message
            assert spec.role is not Role.COMMAND, message
            assert self.greeted or spec.role is not Role.EVENT, f"{message} before HELLO"

    def end_conversation(self) -> None:
        left = [decode(payload).fields["event_no"] for payload in self.session.memory().events]
        controller = ControllerSession(self.kind, first_id=1)
        received, _ = converge(controller, self.session, self.now, len(left))
        assert [event.event_no for event in received] == left


def run_bytes(data: bytes) -> int:
    """A conversation out of bytes."""
    return _Bench(Choices(data)).play()


def seeds() -> list[bytes]:
    """Greeted, events made and acknowledged; commanded and answered; a long silence."""
    greeting = bytes([5, 0]) + bytes([1, 0, 1, 0])
    event = bytes([8, 0]) + bytes(64)
    return [
        b"\0",
        bytes([0]) + greeting + event * 3 + bytes([6, 1, 1, 0, 1, 0]) + event,
        bytes([2]) + greeting + bytes([2, 4, 0]) + bytes(24) + bytes([10, 0, 1]) * 3,
        bytes([3]) + greeting + event + bytes([13, 7]) * 3 + greeting,
        bytes([1]) + bytes(range(256)) * 3,
    ]


TARGETS = (Target("device-link", "payloads", run_bytes, seeds),)
