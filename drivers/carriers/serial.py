"""The serial carrier: one line, kept open by name, in the event loop without a thread.

- Readiness comes from the loop (``add_reader``); a portion read is handed on in the same callback.
- What the kernel does not take at once is kept and written when it does, 4 KiB at most: a peer that
  does not read loses the link, the process does not grow.
- Before use what was buffered is thrown away and one 0x00 (``opening``) is sent, so that half a
  frame of an earlier connection does not become the start of the first new one (protocol section
  2).
- The name is resolved again at every attempt: after a replug it may lead elsewhere.
"""

from __future__ import annotations

import asyncio
import errno
import os
from collections.abc import Mapping

import serial

from drivers.api import DriverError
from drivers.carriers.base import Backoff, CarrierListener
from drivers.carriers.serial_port import close_port, open_port, same_line

MAX_PENDING_BYTES = 4096
"""About 0.35 s of a line at 115200 baud, and more than a session ever has under way."""

READ_BYTES = 4096
DELIMITER = b"\x00"


class SerialCarrier:
    """One serial line as a :class:`drivers.carriers.base.Carrier`.

    ``opening`` is sent first after every opening; a protocol of lines gives its end of line.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        path: str,
        baud: int,
        listener: CarrierListener,
        opening: bytes = DELIMITER,
    ) -> None:
        self._loop = loop
        self._path = path
        self._baud = baud
        self._listener = listener
        self._opening = opening
        self._port: serial.Serial | None = None
        self._fd = -1
        self._pending = bytearray()
        self._backoff = Backoff()
        self._retry: asyncio.TimerHandle | None = None
        self._closed = False
        self.errno: int | None = None
        self._counts = dict.fromkeys(
            (
                *("opened", "open_failed", "lost", "overrun"),
                *("bytes_in", "bytes_out", "reads", "reads_in_vain"),
            ),
            0,
        )

    def start(self) -> None:
        """Open the line, or say why not and try again later."""
        if self._closed or self._port is not None:
            return
        self._retry = None
        try:
            self._port = open_port(self._path, self._baud)
        except DriverError as error:
            self._counts["open_failed"] += 1
            self.errno = error.errno
            self._open_later(str(error))
            return
        self.errno = None
        self._fd = self._port.fileno()
        self._counts["opened"] += 1
        self._loop.add_reader(self._fd, self._readable)
        self.send(self._opening)
        if self._port is not None:
            self._listener.carrier_opened()

    def send(self, data: bytes) -> None:
        """Write what the kernel takes now and keep the rest, in order."""
        if self._port is None:
            return
        if self._pending:
            if len(self._pending) + len(data) > MAX_PENDING_BYTES:
                self._counts["overrun"] += 1
                self.restart(f"{self._path}: the device does not take what is sent to it")
                return
            self._pending += data
            return
        written = self._write(data)
        if 0 <= written < len(data):
            self._pending += data[written:]
            self._loop.add_writer(self._fd, self._writable)

    def restart(self, reason: str) -> None:
        """Close the line and open it again after the backoff's delay."""
        if self._port is None:
            return
        self._counts["lost"] += 1
        self._release()
        self._open_later(reason)

    def recheck(self) -> None:
        """Give the line up when its name leads elsewhere by now, or nowhere."""
        if self._port is not None and not same_line(self._port, self._path):
            self.restart(f"{self._path} no longer leads to the port that was opened")

    def statistics(self) -> Mapping[str, int]:
        """``opened``, ``open_failed``, ``lost``, ``overrun`` (peer did not read), bytes, reads, and
        ``reads_in_vain``: the line was readable and had nothing, so somebody else reads it, too."""
        return dict(self._counts)

    async def close(self) -> None:
        """Close the line finally; what was not written yet is dropped."""
        self._closed = True
        if self._retry is not None:
            self._retry.cancel()
            self._retry = None
        self._release()

    def _readable(self) -> None:
        self._counts["reads"] += 1
        try:
            data = os.read(self._fd, READ_BYTES)
        except InterruptedError:
            return
        except BlockingIOError:
            self._counts["reads_in_vain"] += 1
            return
        except OSError as error:
            self._hung_up(error)
            return
        if not data:
            self.errno = errno.EIO
            self.restart(f"{self._path} has hung up")
            return
        self._backoff.reset()
        self._counts["bytes_in"] += len(data)
        self._listener.carrier_received(data)

    def _writable(self) -> None:
        written = self._write(bytes(self._pending))
        if written < 0:
            return
        del self._pending[:written]
        if not self._pending:
            self._loop.remove_writer(self._fd)

    def _write(self, data: bytes) -> int:
        """How much was taken; -1 when the line was lost over it."""
        try:
            written = os.write(self._fd, data)
        except (BlockingIOError, InterruptedError):
            return 0
        except OSError as error:
            self._hung_up(error)
            return -1
        self._counts["bytes_out"] += written
        return written

    def _hung_up(self, error: OSError) -> None:
        self.errno = error.errno
        self.restart(f"{self._path} has hung up ({error.strerror})")

    def _release(self) -> None:
        if self._port is None:
            return
        self._loop.remove_reader(self._fd)
        self._loop.remove_writer(self._fd)
        close_port(self._port)
        self._port = None
        self._fd = -1
        self._pending.clear()

    def _open_later(self, reason: str) -> None:
        # The attempt is arranged before anyone hears of the loss: a listener that closes the
        # carrier over the news then cancels it.
        self._retry = self._loop.call_later(self._backoff.next_s(), self.start)
        self._listener.carrier_closed(reason)
