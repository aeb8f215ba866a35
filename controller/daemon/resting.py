"""The end of a process that its disk has failed: not before it has lived for half a minute.

A service manager starts such a process again, and the next one finds the same disk. Ten of them in
five minutes, and it gives up: a table would stay dark after its disk was mended, until somebody
looked for it. So who ends for the disk before ``LEAST_LIFE_S`` waits until then, says why in the
service's state, and is started again for as long as it takes: half a minute after the disk is well
the table is there. A process that lived longer ends at once, for the next may find the disk well.

Where nothing starts it again, nothing is waited for.
"""

from __future__ import annotations

import select
import signal
import socket
import time
from typing import Final

from controller.daemon.service_manager import Notifier

LEAST_LIFE_S: Final = 30.0
"""With a second between two, fewer than ten in the five minutes of the unit's limit."""

SPARE_S: Final = 10.0
"""Time for the end itself, which the service manager is asked for beside that."""

STOPS: Final = (signal.SIGTERM, signal.SIGINT)
"""What the daemon is told to end by."""


class Life:
    """A process from now on, and how its service manager is told of its end."""

    def __init__(self, notifier: Notifier | None = None) -> None:
        self._notifier = notifier or Notifier()
        self._begun = time.monotonic()

    def rest(self, why: str) -> None:
        """Return when the process may end, or is told to."""
        period_s = self._notifier.watchdog_s
        until = self._begun + LEAST_LIFE_S
        if not period_s or time.monotonic() >= until:
            return
        first = why.partition("\n")[0]
        told, told_here = socket.socketpair()
        with told, told_here:
            # Handled, not blocked: what one thread blocks another takes, and all end by it.
            told_here.setblocking(False)
            signal.set_wakeup_fd(told_here.fileno())
            for number in STOPS:
                signal.signal(number, lambda *_: None)
            while (left_s := until - time.monotonic()) > 0:
                self._notifier.send(
                    "WATCHDOG=1",
                    f"EXTEND_TIMEOUT_USEC={int((left_s + SPARE_S) * 1e6)}",
                    f"STATUS=it waits: {first}",
                )
                if select.select([told], [], [], min(left_s, period_s / 3))[0]:
                    break
            signal.set_wakeup_fd(-1)
