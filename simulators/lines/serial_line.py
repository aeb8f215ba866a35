"""What every serial line of a twin has in common: bytes on a descriptor, frames, damage, counters.

- A line takes what it can: bytes that nobody reads are lost, the device never waits for them.
- Payloads go out and come in as frames (protocol section 2); half a frame is forgotten at a replug.
- Damage (``noise``) is done from a seed, in both directions or one.
"""

from __future__ import annotations

import os
import random

from drivers.table_link.framing import Deframer, encode_frame
from simulators.lines.line import QUIET, damaged

READ_BYTES = 4096


class SerialLine:
    """One end of a line, plugged in or not; what it is plugged into is its kinds' to say."""

    def __init__(self, seed: int = 0) -> None:
        self.noise = QUIET
        self.bytes_in = 0
        self.bytes_out = 0
        self.bytes_lost = 0
        self.plugs = 0
        self._random = random.Random(seed)  # noqa: S311 - damage must be repeatable, not secret
        self._cut_after: int | None = None
        self._deframer = Deframer()

    @property
    def fd(self) -> int:
        """The descriptor to wait on, or -1 while unplugged."""
        raise NotImplementedError

    @property
    def port(self) -> str | None:
        """What it is plugged into now."""
        raise NotImplementedError

    def plug(self) -> None:
        """Plug it in."""
        raise NotImplementedError

    def unplug(self) -> None:
        """Pull it."""
        raise NotImplementedError

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
        return self._deframer.feed(self.read_arrived())

    def send(self, payloads: list[bytes]) -> None:
        """Send payloads, in one go."""
        self.write(b"".join(map(encode_frame, payloads)))

    def cut_after(self, count: int) -> None:
        """Pull the cable once ``count`` more bytes have been sent: in the middle of a frame."""
        self._cut_after = count

    def read_arrived(self) -> bytes:
        """What has arrived, damaged on the way if the line is bad."""
        if self.fd < 0:
            return b""
        try:
            data = os.read(self.fd, READ_BYTES)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        if not data:
            self.unplug()  # the other end has been taken away
        self.bytes_in += len(data)
        return damaged(data, self.noise, self._random) if self.noise.inward else data

    def write(self, data: bytes) -> None:
        """Send; what the line does not take is lost."""
        if self.fd < 0 or not data:
            return
        if self.noise.outward:
            data = damaged(data, self.noise, self._random)
        cut = self._cut_after is not None and len(data) >= self._cut_after
        if cut:
            data = data[: self._cut_after]
        elif self._cut_after is not None:
            self._cut_after -= len(data)
        try:
            written = os.write(self.fd, data) if data else 0
        except OSError:
            written = 0
        self.bytes_out += written
        self.bytes_lost += len(data) - written
        if cut:
            self.unplug()

    def _plugged(self) -> None:
        self._cut_after = None
        self._deframer.clear()
        self.plugs += 1
