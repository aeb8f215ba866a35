"""The two ways to be plugged into a USB bus that is a Unix socket.

- :class:`UsbPort`: the unit listens, and its file is there exactly while it is plugged in (a twin
  that is killed leaves one to which nobody can connect). A folder of such files is a bus.
- :class:`UsbSocket`: the unit connects to a host that listens (QEMU's ``usb-redir`` on a
  ``chardev`` socket). When the host is gone, the cable counts as pulled: plug it in again.
"""

from __future__ import annotations

import contextlib
import os
import select
import socket
from pathlib import Path

from simulators.usb.line import UsbLine


class UsbPort(UsbLine):
    """A unit that listens for its hosts."""

    def __init__(self, path: Path, kind: str, serial: str) -> None:
        super().__init__(path, kind, serial)
        self._listener: socket.socket | None = None

    def _attach(self, poll: select.epoll) -> None:
        # Made beside and renamed: a host that sees the file finds the unit listening.
        beside = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        beside.unlink(missing_ok=True)
        self._listener = socket.socket(socket.AF_UNIX)
        try:
            self._listener.bind(str(beside))
            self._listener.listen()
            self._listener.setblocking(False)
            beside.rename(self.path)
        except OSError:
            self._listener.close()
            raise
        poll.register(self._listener.fileno(), select.EPOLLIN)

    def _detach(self) -> None:
        self.path.unlink(missing_ok=True)
        if self._listener:
            self._listener.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            assert self._listener
            self._greet(self._listener.accept()[0])


class UsbSocket(UsbLine):
    """A unit that connects to its one host."""

    def _attach(self, poll: select.epoll) -> None:
        host = socket.socket(socket.AF_UNIX)
        try:
            host.connect(str(self.path))
        except OSError:
            host.close()
            raise
        self._greet(host)
        self._flush()

    def _lost(self, fd: int) -> None:
        self.unplug()
