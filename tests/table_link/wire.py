"""Both halves of a link over a wire that does to bytes what real wires do, in virtual time.

``Line`` carries one direction: frames become bytes, suffer, and arrive in order. ``World`` joins
a controller's session, a disk which stores events a little later, and a device which acts on
commands and makes events. Nothing sleeps; every run is told by its seed.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from drivers.table_link.controller_session import ControllerSession
from drivers.table_link.device_session import DeviceSession
from drivers.table_link.framing import Deframer, encode_frame
from drivers.table_link.link_events import (
    Commanded,
    ControllerGone,
    Down,
    LinkEvent,
    Memory,
    Received,
    Up,
)

IDENTITY = {
    "capabilities": 15,
    "firmware": (1, 2, 3),
    "serial": "JACK-0001",
    "digest": "0011223344556677",
}


@dataclass
class Trouble:
    """What a wire does, as probabilities; ``delay_s`` is the longest delay of a frame."""

    lose_frame: float = 0.0
    lose_byte: float = 0.0
    double_frame: float = 0.0
    double_byte: float = 0.0
    flip: float = 0.0
    insert: float = 0.0
    byte_by_byte: bool = False
    delay_s: float = 0.001

    @property
    def of_bytes(self) -> bool:
        """Whether any of them happens to single bytes."""
        return any((self.lose_byte, self.double_byte, self.flip, self.insert))


WIRES = {
    "plain": Trouble(),
    "byte by byte": Trouble(byte_by_byte=True),
    "lossy": Trouble(lose_frame=0.2, lose_byte=0.005),
    "duplicating": Trouble(double_frame=0.4, double_byte=0.005),
    "garbling": Trouble(flip=0.005, insert=0.005),
    "delayed": Trouble(delay_s=0.4),
    "unplugged": Trouble(byte_by_byte=True),
}


@dataclass
class Line:
    """One direction of the wire."""

    world: World
    trouble: Trouble
    deliver: Callable[[bytes], None]
    free_at: float = 0.0
    plugged: int = 0  # counts the pulls: bytes under way before one never arrive

    def send(self, payload: bytes) -> None:
        """A frame goes out; what is left of it arrives in order."""
        rng, trouble = self.world.rng, self.trouble
        frame = encode_frame(payload)
        repeats = 2 if rng.random() < trouble.double_frame else 1
        if rng.random() < trouble.lose_frame:
            repeats = 0
        data = frame * repeats
        if trouble.of_bytes:
            data = b"".join(self._suffer(byte) for byte in data)
        pieces = [data[i : i + 1] for i in range(len(data))] if trouble.byte_by_byte else [data]
        at = max(self.free_at, self.world.now + rng.uniform(0.0005, trouble.delay_s))
        for piece in pieces:
            at += 0.0001
            self.world.at(at, self._arrival(piece, self.plugged))
        self.free_at = at

    def _suffer(self, byte: int) -> bytes:
        rng, trouble = self.world.rng, self.trouble
        if rng.random() < trouble.lose_byte:
            return b""
        if rng.random() < trouble.flip:
            byte ^= 1 << rng.randrange(8)
        data = bytes([byte])
        if rng.random() < trouble.double_byte:
            data *= 2
        if rng.random() < trouble.insert:
            data += bytes([rng.randrange(256)])
        return data

    def _arrival(self, piece: bytes, plugged: int) -> Callable[[], None]:
        def arrive() -> None:
            if plugged == self.plugged:
                self.deliver(piece)

        return arrive


@dataclass
class World:
    """A controller, a device and the wire between them."""

    seed: int
    trouble: Trouble
    now: float = 1000.0
    disk: list[tuple[int, int, int]] = field(default_factory=list)  # session, number, offer
    made: list[int] = field(default_factory=list)  # offers of the events made
    numbered: dict[int, tuple[int, int]] = field(default_factory=dict)  # by offer
    acted: list[int] = field(default_factory=list)  # offers of the commands acted on
    heard: list[LinkEvent] = field(default_factory=list)
    gone: int = 0

    def __post_init__(self) -> None:
        self.rng = Random(self.seed)
        self._agenda: list[tuple[float, int, Callable[[], None]]] = []
        self._order = itertools.count()
        self._stored_at = 0.0
        self._stirred = False
        self.open = True
        self.controller_lives = 0
        self.to_device = Line(self, self.trouble, self._at_device)
        self.to_controller = Line(self, self.trouble, self._at_controller)
        self.controller_frames, self.device_frames = Deframer(), Deframer()
        self.start_device(keep_events=False)
        self.start_controller()

    # The two ends

    def start_controller(self) -> None:
        """The controller's process starts, knowing what is on disk and nothing else."""
        self.controller_lives += 1
        resume = self.disk[-1][:2] if self.disk else (0, 0)
        first_id = self.rng.randint(1, 0xFFFF)
        self.controller = ControllerSession("jackpot", resume=resume, first_id=first_id)
        self.controller_frames.clear()
        if self.open:
            self.controller.opened(self.now)
        self._settle()

    def start_device(self, *, keep_events: bool) -> None:
        """The device restarts; where it forgets its events, it names another session."""
        memory: Memory | None = self.device.memory() if keep_events else None
        self.device: DeviceSession = DeviceSession(
            "jackpot",
            **IDENTITY,  # type: ignore[arg-type]
            session_id=self.rng.randint(1, 0xFFFFFFFF),
            memory=memory,
        )
        self.device.started(self.now)
        self.device.opened(self.now)
        self.device_frames.clear()

    def unplug(self, for_s: float) -> None:
        """The cable is pulled, in the middle of whatever is on the line."""
        self.open = False
        self.to_device.plugged += 1
        self.to_controller.plugged += 1
        self.controller.closed(self.now, "the port is gone")
        self.at(self.now + for_s, self._plug_in)
        self._settle()

    def _plug_in(self) -> None:
        self.open = True
        self.controller_frames.clear()
        self.device_frames.clear()
        self.controller.opened(self.now)
        self.device.opened(self.now)
        self._settle()

    def press(self) -> None:
        """The device makes its next event."""
        offer = len(self.made) + 1
        self.made.append(offer)
        number = self.device.event("PRESS", {"offer_id": offer}, self.now)
        self.numbered[offer] = (self.device.session_id, number)
        self._settle()

    def arm(self, offer: int) -> int:
        """The controller commands; the offer tells one command from another."""
        token = self.controller.command("ARM", {"offer_id": offer, "box": 1}, self.now)
        self._settle()
        return token

    # Time

    def at(self, when: float, what: Callable[[], None]) -> None:
        """Do something later."""
        heapq.heappush(self._agenda, (when, next(self._order), what))

    def run(self, for_s: float) -> None:
        """Let time pass, from one thing that happens to the next. Bytes that do not yet make a
        frame change neither half: both are asked again when one does."""
        end = self.now + for_s
        while True:
            self._settle()
            deadlines = (self.controller.deadline(), self.device.deadline())
            due = min((at for at in deadlines if at is not None), default=math.inf)
            if min(due, self._agenda[0][0] if self._agenda else math.inf) > end:
                break
            self._stirred = False
            while not self._stirred and self._agenda and self._agenda[0][0] <= min(due, end):
                at, _, happens = heapq.heappop(self._agenda)
                self.now = max(self.now, at)
                happens()
            if not self._stirred and due <= end:
                self.now = max(self.now, due)
            self.controller.poll(self.now)
            self.device.poll(self.now)
        self.now = end

    def _settle(self) -> None:
        self._stirred = True
        for payload in self.controller.take_output():
            if self.open:
                self.to_device.send(payload)
        for payload in self.device.take_output():
            if self.open:
                self.to_controller.send(payload)
        for event in self.controller.take_events():
            self.heard.append(event)
            if isinstance(event, Received):
                self._stored_at = max(self._stored_at, self.now + self.rng.uniform(0, 0.03))
                self.at(self._stored_at, self._storing(event, self.controller_lives))
        for happened in self.device.take_events():
            if isinstance(happened, Commanded):
                self.acted.append(int(str(happened.fields["offer_id"])))
                self.device.answer(happened.id, {})
                self._settle()
            elif isinstance(happened, ControllerGone):
                self.gone += 1

    def _storing(self, event: Received, life: int) -> Callable[[], None]:
        def store() -> None:
            if life == self.controller_lives:  # a killed controller stores nothing more
                offer = int(str(event.fields["offer_id"]))
                self.disk.append((event.session, event.event_no, offer))
                self.controller.acknowledge(event.session, event.event_no)
                self._settle()

        return store

    def _at_device(self, data: bytes) -> None:
        for payload in self.device_frames.feed(data):
            self.device.receive(payload, self.now)
            self._settle()

    def _at_controller(self, data: bytes) -> None:
        for payload in self.controller_frames.feed(data):
            self.controller.receive(payload, self.now)
            self._settle()

    @property
    def is_up(self) -> bool:
        """Whether the controller was last told that the link is up."""
        states = [event for event in self.heard if isinstance(event, Up | Down)]
        return bool(states) and isinstance(states[-1], Up)
