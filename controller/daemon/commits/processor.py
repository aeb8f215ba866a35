"""The commit thread works on the processor on which the loop hands over to it.

The two take turns, so a second processor gains nothing and costs a wait: until it is awake, or the
other program on it is not. Beside other work that took longer than all that a card asks for. The
thread follows the loop, which the kernel puts wherever it wants to, and so it moves both.

Where the system has no such call, or refuses it, the thread runs wherever it is put.
"""

from __future__ import annotations

import ctypes
import os
import threading


class Processor:
    """Where a thread was brought last."""

    def __init__(self) -> None:
        libc = ctypes.CDLL(None)
        self._mine = libc.sched_getcpu if hasattr(libc, "sched_getcpu") else None
        self._at = -1

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
