"""A conversation over a link with a stranger, out of bytes, whose payloads have the right CRC and
whatever inside; and what must come about once everything is good: a good peer, a good wire, bounded
patience.

What is written by the rules of the protocol comes from its own tables
(:mod:`drivers.table_link.messages`), so a message added there is fuzzed without a word here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Final, Generic, TypeVar

from drivers.table_link.controller_session import ControllerSession
from drivers.table_link.device_session import DeviceSession
from drivers.table_link.framing import Deframer, encode_frame
from drivers.table_link.layout import Layout
from drivers.table_link.link_events import Commanded, Received, Up
from drivers.table_link.messages import COMMANDS, EVENTS, MAX_PAYLOAD, SPECS, Role, Spec, seal
from proof.fuzzing.choices import Choices

NUMBERS: Final = tuple(SPECS)
Near = Mapping[str, Sequence[int]]
"""By a field's name, values that mean something in the conversation as it stands."""


def specs_of(kind: str, role: Role) -> list[Spec]:
    """The messages of that role which that kind of device knows."""
    return [spec for spec in SPECS.values() if spec.role is role and kind in spec.kinds]


def body_of(choices: Choices, layout: Layout, near: Near) -> bytes:
    """A body of the right length: each field at its bounds, near something, or anything."""
    found = b""
    for field in layout.fields:
        if field.name in near and choices.below(12):
            number = choices.among(near[field.name]) & ((1 << 8 * field.size) - 1)
        else:
            number = choices.number(8 * field.size)
        found += number.to_bytes(field.size, "little")
    return found


def sealed(choices: Choices, number: int, command_id: int, near: Near) -> bytes:
    """A payload of that type with such a body."""
    return seal(number, command_id, body_of(choices, SPECS[number].layout, near))


def wild(choices: Choices, ids: Sequence[int]) -> bytes:
    """A payload of any type known or unknown, of any length, sealed or not."""
    match choices.below(4):
        case 0:
            return choices.raw(choices.below(MAX_PAYLOAD + 8))
        case 1:
            number = choices.byte()
        case _:
            number = choices.among(NUMBERS)
    return seal(number, choices.among(ids), choices.raw(choices.below(MAX_PAYLOAD - 4)))


def fields_of(choices: Choices, name: str) -> dict[str, int | str | tuple[int, ...]]:
    """Fields of a command or event as our own side would give them: of the right shape."""
    spec = COMMANDS.get(name) or EVENTS[name]
    return spec.own.unpack(bytes(0x7F & n for n in choices.raw(64)).ljust(64, b"\0"))


GOOD_SESSION = 0x600D600D
PATIENCE_S = 12.0
"""WRONG_KIND_HELLO_EVERY_S, a long command's four times 5 s aside: those are ended by closing."""
MOST_TURNS = 4000
MOST_KEPT = 16

Half = TypeVar("Half", ControllerSession, DeviceSession)


class Conversation(ABC, Generic[Half]):
    """A half of a link, ``session``, whose other half is a stranger. ``kept`` are payloads that may
    be sent again, ``fed`` how many there were."""

    def __init__(self, choices: Choices, session: Half, now: float) -> None:
        self.session: Half = session
        self.choices = choices
        self.now = now
        self.deframer = Deframer()
        self.fed = 0
        self.kept: deque[bytes] = deque(maxlen=MOST_KEPT)

    @abstractmethod
    def step(self) -> None:
        """Something happens."""

    @abstractmethod
    def check_output(self) -> None:
        """What the half says and reports is as it must be."""

    @abstractmethod
    def end_conversation(self) -> None:
        """Everything is good from here on."""

    def feed(self, payload: bytes) -> None:
        """The stranger sends it."""
        self.kept.append(payload)
        self.feed_bytes(self.on_the_line(encode_frame(payload)))

    def on_the_line(self, frame: bytes) -> bytes:
        """What of a frame arrives."""
        return frame

    def feed_bytes(self, data: bytes) -> None:
        """They arrive."""
        for payload in self.deframer.feed(data):
            self.fed += 1
            self.session.receive(payload, self.now)
            self.check_output()

    def play(self) -> int:
        """The whole conversation; how many payloads there were."""
        while self.choices.more:
            self.step()
        self.end_conversation()
        return self.fed


def switched_on(
    kind: str, serial: str = "GOOD-1", session_id: int = GOOD_SESSION, now: float = 0.0
) -> DeviceSession:
    """A device of that kind that has just been switched on."""
    device = DeviceSession(
        kind,
        capabilities=15,
        firmware=(1, 0, 0),
        serial=serial,
        digest="00" * 8,
        session_id=session_id,
    )
    device.started(now)
    return device


def converge(
    controller: ControllerSession, device: DeviceSession, now: float, wanted: int
) -> tuple[list[Received], float]:
    """Join both by a perfect wire with a perfect disk, from the opening of the port on, until the
    link is up and the device has nothing unacknowledged; what was received, and the time then.

    AssertionError: it has not come to that within 12 s, or fewer than ``wanted`` came.
    """
    received: list[Received] = []
    until, up = now + PATIENCE_S, False
    device.opened(now)
    controller.opened(now)
    for _ in range(MOST_TURNS):
        for payload in controller.take_output():
            device.receive(payload, now)
        for asked in device.take_events():
            if isinstance(asked, Commanded):
                device.nak(asked.id, 5)
        for payload in device.take_output():
            controller.receive(payload, now)
        quiet = True
        for event in controller.take_events():
            quiet = False
            up = up or isinstance(event, Up)
            if isinstance(event, Received):
                received.append(event)
                controller.acknowledge(event.session, event.event_no)
        if quiet and up and not device.memory().events:
            break
        due = [controller.deadline(), device.deadline()]
        now = max(now, min(at for at in due if at is not None)) if quiet else now
        assert now < until, f"no agreement within {PATIENCE_S} s: up {up}, {len(received)} events"
        controller.poll(now)
        device.poll(now)
    assert up, "the link does not come up with a good device"
    assert len(received) >= wanted, f"{len(received)} of {wanted} events came"
    return received, now
