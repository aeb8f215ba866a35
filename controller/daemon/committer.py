"""The commit thread: it makes submitted drafts durable, in order, in batches.

The rules:

- The loop's thread submits drafts with what is to follow their commit; what one turn of the loop
  has submitted is handed over together at its end, and appended in one transaction with whatever
  else waits by then. What follows is called in the same order.
- The loop lingers: having handed over, it waits for the commit itself, for ``LINGER_S`` at most. On
  a disk that is slow the loop goes on, with PING and all else, and is notified later.
- While it waits it stands still, so the thread calls in its place what follows the commit: to wake
  the loop for that takes longer than an acknowledgement. Only one of the two is ever at work: who
  has ``_floor``. What follows may use the loop, whose callbacks come later, and finds it as the
  running one: a vendor's driver may ask for it. A loop in debug mode, which wants its own thread,
  calls what follows itself.
- Both want the interpreter, so what the loop has to find out of what it handed over, it finds while
  the thread waits for the disk (``handed_over``). On a very quick one the thread then waits for the
  loop, a tenth of a millisecond.
- Between a commit and what follows it the thread does nothing that the loop would have to wait
  for: housekeeping is for quiet moments.
- Once a second the thread looks whether the files that it writes still are those of the journal's
  name: play would go on into nothing.
- A commit that fails is never tried again: ``failed`` is called in the loop, and nothing after it.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from queue import Empty, SimpleQueue
from typing import Final, NamedTuple

from controller.daemon.commit_thread import CommitTimes, Processor, waits_for_a_disk
from controller.journal.errors import JournalError
from controller.journal.model import Draft, Entry
from controller.journal.store import Journal
from controller.threads import start

Committed = Callable[[Entry], None]
Submission = tuple[Draft, Committed]


class Followed(NamedTuple):
    """The thread called what follows, ``durable`` if ``published``; ``unforeseen`` came of it."""

    published: bool
    unforeseen: Exception | None = None


Result = list[tuple[Committed, Entry]] | Followed | Exception | None
"""What became of a batch; None: it is being written to the disk."""

CHECKPOINT_BYTES: Final = 512 * 1024
"""Size of the write-ahead log from which it is moved into the database."""

QUIET_S: Final = 0.1
"""When nothing has been submitted for so long the log's size is looked at."""

LOOK_S: Final = 1.0
"""How often it is looked whether the journal's files still stand where they were opened."""

MOST_BATCHES: Final = 1024
"""After this number of batches it is checked without waiting for a quiet moment."""

LINGER_S: Final = 0.005
"""How long the loop waits for a commit before it turns to other things: a thirtieth of the time in
which a device must have its answer."""


