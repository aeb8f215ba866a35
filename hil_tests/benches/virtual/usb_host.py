"""The host's side of usbredir, for the rig's own bus: one connection to one unit.

A thread of its own reads what the unit sends: whoever waits for an answer gets it, and packets of
the interrupt IN endpoint are queued in :attr:`UsbHost.heard`.
"""

from __future__ import annotations

import contextlib
import errno
import queue
import socket
import threading
from concurrent.futures import Future, wait
from pathlib import Path
from typing import Final

from simulators.usb.packets import (
    CancelData,
    ConfigurationStatus,
    Control,
    DeviceConnect,
    Interrupt,
    Packet,
    ProtocolError,
    ReceivingStatus,
    Reset,
    SetConfiguration,
    StartReceiving,
    StopReceiving,
)
from simulators.usb.stream import Stream

READ_BYTES: Final = 1 << 16
PLUGGING_S: Final = 5.0
CANCELLING_S: Final = 2.0
IN: Final = 0x80
GET_DESCRIPTOR: Final = 6
CLEAR_FEATURE: Final = 1
TO_ENDPOINT: Final = 2
SETUP_S: Final = 5.0


class Gone(OSError):
    """The unit is not there, or not any more: the kernel's ENODEV."""

    def __init__(self, words: str) -> None:
        super().__init__(errno.ENODEV, words)


class TimedOut(OSError):
    """The transfer was not completed in time, and has been cancelled: the kernel's ETIMEDOUT."""

    def __init__(self, words: str) -> None:
        super().__init__(errno.ETIMEDOUT, words)


class UsbHost:
    """A unit as a host sees it; any thread may call. In ``heard`` None stands behind the last
    packet once the unit is gone."""

    def __init__(self, path: Path) -> None:
        """Connect and learn the unit.

        Raises:
            Gone: nobody is there.
            PermissionError: the socket may not be opened.
        """
        self.heard: queue.SimpleQueue[Interrupt | None] = queue.SimpleQueue()
        self._stream = Stream("table-link rig")
        self._lock = threading.Lock()
        self._open: dict[int, Future[Packet]] = {}
        self._last = 0
        self._known = threading.Event()
        self.unit: DeviceConnect | None = None
        self._ended = False
        self._socket = socket.socket(socket.AF_UNIX)
        try:
            self._socket.connect(str(path))
            self._socket.sendall(self._stream.hello())
        except OSError as error:
            self._socket.close()
            if isinstance(error, PermissionError):
                raise
            raise Gone(f"{path}: {error.strerror}") from error
        self._thread = threading.Thread(
            target=self._read_packets, name=f"usb host {path.name}", daemon=True
        )
        self._thread.start()
        if not self._known.wait(PLUGGING_S) or self.unit is None:
            self.close()
            raise Gone(f"{path}: no unit has told what it is")

    def answer_to(self, packet: Packet, limit_s: float | None = SETUP_S) -> Packet:
        """Send a packet and wait for its answer; ``limit_s`` None waits for ever.

        Raises:
            TimedOut: it has been cancelled.
            Gone: the unit was unplugged, in the middle of it or before.
        """
        with self._lock:
            if self._ended:
                raise Gone("the unit was unplugged")
            self._last = number = self._last % 0xFFFFFFFF + 1
            answer = self._open[number] = Future()
            self._send(number, packet)
        late = not wait([answer], limit_s).done
        if late:
            with self._lock:
                if number in self._open:
                    self._send(number, CancelData())
            wait([answer], CANCELLING_S)
        if not answer.done() or (late and getattr(answer.result(), "status", False)):
            with self._lock:
                self._open.pop(number, None)
            raise TimedOut(f"{type(packet).__name__} after {limit_s} s")
        return answer.result()

    # ---- what hosts do ------------------------------------------------------------------------

    def descriptor(self, kind: int, length: int) -> bytes:
        """A descriptor that is read at plugging in: 1 device, 2 configuration."""
        answer = self.answer_to(Control(IN, GET_DESCRIPTOR, IN, 0, kind << 8, 0, length))
        assert isinstance(answer, Control)
        return answer.data

    def configure(self, number: int) -> ConfigurationStatus:
        """SET_CONFIGURATION."""
        answer = self.answer_to(SetConfiguration(number))
        assert isinstance(answer, ConfigurationStatus)
        return answer

    def clear_halt(self, endpoint: int) -> Control:
        """CLEAR_FEATURE(ENDPOINT_HALT)."""
        answer = self.answer_to(Control(0, CLEAR_FEATURE, TO_ENDPOINT, 0, 0, endpoint, 0))
        assert isinstance(answer, Control)
        return answer

    def receive(self, endpoint: int, *, start: bool) -> ReceivingStatus:
        """Begin or end to be sent what comes of an interrupt IN endpoint."""
        answer = self.answer_to(StartReceiving(endpoint) if start else StopReceiving(endpoint))
        assert isinstance(answer, ReceivingStatus)
        return answer

    def reset(self) -> None:
        """Reset the unit."""
        with self._lock:
            if not self._ended:
                self._send(0, Reset())

    def close(self) -> None:
        """Let the unit go; what is under way ends as if it were gone."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join()

    # ---- inside -------------------------------------------------------------------------------

    def _send(self, number: int, packet: Packet) -> None:
        with contextlib.suppress(OSError):  # the reading thread sees it, too
            self._socket.sendall(self._stream.encode(number, packet))

    def _read_packets(self) -> None:
        with contextlib.suppress(OSError, ProtocolError):
            while data := self._socket.recv(READ_BYTES):
                for number, packet in self._stream.feed(data):
                    self._take_packet(number, packet)
        with self._lock:
            self._ended = True
            left, self._open = self._open, {}
            self._socket.close()
        for answer in left.values():
            answer.set_exception(Gone("the unit was unplugged"))
        self._known.set()
        self.heard.put(None)

    def _take_packet(self, number: int, packet: Packet) -> None:
        if isinstance(packet, DeviceConnect):
            self.unit = packet
            self._known.set()
        elif isinstance(packet, Interrupt) and packet.endpoint & IN:
            self.heard.put(packet)
        else:
            with self._lock:
                answer = self._open.pop(number, None)
            if answer is not None:
                answer.set_result(packet)
