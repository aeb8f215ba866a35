"""The commit thread works on the processor on which the loop hands over to it.

The two take turns, so a second processor gains nothing and costs a wait: until it is awake, or the
other program on it is not. Beside other work that took longer than all that a card asks for. The
thread follows the loop, which the kernel puts wherever it wants to, and so it moves both.

Before the thread calls what follows a commit it is free again: threads and programs that a driver
starts there have its processors.

Where the system has no such call, or refuses it, the thread runs wherever it is put.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import threading


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
