"""The controller's half of a link, with a hostile device at the other end of the line.

Whatever arrives, in whatever order, with whatever the controller does meanwhile:

- nothing raises, and every payload that leaves is one;
- events are handed over only while the link is up, in order, each number once for a numbering of a
  session, and only after what the device said it has stored already;
- an acknowledgement covers nothing that was not stored here or called stored by the device;
- every command is answered, refused or lost, once;
- with a good device on a good line all is well again, soon.
"""

from __future__ import annotations

from collections import Counter, deque

from drivers.table_link.controller_session import ControllerSession
from drivers.table_link.framing import MAX_FRAME
from drivers.table_link.link_events import Answered, Down, LinkEvent, Lost, Nak, Received, Up
from drivers.table_link.messages import ANSWER_BIT, EVENT_ACK, HELLO, NAK, SPECS, Role, decode
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

_KIND_NUMBERS = {name: number for number, name in KINDS.items()}
_WAITS = (0.0, 0.01, 0.01, 0.1, 0.1, 0.15, 0.15, 0.2, 0.2, 0.5, 0.5, 31.0)


class _Bench(Conversation[ControllerSession]):
    def __init__(self, choices: Choices) -> None:
        self.kind = choices.among(tuple(_KIND_NUMBERS))
        self.resume = choices.among(((0, 0), (7, 3), (7, 0), (0xFFFFFFFF, 0xFFFFFFFF)))
        session = ControllerSession(self.kind, resume=self.resume, first_id=0xFFFE)
        super().__init__(choices, session, 1000.0)
        self.up = False
        self.last = (HELLO, 1)  # type and id of the command sent last
        # The numbering that goes on: its session, what came last, and what is stored of it.
        self.numbering = (self.resume[0], 0)
        self.came = self.stored = self.resume[1]
        self.known = {self.resume}
        self.to_store: deque[tuple[tuple[int, int], int]] = deque()
        self.open_tokens: Counter[int] = Counter()
        self.session.opened(self.now)
        self.check_output()

    # ---- what the stranger does ---------------------------------------------------------------

    def step(self) -> None:
        choices = self.choices
        match choices.below(24):
            case 0:
                self.feed_bytes(choices.raw(choices.below(80)))
            case 1:
                self.feed(wild(choices, (0, self.last[1], choices.number(16))))
            case 2:
                self.greet()
            case 3 | 4 | 5 | 6 | 7 | 8:
                self.event() if self.up else self.greet()
            case 14 | 15 | 16 | 17:
                self.answer()
            case 9:
                codes = {"refused": (self.last[0],), "code": (1, 2, 4, 5, 6, 7)}
                self.feed(sealed(choices, NAK, self.last[1], codes))
            case 10 if self.kept:
                self.feed(choices.among(self.kept))
            case 11:
                self.command()
            case 12:
                self.store(choices.below(4) + 1)
            case 13 if choices.below(8) == 7:
                self.session.closed(self.now, "pulled")
                self.deframer.clear()
            case 13 if choices.below(4) == 3 or not self.up:
                self.session.opened(self.now)
            case _:
                self.now += choices.among(_WAITS)
                self.session.poll(self.now)
        self.check_output()

    def event(self) -> None:
        choices = self.choices
        number = choices.among(specs_of(self.kind, Role.EVENT)).type
        came = self.came
        near = {"event_no": (came + 1, came + 1, came + 1, came + 1, came, came + 2, 1, 0)}
        self.feed(sealed(choices, number, 0, near))

    def greet(self) -> None:
        choices, session = self.choices, self.numbering[0]
        near = {
            "kind": (_KIND_NUMBERS[self.kind],),
            "session_id": (session, session, 7, 8, 9),
            "oldest_unacked": (0, 1, self.stored + 1, self.stored + 1, self.came),
            "last_event": (self.came, self.came, self.came + 1, self.stored, 0),
        }
        number = HELLO | ANSWER_BIT
        command_id = self.last[1] if choices.below(8) else choices.number(16)
        self.feed(sealed(choices, number, command_id, near))

    def answer(self) -> None:
        number = self.last[0] | ANSWER_BIT
        if number in SPECS:
            self.feed(sealed(self.choices, number, self.last[1], {}))

    def on_the_line(self, frame: bytes) -> bytes:
        if not self.choices.chance(16):
            return frame
        at = self.choices.below(len(frame))
        return frame[:at] + self.choices.raw(2) + frame[at + self.choices.below(3) :]

    def feed_bytes(self, data: bytes) -> None:
        super().feed_bytes(data)
        assert len(self.deframer._held) <= MAX_FRAME

    # ---- what the controller does -------------------------------------------------------------

    def command(self) -> None:
        spec = self.choices.among(specs_of(self.kind, Role.COMMAND))
        if spec.name not in ("HELLO", "EVENT_ACK"):
            fields = fields_of(self.choices, spec.name)
            self.open_tokens[self.session.command(spec.name, fields, self.now)] += 1

    def store(self, count: int) -> None:
        for _ in range(min(count, len(self.to_store))):
            numbering, number = self.to_store.popleft()
            self.known.add((numbering[0], number))
            if numbering == self.numbering:
                self.stored = number
            self.session.acknowledge(numbering[0], number)

    # ---- what must be so ----------------------------------------------------------------------

    def check_output(self) -> None:
        for event in self.session.take_events():
            self.happened(event)
        for payload in self.session.take_output():
            message = decode(payload)
            spec = SPECS[message.type]
            assert spec.role is Role.COMMAND, message
            assert self.kind in spec.kinds, message
            if message.type == EVENT_ACK:
                self.check_acknowledgement(message.fields["session_id"], message.fields["event_no"])
                continue
            self.last = (message.type, message.id)
            if message.type == HELLO:
                told = message.fields["session_id"], message.fields["event_no"]
                assert told in self.known, f"HELLO calls {told} stored"

    def check_acknowledgement(self, session: object, number: object) -> None:
        assert self.up, "an acknowledgement while the link is not up"
        assert session == self.numbering[0]
        assert isinstance(number, int)
        assert number <= self.stored, f"{number} acknowledged, {self.stored} stored"

    def happened(self, event: LinkEvent) -> None:
        match event:
            case Up():
                assert event.identity.kind == self.kind
                self.up = True
                if event.new_session or event.first:
                    self.numbering = (event.session, self.numbering[1] + 1)
                    self.came = self.stored = event.taken
                    self.known.add((event.session, event.taken))
                assert (event.session, event.taken) == (self.numbering[0], self.came)
            case Down():
                self.up = False
            case Received():
                assert self.up
                assert (event.session, event.event_no) == (self.numbering[0], self.came + 1)
                self.came = event.event_no
                self.to_store.append((self.numbering, event.event_no))
            case Answered() | Nak() | Lost():
                self.open_tokens[event.token] -= 1
                assert self.open_tokens[event.token] == 0, f"{event} for nothing, or twice"

    def end_conversation(self) -> None:
        self.session.closed(self.now, "the end")
        self.check_output()
        self.now += 31.0
        self.session.poll(self.now)
        self.check_output()
        assert not +self.open_tokens, f"nothing came of {+self.open_tokens}"
        self.store(len(self.to_store))
        device = switched_on(self.kind)
        number = device.event("FAULT", {"faults": 1}, 0.0)
        received, _ = converge(self.session, device, self.now, 1)
        assert [event.event_no for event in received] == [number]


def run_bytes(data: bytes) -> int:
    """A conversation out of bytes."""
    return _Bench(Choices(data)).play()


def seeds() -> list[bytes]:
    """Greeted, events in order, stored; greeted and commanded; told busy; pulled."""
    greeting = bytes([5, 0, 1, 0]) + bytes([1, 0] * 3) + bytes(40)
    event = bytes([2, 1, 1, 0]) + bytes(16)
    return [
        b"\0",
        bytes([0, 0]) + greeting + event * 4 + bytes([12, 3]),
        bytes([2, 1]) + greeting + bytes([11, 6]) + bytes(64) + bytes([7]) * 30,
        bytes([1, 0])
        + greeting
        + bytes([11, 4])
        + bytes(64)
        + bytes([9, 1, 2]) * 9
        + bytes([15, 7]),
        bytes([3, 2]) + bytes(range(256)) * 3,
    ]


TARGETS = (Target("controller-link", "payloads", run_bytes, seeds),)
