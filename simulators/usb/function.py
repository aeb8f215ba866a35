"""The unit as its bus sees it: control requests, two interrupt endpoints, halts. No I/O.

- A unit may be seen by several hosts: each reads descriptors; interrupt IN packets go to the one
  that asked for them last. Until somebody asks, the newest 64 wait.
- An endpoint that is halted answers STALL until the halt is cleared. On IN that is one interrupt
  packet with status STALL; a ``ReceivingStatus`` alone wakes no reader behind an xHCI controller.
- A foreign one says at plugging in that its interface is another: somebody else's device.
- A silent unit completes no transfer until it speaks again; only what a kernel reads once, at
  plugging in, is still told (device and configuration descriptors).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final, Protocol

from simulators.usb.descriptors import (
    CONFIGURATION,
    DEVICE,
    ENDPOINT_IN,
    ENDPOINT_OUT,
    FOREIGN,
    PACKET_BYTES,
    string,
    strings_of,
)
from simulators.usb.packets import (
    BABBLE,
    INVALID,
    STALL,
    SUCCESS,
    AltSettingStatus,
    ConfigurationStatus,
    Control,
    GetAltSetting,
    GetConfiguration,
    Interrupt,
    Packet,
    ReceivingStatus,
    Reset,
    SetAltSetting,
    SetConfiguration,
    StartReceiving,
    StopReceiving,
)

ENDPOINTS_BOTH: Final = (ENDPOINT_IN, ENDPOINT_OUT)
MOST_WAITING: Final = 64
GET_STATUS, CLEAR_FEATURE, SET_FEATURE, GET_DESCRIPTOR = 0, 1, 3, 6
IN, TO_ENDPOINT = 0x80, 0x02
HALT: Final = 0


class Host(Protocol):
    """Who sees the unit; :class:`simulators.usb.seat.Seat` is one."""

    def send(self, number: int, packet: Packet) -> None:
        """Put a packet on the way to it."""


class Function:
    """One unit. ``takes(packet)`` is asked for every OUT packet; False leaves it in the air."""

    def __init__(self, kind: str, serial: str, takes: Callable[[bytes], bool]) -> None:
        self._strings = strings_of(kind, serial)
        self._takes = takes
        self.configuration = 1
        self.halted: set[int] = set()
        self.silent = False
        self.foreign = False
        self.halts_cleared = 0
        self._waiting: deque[bytes] = deque(maxlen=MOST_WAITING)
        self._reader: Host | None = None
        self._sent = 0

    def attached(self) -> None:
        """It is put on a bus: nothing is halted, nothing waits."""
        self.configuration = 1
        self.halted.clear()
        self._waiting.clear()
        self._reader = None

    def stall(self, *endpoints: int) -> None:
        """Halt these endpoints."""
        self.halted.update(endpoints)
        if ENDPOINT_IN in endpoints:
            self._tell_stall()

    def send_packet(self, packet: bytes) -> None:
        """An interrupt IN packet."""
        self._waiting.append(packet)
        self.flush()

    def flush(self) -> None:
        """Send what waits, if it may go."""
        while self._waiting and self._reader and not self.silent:
            if ENDPOINT_IN in self.halted:
                return
            packet = self._waiting.popleft()
            fits = len(packet) <= PACKET_BYTES
            self._interrupt(SUCCESS if fits else BABBLE, packet[:PACKET_BYTES])

    def leave(self, host: Host) -> None:
        """A host is gone."""
        if self._reader is host:
            self._reader = None

    def answer(self, host: Host, packet: Packet) -> Packet | None:
        """What is answered to a packet of a host; None: nothing yet."""
        match packet:
            case Control():
                return self._control(packet)
            case Interrupt(endpoint=endpoint, data=data):
                return self._out(endpoint, data)
            case StartReceiving(endpoint=endpoint) | StopReceiving(endpoint=endpoint):
                return self._receiving(host, endpoint, start=isinstance(packet, StartReceiving))
            case SetConfiguration(configuration=wanted):
                valid = wanted in (0, 1)
                self.configuration = wanted if valid else self.configuration
                self.halted.clear()
                return ConfigurationStatus(SUCCESS if valid else STALL, self.configuration)
            case GetConfiguration():
                return ConfigurationStatus(SUCCESS, self.configuration)
            case SetAltSetting(interface=interface, alternate=alternate):
                valid = (interface, alternate) == (0, 0)
                return AltSettingStatus(SUCCESS if valid else STALL, interface, 0)
            case GetAltSetting(interface=interface):
                return AltSettingStatus(SUCCESS if interface == 0 else STALL, interface, 0)
            case Reset():
                self.halted.clear()
                self.leave(host)
        return None

    def _control(self, ask: Control) -> Control | None:
        read_at_plugging = ask.request == GET_DESCRIPTOR and ask.value >> 8 in (1, 2)
        if self.silent and not read_at_plugging:
            return None
        answer = self._in(ask) if ask.requesttype & IN else self._feature(ask)
        status, data = (STALL, b"") if answer is None else (SUCCESS, answer[: ask.length])
        length = len(data) if ask.requesttype & IN else ask.length
        numbers = (ask.endpoint, ask.request, ask.requesttype, status, ask.value, ask.index)
        return Control(*numbers, length, data)

    def _in(self, ask: Control) -> bytes | None:
        if ask.request == GET_STATUS:
            halted = ask.requesttype & 3 == TO_ENDPOINT and ask.index in self.halted
            return bytes([halted, 0])
        if (ask.requesttype, ask.request) != (IN, GET_DESCRIPTOR):
            return None
        kind, index = ask.value >> 8, ask.value & 0xFF
        if kind == 3:
            return string(index, self._strings)
        configuration = FOREIGN if self.foreign else CONFIGURATION
        return {(1, 0): DEVICE, (2, 0): configuration}.get((kind, index))

    def _feature(self, ask: Control) -> bytes | None:
        known = ask.index in ENDPOINTS_BOTH and ask.value == HALT
        if ask.requesttype != TO_ENDPOINT or not known:
            return None
        if ask.request == CLEAR_FEATURE:
            self.halts_cleared += 1
            self.halted.discard(ask.index)
        elif ask.request == SET_FEATURE:
            self.stall(ask.index)
        else:
            return None
        return b""

    def _out(self, endpoint: int, data: bytes) -> Interrupt | None:
        if endpoint != ENDPOINT_OUT or not self.configuration:
            return Interrupt(endpoint, INVALID, 0)
        if endpoint in self.halted:
            return Interrupt(endpoint, STALL, 0)
        if self.silent or not self._takes(data):
            return None
        return Interrupt(endpoint, SUCCESS, len(data))

    def _receiving(self, host: Host, endpoint: int, *, start: bool) -> ReceivingStatus:
        if endpoint != ENDPOINT_IN or not self.configuration:
            return ReceivingStatus(INVALID, endpoint)
        self.leave(host)
        if start:
            self._reader = host
        return ReceivingStatus(SUCCESS, endpoint)

    def reading(self) -> None:
        """The host knows that its reading has begun: what waits follows, or the halt."""
        if ENDPOINT_IN in self.halted:
            self._tell_stall()
        self.flush()

    def _tell_stall(self) -> None:
        if self._reader:
            self._interrupt(STALL, b"")

    def _interrupt(self, status: int, data: bytes) -> None:
        assert self._reader
        self._sent = (self._sent + 1) & 0xFFFFFFFF
        self._reader.send(self._sent, Interrupt(ENDPOINT_IN, status, len(data), data))
