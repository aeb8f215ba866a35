"""Where the commit thread runs, and how long its commits take.

It works on the processor on which the loop hands over to it. The two take turns, so a second
processor gains nothing and costs a wait: until it is awake, or the other program on it is not.
Beside other work that took longer than all that a card asks for. The thread follows the loop, which
the kernel puts wherever it wants to, and so it moves both.

Before the thread calls what follows a commit it is free again: threads and programs that a driver
starts there have its processors. Where the system has no such call, or refuses it, the thread runs
wherever it is put.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import threading
import time
from collections import deque
from pathlib import Path

from controller.regular_files import read_whole


class Processor:
    """Where a thread was brought last."""

    def __init__(self) -> None:
        libc = ctypes.CDLL(None)
        self._mine = libc.sched_getcpu if hasattr(libc, "sched_getcpu") else None
        self._at = -1
        self._all = os.sched_getaffinity(0) if self._mine is not None else set()

    def bring(self, thread: threading.Thread) -> None:
        """Have the thread run on the processor of who calls this, if it has been started."""
        if self._mine is None or thread.native_id is None:
            return
        here = self._mine()
        if here in (self._at, -1):
            return
        try:
            os.sched_setaffinity(thread.native_id, {here})
        except OSError:
            self._mine = None
        self._at = here

    def free(self) -> None:
        """Have the thread that calls this run wherever the process may."""
        if self._mine is not None and self._at != -1:
            self._at = -1
            with contextlib.suppress(OSError):
                os.sched_setaffinity(0, self._all)


class CommitTimes:
    """Of drafts, in the order in which they were submitted."""

    def __init__(self) -> None:
        self._submitted_ns: deque[int] = deque()
        self._longest_ns = 0

    def submitted(self) -> None:
        """Another draft waits from now on."""
        self._submitted_ns.append(time.monotonic_ns())

    def durable(self) -> None:
        """The oldest draft waits no more."""
        self._submitted_ns.popleft()

    def took(self, since_ns: int) -> None:
        """A commit that was begun then, in nanoseconds of the monotonic clock, is over."""
        self._longest_ns = max(self._longest_ns, time.monotonic_ns() - since_ns)

    @property
    def any_waits(self) -> bool:
        """Whether a draft waits to become durable."""
        return bool(self._submitted_ns)

    def age_s(self) -> float:
        """For how long the oldest draft has waited, in seconds."""
        if not self._submitted_ns:
            return 0.0
        return (time.monotonic_ns() - self._submitted_ns[0]) / 1e9

    def longest_s(self) -> float:
        """How long the longest commit has taken since this was last asked, in seconds."""
        longest_ns, self._longest_ns = self._longest_ns, 0
        return longest_ns / 1e9


def waits_for_a_disk(thread: int) -> bool:
    """Whether a thread of this process is in uninterruptible sleep (proc(5)): for a disk."""
    try:
        told = read_whole(Path(f"/proc/self/task/{thread}/stat")).decode("ascii", "replace")
    except OSError:
        return False
    return told.rpartition(")")[2].split()[0] == "D"
