"""A conversation over a link with a stranger, out of bytes; and what must come about once
everything is good: a good peer, a good wire, bounded patience.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from typing import Generic, TypeVar

from drivers.table_link.controller_session import ControllerSession
from drivers.table_link.device_session import DeviceSession
from drivers.table_link.framing import Deframer, encode_frame
from drivers.table_link.link_events import Commanded, Received, Up
from proof.fuzzing.choices import Choices

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


def good_device(kind: str) -> DeviceSession:
    """A device of that kind that has just been switched on."""
    device = DeviceSession(
        kind,
        capabilities=15,
        firmware=(1, 0, 0),
        serial="GOOD-1",
        digest="00" * 8,
        session_id=GOOD_SESSION,
    )
    device.started(0.0)
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
