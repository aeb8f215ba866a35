"""Both halves of a link, and a wire between them that somebody tampers with.

Frames are flipped, cut, dropped, spliced, and held back; bytes are inserted. The CRC tells noise
from a frame, so in spite of all of it:

- every event that the device made is stored by the controller once and in order, soon after the
  wire is good again, and the device never forgets one that is not stored;
- no command is acted on twice, and none is answered that was not.

Where the bytes say so frames are also doubled and put out of order, which no line does by itself.
A command that is held back past a HELLO, which forgets what was answered, is then acted on again:
all else holds. Where they say more, the wire forges: it puts other content under a right CRC. Then
a command or event may be anybody's, and only what each half must keep to by itself is asked for:
that nothing raises, and that the halves agree in the end.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final

from drivers.table_link.controller_session import ControllerSession
from drivers.table_link.framing import Deframer, encode_frame
from drivers.table_link.link_events import Answered, Commanded, Received, Up
from drivers.table_link.messages import seal
from proof.fuzzing.attaching import converge, switched_on
from proof.fuzzing.choices import Choices
from proof.fuzzing.target import Target

_WAITS: Final = (0.0, 0.001, 0.01, 0.05, 0.15, 0.2, 0.5, 2.5)
MOST_HELD: Final = 32
SERIAL: Final = "JACK-0001"

Line = deque[bytes]


class _Pair:
    def __init__(self, choices: Choices) -> None:
        self.choices = choices
        wire = choices.below(4)
        self.disorder, self.forging = wire >= 2, wire == 3
        self.controller = ControllerSession("jackpot", first_id=65530)
        self.device = switched_on("jackpot", SERIAL, 77, now=100.0)
        self.to_device: Line = deque(maxlen=MOST_HELD)
        self.to_controller: Line = deque(maxlen=MOST_HELD)
        self.frames = {"device": Deframer(), "controller": Deframer()}
        self.now = 100.0
        self.fed = 0
        self.commands = 0
        self.acted: list[int] = []
        self.tokens: dict[int, int] = {}
        self.made: list[int] = []
        self.to_store: deque[Received] = deque()
        self.stored: list[Received] = []
        self.device.opened(self.now)
        self.controller.opened(self.now)
        self.pass_output()

    def step(self) -> None:
        choices = self.choices
        match choices.below(16):
            case 0 | 1 | 2 | 3:
                self.arrive(self.to_device, "device", self.device.receive)
            case 4 | 5 | 6 | 7:
                self.arrive(self.to_controller, "controller", self.controller.receive)
            case 8:
                self.tamper(choices.among((self.to_device, self.to_controller)))
            case 9 | 10:
                self.press()
            case 11:
                self.command()
            case 12 | 13:
                self.store()
            case 14 if choices.below(16) == 15:
                self.pull()
            case _:
                self.now += choices.among(_WAITS)
                self.controller.poll(self.now)
                self.device.poll(self.now)
        self.pass_output()

    def press(self) -> None:
        offer = len(self.made) + 1
        self.made.append(offer)
        self.device.event("PRESS", {"offer_id": offer}, self.now)

    def command(self) -> None:
        self.commands += 1
        fields = {"offer_id": self.commands, "box": 1}
        self.tokens[self.controller.command("ARM", fields, self.now)] = self.commands

    def store(self) -> None:
        if self.to_store:
            event = self.to_store.popleft()
            self.stored.append(event)
            self.controller.acknowledge(event.session, event.event_no)

    def pull(self) -> None:
        self.to_device.clear()
        self.to_controller.clear()
        self.controller.closed(self.now, "pulled")
        for deframer in self.frames.values():
            deframer.clear()
        self.device.opened(self.now)
        self.controller.opened(self.now)

    def arrive(self, line: Line, end: str, receive: Callable[[bytes, float], None]) -> None:
        data = line.popleft() if line else b""
        for payload in self.frames[end].feed(data):
            self.fed += 1
            receive(payload, self.now)
            self.pass_output()

    def tamper(self, line: Line) -> None:
        choices = self.choices
        if not line:
            return
        at = choices.below(len(line))
        frame = line[at]
        where = choices.below(len(frame)) if frame else 0
        match choices.below(9):
            case 0:
                line[at] = frame[:where] + bytes([choices.byte()]) + frame[where + 1 :]
            case 1:
                del line[at]
            case 2 if self.disorder:
                line.append(frame)
            case 3 if self.disorder:
                line.rotate(choices.among((1, -1)))
            case 4:
                line[at] = frame[:where] + line[choices.below(len(line))][where:]
            case 5:
                line[at] = frame[:where] + choices.raw(4) + frame[where:]
            case 6:
                line[at] = frame[:where]
            case 7 if self.forging:
                line[at] = self.forged(frame)
            case 8:
                line.appendleft(choices.raw(60))

    def forged(self, frame: bytes) -> bytes:
        """The frame with other content under a right CRC; noise stays as it is."""
        payloads = Deframer().feed(frame)
        if not payloads or len(payloads[0]) < 8:
            return frame
        payload = bytearray(payloads[0])
        for _ in range(self.choices.below(3) + 1):
            payload[1 + self.choices.below(len(payload) - 5)] = self.choices.byte()
        number, command_id = payload[1], payload[2] | payload[3] << 8
        return encode_frame(seal(number, command_id, bytes(payload[4:-4])))

    def pass_output(self) -> None:
        for payload in self.controller.take_output():
            self.to_device.append(encode_frame(payload))
        for payload in self.device.take_output():
            self.to_controller.append(encode_frame(payload))
        for event in self.controller.take_events():
            if isinstance(event, Received):
                self.to_store.append(event)
            elif isinstance(event, Answered) and not self.forging:
                assert self.tokens[event.token] in self.acted, f"{event} was not acted on"
            elif isinstance(event, Up) and not self.forging:
                assert event.identity.serial == SERIAL
        for happened in self.device.take_events():
            if isinstance(happened, Commanded):
                if happened.name == "ARM":
                    self.acted.append(int(str(happened.fields["offer_id"])))
                self.device.nak(happened.id, 5) if happened.name != "ARM" else self.device.answer(
                    happened.id, {}
                )
                self.pass_output()

    def end_conversation(self) -> None:
        while self.to_store:
            self.store()
        received, _ = converge(self.controller, self.device, self.now, 0)
        self.stored += received
        numbers = [event.event_no for event in self.stored if event.session == 77]
        if not self.forging:
            offers = [event.fields["offer_id"] for event in self.stored]
            assert offers == self.made, f"{self.made} were made, {offers} are stored"
            assert numbers == list(range(1, len(self.made) + 1))
        if not self.disorder:
            assert len(set(self.acted)) == len(self.acted), f"acted on twice: {self.acted}"


def run_bytes(data: bytes) -> int:
    """A conversation out of bytes."""
    choices = Choices(data)
    pair = _Pair(choices)
    while choices.more:
        pair.step()
    pair.end_conversation()
    return pair.fed


def seeds() -> list[bytes]:
    """Greeting, presses and commands that go through, and then some trouble."""
    through = bytes([0, 4])
    play = through * 2 + bytes([9, 4, 4, 12, 0, 11, 0, 4]) * 6
    return [
        b"\0" + play,
        b"\0" + play + bytes([9] * 10) + bytes([8, 1, 0, 3, 2]) * 8 + through * 20,
        b"\2" + play + bytes([11, 8, 0, 0, 5, 1, 15, 4]) * 10,
        b"\3" + play + bytes([9, 8, 1, 0, 3, 7, 1, 9, 200, 4]) * 10,
    ]


TARGETS = (Target("conversation", "payloads", run_bytes, seeds, most_bytes=2048),)
