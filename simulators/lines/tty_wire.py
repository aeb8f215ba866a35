"""A serial line whose other end is somebody else's: a terminal of this machine, by its path.

Such as a gadget's serial port (``/dev/ttyGS0``), whose cable leads to the controller's machine, or
a USB adapter with a null-modem cable. Unplugging closes it: what is sent then is lost, as with a
device that is off; that the cable is pulled only whoever is at it can bring about.
"""

from __future__ import annotations

import os
import termios
import tty
from pathlib import Path

from simulators.lines.serial_line import SerialLine


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
