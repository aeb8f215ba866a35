"""The commit thread: what is submitted becomes durable, in order, in batches.

The loop's thread submits drafts with what is to follow their commit; this thread appends all that
waits in one transaction, and what follows is called back in the loop, in the same order. A commit
that fails is never tried again: ``failed`` is called in the loop, and nothing after it.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from controller.journal.errors import JournalError
from controller.journal.model import Draft, Entry
from controller.journal.store import Journal

Committed = Callable[[Entry], None]
CHECKPOINT_BYTES: Final = 512 * 1024
"""Size of the write-ahead log from which it is moved into the database when nothing waits."""


class Committer:
    """Owns the journal from :meth:`start` to :meth:`close`."""

    def __init__(
        self,
        journal: Journal,
        loop: asyncio.AbstractEventLoop,
        failed: Callable[[Exception], None],
    ) -> None:
        self._journal = journal
        self._loop = loop
        self._failed = failed
        self._waiting: deque[tuple[Draft, Committed, int]] = deque()
        self._more = threading.Semaphore(0)
        self._thread = threading.Thread(target=self._run, name="commit")
        self._closing = False
        self._oldest_ns = 0

    def start(self) -> None:
        """Start the thread; from now on the journal is its own."""
        self._thread.start()

    def submit(self, draft: Draft, committed: Committed) -> None:
        """Have ``draft`` made durable, then ``committed`` called in the loop with its entry."""
        self._waiting.append((draft, committed, time.monotonic_ns()))
        self._more.release()

    def age_s(self) -> float:
        """For how long the oldest draft has waited to become durable, in seconds."""
        oldest = self._oldest_ns or (self._waiting[0][2] if self._waiting else 0)
        return (time.monotonic_ns() - oldest) / 1e9 if oldest else 0.0

    def close(self) -> None:
        """Commit what waits, move the log into the database, end the thread."""
        if not self._closing:
            self._closing = True
            self._more.release()
            if self._thread.is_alive():
                self._thread.join()

    def _run(self) -> None:
        while True:
            self._more.acquire()
            batch = self._take_batch()
            if batch and not self._commit(batch):
                return
            if not self._waiting:
                if self._journal.wal_bytes > CHECKPOINT_BYTES:
                    self._journal.checkpoint()
                if self._closing:
                    return

    def _take_batch(self) -> list[tuple[Draft, Committed, int]]:
        batch = []
        while self._waiting:
            batch.append(self._waiting.popleft())
        if batch:
            self._oldest_ns = batch[0][2]
        return batch

    def _commit(self, batch: list[tuple[Draft, Committed, int]]) -> bool:
        wall = datetime.now(UTC).isoformat(timespec="milliseconds")
        try:
            entries = self._journal.append(
                [draft for draft, _, _ in batch], time.monotonic_ns(), wall
            )
        except (JournalError, OSError) as error:
            self._loop.call_soon_threadsafe(self._failed, error)
            return False
        done = [(committed, entry) for (_, committed, _), entry in zip(batch, entries, strict=True)]
        self._oldest_ns = 0
        self._loop.call_soon_threadsafe(_call, done)
        return True


def _call(done: list[tuple[Committed, Entry]]) -> None:
    for committed, entry in done:
        committed(entry)
