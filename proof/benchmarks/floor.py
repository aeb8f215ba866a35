"""The floor under every figure: one bare durable commit of as many bytes, on the same disk."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

from controller.daemon.committer import CHECKPOINT_BYTES
from controller.journal.opening import PAGE_BYTES, checkpoint, configure, wal_bytes
from proof.benchmarks.journal_append import row_bytes

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
