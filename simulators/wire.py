"""A device's end of a serial line: a pseudo-terminal behind a link that keeps its name.

- The link (``/tmp/table/shoe``) is what the controller is configured with; where it leads changes
  with every replug, as with a real adapter. It is put in place whole: made beside and renamed.
- The slave side is kept open here, so that a controller that goes away does not hang the line up,
  as with a cable; ``unplug`` closes both sides, and the controller's descriptor hangs up.
- A line takes what it can: bytes that nobody reads are lost, the device never waits for them.
- Damage is done here, byte by byte, from a seed: flipped bits, dropped, doubled and inserted bytes.
"""

from __future__ import annotations

import contextlib
import os
import random
import tty
from dataclasses import dataclass
from pathlib import Path

READ_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Noise:
    """How bad the line is: the chance of each kind of damage per byte, and the direction."""

    flip: float = 0.0
    drop: float = 0.0
    double: float = 0.0
    insert: float = 0.0
    inward: bool = True
    outward: bool = True


QUIET = Noise()


class Wire:
    """One end of a line, plugged in or not."""

    def __init__(self, link: Path, seed: int = 0) -> None:
        self.link = link
        self.noise = QUIET
        self.bytes_in = 0
        self.bytes_out = 0
        self.bytes_lost = 0
        self.plugs = 0
        self._random = random.Random(seed)  # noqa: S311 - damage must be repeatable, not secret
        self._master = -1
        self._slave = -1
        self._cut_after: int | None = None

    @property
    def fd(self) -> int:
        """The descriptor to wait on, or -1 while unplugged."""
        return self._master

    @property
    def port(self) -> str | None:
        """Where the link leads now."""
        return os.ttyname(self._slave) if self._slave >= 0 else None

    def plug(self) -> None:
        """Appear under another name behind the same link."""
        if self._master >= 0:
            return
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self._cut_after = None
        self.plugs += 1
        beside = self.link.with_name(f".{self.link.name}.{os.getpid()}")
        beside.unlink(missing_ok=True)
        beside.symlink_to(os.ttyname(self._slave))
        beside.replace(self.link)

    def unplug(self) -> None:
        """Vanish: first the name, then the line."""
        if self._master < 0:
            return
        with contextlib.suppress(OSError):
            if self.link.readlink() == Path(os.ttyname(self._slave)):
                self.link.unlink()
        # The slave first: a controller's read then ends with the hang-up of the master, not before.
        os.close(self._slave)
        os.close(self._master)
        self._master = self._slave = -1

    def cut_after(self, count: int) -> None:
        """Pull the cable once ``count`` more bytes have been sent: in the middle of a frame."""
        self._cut_after = count

    def read(self) -> bytes:
        """What has arrived, damaged on the way if the line is bad."""
        if self._master < 0:
            return b""
        try:
            data = os.read(self._master, READ_BYTES)
        except (BlockingIOError, OSError):
            return b""
        self.bytes_in += len(data)
        return self._damage(data) if self.noise.inward else data

    def write(self, data: bytes) -> None:
        """Send; what the line does not take is lost."""
        if self._master < 0 or not data:
            return
        if self.noise.outward:
            data = self._damage(data)
        cut = self._cut_after is not None and len(data) >= self._cut_after
        if cut:
            data = data[: self._cut_after]
        elif self._cut_after is not None:
            self._cut_after -= len(data)
        try:
            written = os.write(self._master, data) if data else 0
        except OSError:
            written = 0
        self.bytes_out += written
        self.bytes_lost += len(data) - written
        if cut:
            self.unplug()

    def _damage(self, data: bytes) -> bytes:
        noise, roll = self.noise, self._random.random
        if noise is QUIET:
            return data
        out = bytearray()
        for byte in data:
            if roll() < noise.drop:
                continue
            out.append(byte ^ (1 << self._random.randrange(8)) if roll() < noise.flip else byte)
            if roll() < noise.double:
                out.append(out[-1])
            if roll() < noise.insert:
                out.append(self._random.randrange(256))
        return bytes(out)
