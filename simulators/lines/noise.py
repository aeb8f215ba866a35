"""A bad line: bits flipped, bytes dropped, doubled and inserted (protocol section 6)."""

from __future__ import annotations

import random
from dataclasses import dataclass


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
