"""How well a disk is: whether it does what it is asked, how long that takes, whether it answers.

The server of a disk (:mod:`~.disk`) asks before each request. What ails the disk is set from
outside, at any moment, and counts from the next request on; a request that waits goes on, or fails,
as soon as the disk is otherwise.
"""

from __future__ import annotations

import errno
import threading


class Health:
    """A disk that is well until somebody says otherwise."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._flush_s = 0.0
        self._hangs = False
        self._fails = False
        self._gone = False
        self.met = 0
        """Requests that failed, waited for long or were left without an answer."""

    def slows(self, flush_s: float) -> None:
        """Each flush takes that long from now on, and whatever comes behind it waits."""
        self._set(flush_s=flush_s)

    def hangs(self) -> None:
        """Nothing is answered from now on, nor refused."""
        self._set(hangs=True)

    def fails(self) -> None:
        """Whatever is read or written from now on fails (EIO)."""
        self._set(fails=True)

    def is_well(self) -> None:
        """It does again what it is asked; what waits is done."""
        self._set()

    def is_gone(self, gone: bool = True) -> None:
        """Whoever waits for an answer gets none, and the request is not done: its power fails."""
        with self._changed:
            self._gone = gone
            self._changed.notify_all()

    def meet(self, flush: bool) -> int:
        """Wait as long as the disk does; with which error it refuses the request, 0 for none.

        Raises:
            EOFError: its power has failed meanwhile.
        """
        with self._changed:
            ails = self._hangs or self._fails or (flush and self._flush_s > 0)
            self.met += ails
            if flush and self._flush_s > 0:
                slow = self._flush_s
                self._changed.wait_for(lambda: self._gone or self._flush_s != slow, slow)
            self._changed.wait_for(lambda: self._gone or not self._hangs)
            if self._gone:
                raise EOFError
            return errno.EIO if self._fails else 0

    def _set(self, *, flush_s: float = 0.0, hangs: bool = False, fails: bool = False) -> None:
        with self._changed:
            self._flush_s, self._hangs, self._fails = flush_s, hangs, fails
            self._changed.notify_all()
