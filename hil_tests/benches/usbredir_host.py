"""The host's side of usbredir, for the rig's own buses: one connection to one unit.

- A thread of its own reads what the unit sends; whoever asked is called from it, once, with the
  answer, or with None when the unit is gone.
- :meth:`UsbHost.answer_to` is the same for who can wait: on its time limit the transfer is
  cancelled.
- Packets of the interrupt IN endpoint go to ``heard``.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable
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

Done = Callable[[Packet | None], None]


class Gone(Exception):
    """The unit is not there, or not any more."""


class TimedOut(Exception):
    """The transfer was not completed in time; it has been cancelled."""


class UsbHost:
    """A unit as a host sees it. Any thread may call; ``heard`` and ``gone`` are called from the
    connection's own."""

    def __init__(
        self,
        path: Path,
        heard: Callable[[Interrupt], None] = lambda packet: None,
        gone: Callable[[], None] = lambda: None,
    ) -> None:
        """Connect and learn the unit.

        Raises:
            Gone: nobody is there.
            PermissionError: the socket may not be opened.
        """
        self._heard, self._gone = heard, gone
        self._stream = Stream("table-link rig")
        self._lock = threading.Lock()
        self._open: dict[int, Done] = {}
        self._last = 0
        self._known = threading.Event()
        self.unit: DeviceConnect | None = None
        self._ended = False
        self._socket = socket.socket(socket.AF_UNIX)
        try:
            self._socket.connect(str(path))
            self._socket.sendall(self._stream.hello())
        except PermissionError:
            self._socket.close()
            raise
        except OSError as error:
            self._socket.close()
            raise Gone(f"{path}: {error.strerror}") from error
        self._thread = threading.Thread(
            target=self._read_packets, name=f"usb host {path.name}", daemon=True
        )
        self._thread.start()
        if not self._known.wait(PLUGGING_S) or self.unit is None:
            self.close()
            raise Gone(f"{path}: no unit has told what it is")

    def submit(self, packet: Packet, done: Done) -> int:
        """Send a packet that is answered; its number, for :meth:`cancel`."""
        with self._lock:
            if not self._ended:
                self._last = self._last % 0xFFFFFFFF + 1
                number = self._last
                self._open[number] = done
                self._send(number, packet)
                return number
        done(None)
        return 0

    def cancel(self, number: int) -> None:
        """Ask for the end of a transfer; its ``done`` is called when it has ended."""
        with self._lock:
            if number in self._open:
                self._send(number, CancelData())

    def answer_to(self, packet: Packet, limit_s: float | None = SETUP_S) -> Packet:
        """Send a packet and wait for its answer; ``limit_s`` None waits for ever.

        Raises:
            TimedOut: it has been cancelled.
            Gone: the unit was unplugged, in the middle of it or before.
        """
        ended = threading.Event()
        answers: list[Packet | None] = []

        def note_answer(answer: Packet | None) -> None:
            answers.append(answer)
            ended.set()

        number = self.submit(packet, note_answer)
        late = not ended.wait(limit_s)
        if late:
            self.cancel(number)
            ended.wait(CANCELLING_S)
        answer = answers[0] if answers else None
        if answers and answer is None:
            raise Gone("the unit was unplugged")
        if answer is None or (late and getattr(answer, "status", False)):
            with self._lock:
                self._open.pop(number, None)
            raise TimedOut(f"{type(packet).__name__} after {limit_s} s")
        return answer

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
        if threading.current_thread() is not self._thread:
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
        for done in left.values():
            done(None)
        self._known.set()
        self._gone()

    def _take_packet(self, number: int, packet: Packet) -> None:
        if isinstance(packet, DeviceConnect):
            self.unit = packet
            self._known.set()
        elif isinstance(packet, Interrupt) and packet.endpoint & IN:
            self._heard(packet)
        else:
            with self._lock:
                done = self._open.pop(number, None)
            if done is not None:
                done(packet)
