"""A serial line whose other end is a port of this machine: a pseudo-terminal behind a link.

- The link (``/tmp/table/shoe``) is what the controller is configured with; where it leads can
  change with a replug, as with a real adapter (:func:`name_in_use` sees to it). It is put in
  place whole: made beside and renamed.
- The slave side is kept open here, so that a controller that goes away does not hang the line up,
  as with a cable; ``unplug`` closes both sides, and the controller's descriptor hangs up.
- A controller marks its line as one that nobody else may open (``TIOCEXCL``). On an adapter that
  ends with the process; here it would stay, and refuse the line to the controller that comes after
  one that was killed. So it is taken off as soon as the controller is heard.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
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

    def read(self) -> bytes:
        """What has arrived; whoever sent it may be followed by another."""
        data = super().read()
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
