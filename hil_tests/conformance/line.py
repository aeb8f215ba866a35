"""An open line to the device that is examined: payloads, bytes as they are, and when they came.

What arrives and is no payload is kept in ``damaged``: a device on a good line sends nothing else.
"""

from __future__ import annotations

import errno
import os
import select
import threading
import time
from collections.abc import Callable
from typing import Final, Protocol

import usb.core

from drivers.api import DriverError
from drivers.carriers.serial_port import close_port, open_port
from drivers.carriers.usb_unit import UsbUnit, open_unit
from drivers.registry import USB_FORM
from drivers.table_link.framing import DELIMITER, Deframer, encode_frame

BAUD: Final = 115_200
OPENING_S: Final = 20.0
"""An adapter just plugged in takes its time to be there."""

AGAIN_S: Final = 0.1
READ_BYTES: Final = 4096
USB_WRITE_S: Final = 1.0


class Line(Protocol):
    """Payloads one by one; ``DriverError`` when the line has gone."""

    @property
    def damaged(self) -> int:
        """How much has arrived that is no frame."""

    def send(self, payload: bytes) -> None:
        """Send a payload as the carrier wants it."""

    def write(self, data: bytes) -> None:
        """Send bytes as they are: a piece of a frame, or a packet."""

    def receive(self, within_s: float) -> list[bytes]:
        """What has come, as soon as something has, at the latest after that time."""

    def close(self) -> None:
        """Give the line back."""


class SerialLine:
    """A serial port, for this process alone."""

    def __init__(self, path: str, baud: int = BAUD) -> None:
        self._path = path
        self._port = open_port(path, baud)
        self._deframer = Deframer()
        self.write(DELIMITER)

    @property
    def damaged(self) -> int:
        """Frames that are not COBS, and runs of bytes without an end."""
        return self._deframer.bad_frames + self._deframer.noise

    def send(self, payload: bytes) -> None:
        """A frame."""
        self.write(encode_frame(payload))

    def write(self, data: bytes) -> None:
        """Bytes."""
        try:
            os.write(self._port.fileno(), data)
        except OSError as error:
            raise DriverError(f"{self._path} has hung up") from error

    def receive(self, within_s: float) -> list[bytes]:
        """See :class:`Line`."""
        fd = self._port.fileno()
        if not select.select([fd], [], [], max(within_s, 0))[0]:
            return []
        try:
            data = os.read(fd, READ_BYTES)
        except OSError as error:
            raise DriverError(f"{self._path} has hung up") from error
        if not data:
            raise DriverError(f"{self._path} has hung up")
        return self._deframer.feed(data)

    def close(self) -> None:
        """See :class:`Line`."""
        close_port(self._port)


class UsbLine:
    """A USB unit, for this process alone."""

    damaged = 0

    def __init__(self, wanted: str) -> None:
        self._wanted = wanted
        self._unit: UsbUnit | None = open_unit(wanted)

    def send(self, payload: bytes) -> None:
        """A packet."""
        self.write(payload)

    def write(self, data: bytes) -> None:
        """A packet."""
        try:
            self._open.write(data, USB_WRITE_S)
        except usb.core.USBError as error:
            raise DriverError(f"{self._wanted}: {error}") from error

    def receive(self, within_s: float) -> list[bytes]:
        """See :class:`Line`. An empty packet is nothing."""
        try:
            packet = self._open.read_packet(max(within_s, 0.001))
        except usb.core.USBTimeoutError:
            return []
        except usb.core.USBError as error:
            if error.errno == errno.ETIMEDOUT:
                return []
            raise DriverError(f"{self._wanted}: {error}") from error
        return [packet] if packet else []

    def close(self) -> None:
        """See :class:`Line`."""
        unit, self._unit = self._unit, None
        if unit:
            unit.close()

    @property
    def _open(self) -> UsbUnit:
        if self._unit is None:
            raise DriverError(f"{self._wanted} is closed")
        return self._unit


def open_line(port: str, baud: int = BAUD, within_s: float = OPENING_S) -> Line:
    """The serial port, or the USB unit ``VENDOR:PRODUCT[:SERIAL]``, as soon as it is there.

    Raises:
        DriverError: it is not there in time, or may not be used.
    """
    opening: Callable[[], Line]
    opening = (
        (lambda: UsbLine(port)) if USB_FORM.fullmatch(port) else lambda: SerialLine(port, baud)
    )
    until = time.monotonic() + within_s
    while True:
        try:
            return opening()
        except DriverError:
            if time.monotonic() > until:
                raise
        threading.Event().wait(AGAIN_S)  # an adapter tells nobody that it is there
