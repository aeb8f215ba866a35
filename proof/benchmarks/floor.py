"""The floors under every figure: one bare durable commit of as many bytes, on the same disk; and
the line's own share, a process that writes back what it reads, over the same kind of line.

The echo does with a frame the least that any controller in this language could: wait for it in a
selector, read it, write one. What a card costs above this and a bare commit is the daemon's.
"""

from __future__ import annotations

import os
import sqlite3
import time
import tty
from pathlib import Path

from controller.daemon.committer import CHECKPOINT_BYTES
from controller.journal.opening import PAGE_BYTES, checkpoint, configure, wal_bytes
from proof.benchmarks.daemon import Process
from proof.benchmarks.journal_append import row_bytes

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


AFTER_BYTES = len('"after":{"state":"play.decide"},')
"""What the table adds to a card's entry: the state after it."""


class Floor:
    """A table without index, trigger or chain in a database of its own, set up like the journal.
    Its log is moved at the same size as the journal's, outside the measurement."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        configure(self._connection, path)
        self._connection.execute("CREATE TABLE floor (seq INTEGER PRIMARY KEY, bytes BLOB)")
        self._row = b"x" * (row_bytes() + AFTER_BYTES)
        self._seq = 0

    def commit_us(self) -> float:
        """Commit one row; how many microseconds that took."""
        self._seq += 1
        row = (self._seq, self._row)
        begun = time.perf_counter_ns()
        self._connection.execute("INSERT INTO floor VALUES (?, ?)", row)
        took = (time.perf_counter_ns() - begun) / 1000
        if wal_bytes(self._path) > CHECKPOINT_BYTES:
            checkpoint(self._connection)
        return took

    def close(self) -> None:
        """Close the file."""
        self._connection.close()
