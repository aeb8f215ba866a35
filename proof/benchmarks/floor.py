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
from controller.journal.canonical import canonical
from controller.journal.opening import PAGE_BYTES, checkpoint, configure, wal_bytes
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


CARD = {"rank": 11, "suit": 3, "flags": 0, "card_uid": 305419896, "remaining": 311}
WALL = "2026-11-20T18:16:58.123456+00:00"
NUMBERS_BYTES = 4 + 1 + 6 + 4 + 1 + 4 + 4
ROW_BYTES = len(canonical(CARD)) + len(WALL) + len("CARD") + len("shoe") + 32 + NUMBERS_BYTES
"""Of a card's entry, about: text, digest, numbers of typical width."""
AFTER_BYTES = len('"after":{"state":"play.decide"},')
"""What the table adds to a card's entry: the state after it."""


class Floor:
    """A table without index, trigger or chain in a database of its own, set up like the journal."""

    def __init__(self, path: Path, row_bytes: int = ROW_BYTES + AFTER_BYTES) -> None:
        self._path = path
        self._connection = sqlite3.connect(path, isolation_level=None)
        self._connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        configure(self._connection, path)
        self._connection.execute("CREATE TABLE floor (seq INTEGER PRIMARY KEY, bytes BLOB)")
        self._row = b"x" * row_bytes
        self._seq = 0

    def commit(self) -> None:
        """Commit one row."""
        self._seq += 1
        self._connection.execute("INSERT INTO floor VALUES (?, ?)", (self._seq, self._row))

    def commit_us(self) -> float:
        """The same; how many microseconds that took. The log is moved at the same size as the
        journal's, outside the measurement."""
        begun = time.perf_counter_ns()
        self.commit()
        took = (time.perf_counter_ns() - begun) / 1000
        if wal_bytes(self._path) > CHECKPOINT_BYTES:
            self.checkpoint()
        return took

    def checkpoint(self) -> tuple[int, int]:
        """Move the log into the file; pages of the log, and how many were moved."""
        return checkpoint(self._connection)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()
