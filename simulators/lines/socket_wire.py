"""A serial line whose other end is an adapter in another machine: QEMU's ``usb-serial``.

QEMU listens on a Unix socket (``-chardev socket,server=on``); connected is plugged in, closed is
unplugged, and the adapter comes and goes in the guest with it. When QEMU is gone the cable counts
as pulled: plug it in again.
"""

from __future__ import annotations

import socket
from pathlib import Path

from simulators.lines.serial_line import SerialLine


class SocketWire(SerialLine):
    """One end of a line, plugged in or not."""

    def __init__(self, path: Path, seed: int = 0) -> None:
        super().__init__(seed)
        self.path = path
        self._socket: socket.socket | None = None

    @property
    def fd(self) -> int:
        """The descriptor to wait on, or -1 while unplugged."""
        return self._socket.fileno() if self._socket else -1

    @property
    def port(self) -> str | None:
        """The socket."""
        return str(self.path) if self._socket else None

    def plug(self) -> None:
        """Connect. Raises ``ValueError`` when nobody listens."""
        if self._socket is not None:
            return
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(str(self.path))
        except OSError as error:
            connection.close()
            raise ValueError(f"no serial adapter at {self.path}: {error.strerror}") from error
        connection.setblocking(False)
        self._socket = connection
        self._plugged()

    def unplug(self) -> None:
        """Close."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None
