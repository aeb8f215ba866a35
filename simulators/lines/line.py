"""What a simulated device is plugged in by, whatever it is made of; and a bad line: bits flipped,
bytes dropped, doubled and inserted (protocol section 6)."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Protocol


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


def damaged(data: bytes, noise: Noise, source: random.Random) -> bytes:
    """What arrives of ``data``; the same for the same state of ``source``."""
    if noise is QUIET:
        return data
    out = bytearray()
    for byte in data:
        if source.random() < noise.drop:
            continue
        flipped = source.random() < noise.flip
        out.append(byte ^ (1 << source.randrange(8)) if flipped else byte)
        if source.random() < noise.double:
            out.append(out[-1])
        if source.random() < noise.insert:
            out.append(source.randrange(256))
    return bytes(out)


class Line(Protocol):
    """What a twin is plugged in by: serial, :mod:`simulators.lines.serial_line`, or USB,
    :mod:`simulators.usb.line`. A verb of the hands that only it can do is its ``do_VERB``."""

    noise: Noise

    @property
    def fd(self) -> int:
        """-1 while unplugged."""

    @property
    def port(self) -> str | None:
        """The name under which it is to be found now."""

    def plug(self) -> None:
        """Plug it in."""

    def unplug(self) -> None:
        """Pull it."""

    def cut_after(self, count: int) -> None:
        """Pull it after that number of further bytes; a packet goes whole or not at all."""

    def receive(self) -> list[bytes]:
        """The payloads that have arrived."""

    def send(self, payloads: list[bytes]) -> None:
        """Send payloads."""

    def write(self, data: bytes) -> None:
        """Send bytes as they are."""

    def counters(self) -> dict[str, int]:
        """What has gone through."""