class Committer:
    """Owns the journal from :meth:`start` to :meth:`close`
    (:class:`controller.daemon.outside.Committing`). ``handed_over`` is called in the loop for each
    batch handed to the thread, before anything else is submitted; ``durable`` after what followed a
    batch was called, in the same place; ``settled`` in the loop after that."""

    def __init__(
        self,
        journal: Journal,
        loop: asyncio.AbstractEventLoop,
        failed: Callable[[Exception], None],
    ) -> None:
        self.handed_over: Callable[[], None] = lambda: None
        self.durable: Callable[[], None] = lambda: None
        self.settled: Callable[[], None] = lambda: None
        self._journal = journal
        self._loop = loop
        self._failed = failed
        self._thread = threading.Thread(target=self._run_thread, name="commit", daemon=True)
        self._gathered: list[Submission] = []
        self._to_commit: SimpleQueue[list[Submission]] = SimpleQueue()
        self._results: SimpleQueue[Result] = SimpleQueue()
        self._to_report = False
        self._floor = threading.Lock()
        self._floor.acquire()  # the loop's, but while it waits
        self._lingering = False
        self._slow = False
        self._broken = False
        self._closing = False
        self._looked = time.monotonic()
        self._times = CommitTimes()
        self.age_s, self.longest_s = self._times.age_s, self._times.longest_s
        self._processor = Processor()

    def start(self) -> None:
        """Start the thread; from now on the journal is its own."""
        self._journal.syncing = self._syncing
        start(self._thread)

    def submit(self, draft: Draft, committed: Committed) -> None:
        """See :class:`controller.daemon.outside.Committing`."""
        self._times.submitted()
        self._gathered.append((draft, committed))
        if len(self._gathered) == 1:
            self._loop.call_soon(self._turn)

    def in_the_disk(self) -> bool:
        """Whether the kernel says that the thread waits for a disk, and cannot be woken."""
        return self._thread.native_id is not None and waits_for_a_disk(self._thread.native_id)

    def journal_holder(self) -> str:
        """Which other program keeps the journal from being written, and the next step; or ""."""
        return self._journal.held

    def close(self, within_s: float | None = None) -> bool:
        """Commit what waits and end the thread; whether that was done ``within_s``. What becomes
        durable only now is not called back; failures are still reported."""
        if not self._closing:
            self._closing = True
            batch, self._gathered = self._gathered, []
            if batch:
                self._to_commit.put(batch)
            self._to_commit.put([])  # the end
        if self._thread.is_alive():
            self._thread.join(within_s)
        if self._thread.is_alive():
            return False
        while not self._results.empty():
            if isinstance(result := self._results.get(), Exception):
                self._failed(result)  # the loop does not turn any more to hear of it
        return True

    # ---- in the loop --------------------------------------------------------------------------

    def _turn(self) -> None:
        """Hand over what was submitted, and linger unless the disk has been slow just now."""
        self._hand_over()
        if not self._slow and not self._closing:
            self._linger()
        self._report_handed_over()

    def _hand_over(self) -> None:
        if self._gathered:
            batch, self._gathered = self._gathered, []
            self._processor.bring(self._thread)
            self._to_commit.put(batch)
            self._to_report = True

    def _report_handed_over(self) -> None:
        """Not at once, for the thread would wait for the interpreter; before more is submitted."""
        if self._to_report:
            self._to_report = False
            self.handed_over()

    def _linger(self) -> None:
        """Wait for what has been handed over, but not long. While ``_lingering`` is set the thread
        does not wake the loop; what it reported meanwhile is taken after it is cleared."""
        until = time.monotonic() + LINGER_S
        self._lingering = True
        try:
            while self._times.any_waits and not self._broken:
                self._deliver(self._standing_still(until))
                self._hand_over()  # what it has called forth is waited for as well
        except Empty:
            self._slow = True
        finally:
            self._lingering = False
        self._deliver_all()

    def _standing_still(self, until: float) -> Result:
        """The next result; raises Empty where none comes until then."""
        self._floor.release()
        try:
            return self._results.get(timeout=max(0.0, until - time.monotonic()))
        finally:
            self._floor.acquire()

    def _deliver_all(self) -> None:
        while not self._results.empty():
            self._deliver(self._results.get())

    def _deliver(self, result: Result) -> None:
        if result is None:
            self._report_handed_over()
            return
        if isinstance(result, Exception):
            self._broken = True
            self._failed(result)
            return
        self._slow = False
        if not isinstance(result, Followed):
            self._follow(result)
        elif result.unforeseen is not None:
            raise result.unforeseen
        self._report_handed_over()
        if not (isinstance(result, Followed) and result.published):
            self.durable()
        self.settled()

    def _follow(self, durable: list[tuple[Committed, Entry]]) -> None:
        for committed, entry in durable:
            self._times.durable()
            committed(entry)

    # ---- in the commit thread -----------------------------------------------------------------

    def _run_thread(self) -> None:
        asyncio.events._set_running_loop(self._loop)  # in this thread
        try:
            self._work()
        except Exception as error:  # a thread that ended unheard would leave the table waiting
            self._report_result(error)

    def _work(self) -> None:
        batches = 0
        while batch := self._next():
            if not self._commit(batch):
                return
            batches += 1
            if batches % MOST_BATCHES == 0:
                self._tidy()

    def _next(self) -> list[Submission]:
        try:
            batch = self._to_commit.get(timeout=QUIET_S)
        except Empty:
            self._tidy()
            batch = self._wait()
        self._check_in_place()
        while batch and not self._to_commit.empty():
            more = self._to_commit.get()
            if not more:
                self._to_commit.put(more)
                break
            batch += more
        return batch

    def _wait(self) -> list[Submission]:
        while True:
            try:
                return self._to_commit.get(timeout=LOOK_S)
            except Empty:
                self._check_in_place()

    def _check_in_place(self) -> None:
        """See once in a while that the journal is still there; CommitFailed where it is not."""
        now = time.monotonic()
        if now - self._looked >= LOOK_S:
            self._looked = now
            self._journal.check_in_place()

    def _tidy(self) -> None:
        if self._journal.wal_bytes > CHECKPOINT_BYTES:
            self._journal.checkpoint()

    def _commit(self, batch: list[Submission]) -> bool:
        wall = datetime.now(UTC).isoformat(timespec="milliseconds")
        mono_ns = time.monotonic_ns()
        try:
            entries = self._journal.append([draft for draft, _ in batch], mono_ns, wall)
        except (JournalError, OSError) as error:
            self._report_result(error)
            return False
        durable = [(then, entry) for (_, then), entry in zip(batch, entries, strict=True)]
        self._report_result(self._follow_here(durable) or durable)
        self._times.took(mono_ns + self._journal.held_ns)
        return True

    def _follow_here(self, durable: list[tuple[Committed, Entry]]) -> Followed | None:
        """Call what follows in place of the loop; None where that does not stand still."""
        if self._loop.get_debug() or not self._floor.acquire(blocking=False):
            return None
        known = not self._to_report
        try:
            self._processor.free()
            self._follow(durable)
            if known:
                self.durable()
        except Exception as error:
            return Followed(known, error)
        finally:
            self._floor.release()
        return Followed(known)

    def _syncing(self) -> None:
        if self._lingering:
            self._results.put(None)

    def _report_result(self, result: Result) -> None:
        self._results.put(result)
        if not self._lingering:
            self._loop.call_soon_threadsafe(self._deliver_all)
