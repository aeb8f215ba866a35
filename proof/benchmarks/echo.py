"""The line's own share: a process that writes back what it reads, over the same kind of line.

It does with a frame the least that any controller in this language could: wait for it in a
selector, read it, write one. What a card costs above this and a bare commit is the daemon's.
"""

from __future__ import annotations

import os
import time
import tty
from pathlib import Path

from proof.benchmarks.daemon import Process

CODE = """
import os, selectors, sys
line = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY)
selector = selectors.DefaultSelector()
selector.register(line, selectors.EVENT_READ)
print("ready", flush=True)
while selector.select():
    os.write(line, os.read(line, 4096))
"""
FRAME = bytes(31)
"""As long as a card's frame."""


class Echo:
    """The process and the far end of its line."""

    def __init__(self, log: Path) -> None:
        self._fd, self._slave = os.openpty()
        tty.setraw(self._slave)
        self._process = Process("-c", CODE, os.ttyname(self._slave), log=log)
        self._process.line()

    def round_trip_us(self) -> float:
        """Microseconds from the write of a frame to the read of its last byte."""
        begun = time.perf_counter_ns()
        os.write(self._fd, FRAME)
        left = len(FRAME)
        while left:
            left -= len(os.read(self._fd, left))
        return (time.perf_counter_ns() - begun) / 1000

    def close(self) -> None:
        """End it."""
        self._process.stop()
        os.close(self._slave)
        os.close(self._fd)
