"""A serial line, by what its other end is.

- :class:`Wire`: a port of this machine, a pseudo-terminal behind a link. The link
  (``/tmp/table/shoe``) is what the controller is configured with; where it leads can change with a
  replug, as with a real adapter (:func:`name_in_use` sees to it). It is put in place whole: made
  beside and renamed. The slave side is kept open here, so that a controller that goes away does not
  hang the line up, as with a cable; ``unplug`` closes both sides, and the controller's descriptor
  hangs up. A controller marks its line as one that nobody else may open (``TIOCEXCL``). On an
  adapter that ends with the process; here it would stay, and refuse the line to the controller that
  comes after one that was killed. So it is taken off as soon as the controller is heard.
- :class:`TtyWire`: a terminal of this machine, by its path: a gadget's serial port
  (``/dev/ttyGS0``), whose cable leads to the controller's machine, or a USB adapter with a
  null-modem cable. Unplugging closes it: what is sent then is lost, as with a device that is off;
  that the cable is pulled only whoever is at it can bring about.
- :class:`SocketWire`: an adapter in another machine, QEMU's ``usb-serial``, which listens on a Unix
  socket (``-chardev socket,server=on``). Connected is plugged in, closed is unplugged, and the
  adapter comes and goes in the guest with it. When QEMU is gone the cable counts as pulled: plug it
  in again.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import socket
import termios
import tty
from collections.abc import Iterator
from pathlib import Path

from simulators.lines.serial_line import SerialLine


@contextlib.contextmanager
def name_in_use(port: str) -> Iterator[None]:
    """While it lasts, no other pseudo-terminal gets the name ``port``, which is one's now.

    The kernel gives the lowest number that is free, and it is free once nobody has the terminal
    open, on either side.
    """
    held = os.open(port, os.O_RDWR | os.O_NOCTTY)
    try:
        yield
    finally:
        os.close(held)


class Wire(SerialLine):
    """One end of a line, plugged in or not."""

    def __init__(self, link: Path, seed: int = 0) -> None:
        super().__init__(seed)
        self.link = link
        self._master = -1
        self._slave = -1
        self._name: str | None = None

    @property
    def fd(self) -> int:
        """The descriptor to wait on, or -1 while unplugged."""
        return self._master

    @property
    def port(self) -> str | None:
        """Where the link leads now."""
        return self._name

    def plug(self) -> None:
        """Appear behind the same link, under whatever name the kernel gives."""
        if self._master >= 0:
            return
        self._master, self._slave = os.openpty()
        self._name = os.ttyname(self._slave)
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self._plugged()
        beside = self.link.with_name(f".{self.link.name}.{os.getpid()}")
        beside.unlink(missing_ok=True)
        beside.symlink_to(self._name)
        beside.replace(self.link)

    def read_arrived(self) -> bytes:
        """What has arrived; whoever sent it may be followed by another."""
        data = super().read_arrived()
        if data and self._slave >= 0:
            fcntl.ioctl(self._slave, termios.TIOCNXCL)
        return data

    def unplug(self) -> None:
        """Vanish: first the name, then the line."""
        if self._master < 0:
            return
        with contextlib.suppress(OSError):
            if str(self.link.readlink()) == self._name:
                self.link.unlink()
        # The slave first: a controller's read then ends with the hang-up of the master, not before.
        os.close(self._slave)
        os.close(self._master)
        self._master = self._slave = -1
        self._name = None


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


class TtyWire(SerialLine):
    """One end of a line, plugged in or not."""

    def __init__(self, path: Path, seed: int = 0) -> None:
        super().__init__(seed)
        self.path = path
        self._fd = -1

    @property
    def fd(self) -> int:
        """The descriptor to wait on, or -1 while unplugged."""
        return self._fd

    @property
    def port(self) -> str | None:
        """The terminal."""
        return str(self.path) if self._fd >= 0 else None

    def plug(self) -> None:
        """Open it. Raises ``ValueError`` when it cannot be."""
        if self._fd >= 0:
            return
        try:
            self._fd = os.open(self.path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC)
            tty.setraw(self._fd)
        except (OSError, termios.error) as error:
            self.unplug()
            raise ValueError(f"no terminal at {self.path}: {error}") from error
        self._plugged()

    def unplug(self) -> None:
        """Close it."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
