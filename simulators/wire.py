"""A device's end of a serial line: a pseudo-terminal behind a link that keeps its name.

- The link (``/tmp/table/shoe``) is what the controller is configured with; where it leads changes
  with every replug, as with a real adapter. It is put in place whole: made beside and renamed.
- The slave side is kept open here, so that a controller that goes away does not hang the line up,
  as with a cable; ``unplug`` closes both sides, and the controller's descriptor hangs up.
- A line takes what it can: bytes that nobody reads are lost, the device never waits for them.
- Payloads go out and come in as frames (protocol section 2); half a frame is forgotten at a replug.
- Damage (``noise``) is done from a seed, in both directions or one.
"""

from __future__ import annotations

import contextlib
import os
import random
import tty
from pathlib import Path

from drivers.table_link.framing import Deframer, encode_frame
from simulators.noise import QUIET, damaged

READ_BYTES = 4096


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
        self._deframer = Deframer()

    @property
    def fd(self) -> int:
        """The descriptor to wait on, or -1 while unplugged."""
        return self._master

    def counters(self) -> dict[str, int]:
        """Bytes in, out and lost, bad frames, runs of noise, times plugged in."""
        return {
            "bytes_in": self.bytes_in,
            "bytes_out": self.bytes_out,
            "bytes_lost": self.bytes_lost,
            "bad_frames": self._deframer.bad_frames,
            "noise": self._deframer.noise,
            "plugs": self.plugs,
        }

    def receive(self) -> list[bytes]:
        """The payloads that are complete by now."""
        return self._deframer.feed(self.read())

    def send(self, payloads: list[bytes]) -> None:
        """Send payloads, in one go."""
        self.write(b"".join(map(encode_frame, payloads)))

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
        self._deframer.clear()
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
        return damaged(data, self.noise, self._random) if self.noise.inward else data

    def write(self, data: bytes) -> None:
        """Send; what the line does not take is lost."""
        if self._master < 0 or not data:
            return
        if self.noise.outward:
            data = damaged(data, self.noise, self._random)
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
