"""The service manager (systemd): what it is told of the daemon, and when a process may end.

It is told by datagrams to the socket that it names (sd_notify(3)): that a start takes long, that
the daemon is ready, that something waits for the disk, that it ends; and its watchdog is fed.

It starts a process again that its disk has failed, and the next one finds the same disk. Ten of
them in five minutes, and it gives up: a table would stay dark after its disk was mended, until
somebody looked for it. So who ends for the disk before ``LEAST_LIFE_S`` waits until then, says why
in the service's state, and is started again for as long as it takes: half a minute after the disk
is well the table is there. A process that lived longer ends at once, for the next may find the disk
well. Where nothing starts it again, nothing is waited for.
"""

from __future__ import annotations

import asyncio
import os
import select
import signal
import socket
import time
from collections.abc import Iterable, Iterator
from typing import Final

from controller.daemon.outside import Committing
from controller.journal.model import Entry

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


class Notifier:
    """Sends states such as ``READY=1``; does nothing where systemd does not listen."""

    def __init__(self) -> None:
        address = os.environ.get("NOTIFY_SOCKET", "")
        self._address = "\0" + address[1:] if address.startswith("@") else address
        period_us = os.environ.get("WATCHDOG_USEC", "")
        mine = os.environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        self.watchdog_s = int(period_us) / 1e6 if period_us.isdecimal() and mine else 0.0
        """The watchdog's period in seconds; 0: there is none."""

    def send(self, *states: str) -> bool:
        """Send states, one a line, without waiting: False where the socket is full, and what must
        not be lost is to be sent again. A manager that does not take them is no fault."""
        if not self._address:
            return True
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sender:
            try:
                sender.sendto("\n".join(states).encode(), socket.MSG_DONTWAIT, self._address)
            except BlockingIOError:
                return False
            except OSError:
                return True
        return True


WATCHDOG_SHARE: Final = 3
"""Number of watchdog notifications per watchdog period."""

READY_AGAIN_S: Final = 0.1
"""Interval of repeating the readiness notification, where the service manager's socket is full."""

TELL_EVERY: Final = 10_000
"""Number of journal entries after which the service manager is notified that the start is in
progress."""

MORE_TIME_US: Final = 60_000_000
"""The time that it is asked to wait from then on: a year's journal takes longer than any fixed
limit."""

AGAIN_US: Final = 180_000_000
"""The watchdog's period while the daemon starts itself again: as long as its unit gives a start,
which no watchdog looks at."""


def patiently(entries: Iterable[Entry], notifier: Notifier) -> Iterator[Entry]:
    """The entries; the service manager hears of them, lest it end a long recovery."""
    for entry in entries:
        if entry.seq % TELL_EVERY == 0:
            message = f"STATUS=recovering the table: entry {entry.seq} of the journal"
            notifier.send(f"EXTEND_TIMEOUT_USEC={MORE_TIME_US}", message)
        yield entry


class ServiceManager:
    """Tells it of the table named ``table``, stored by ``committer``, until ``stopping`` is set."""

    def __init__(
        self,
        notifier: Notifier,
        loop: asyncio.AbstractEventLoop,
        table: str,
        committer: Committing,
        stopping: asyncio.Event,
    ) -> None:
        self._notifier = notifier
        self._loop = loop
        self._status = f"STATUS=table {table}"
        self._committer = committer
        self._stopping = stopping

    def is_ready(self) -> None:
        """Say that the service is ready, and feed the watchdog from now on."""
        self._say_ready()
        if self._notifier.watchdog_s:
            self._feed()

    def waits(self, words: str) -> None:
        """Have `systemctl status` show what is waited for; "" for nothing."""
        self._notifier.send(f"STATUS={words}" if words else self._status)

    def ends(self, *, again: bool) -> None:
        """Say that the service stops; one that starts ``again`` asks the watchdog to be patient."""
        if not again:
            self._notifier.send("STOPPING=1")
        elif self._notifier.watchdog_s:
            self._notifier.send(f"WATCHDOG_USEC={AGAIN_US}")

    def _say_ready(self) -> None:
        """Repeated until it is sent: a service that is never ready is ended. From then on the
        watchdog's period is again that of the unit."""
        if self._stopping.is_set():
            return
        period_us = round(self._notifier.watchdog_s * 1e6)
        watched = [f"WATCHDOG_USEC={period_us}"] if period_us else []
        if not self._notifier.send("READY=1", self._status, *watched):
            self._loop.call_later(READY_AGAIN_S, self._say_ready)

    def _feed(self) -> None:
        """Notify the watchdog, only while this loop runs and the oldest uncommitted event is
        recent, or waits for a disk that hangs or for another program that writes the journal: a
        new process would wait for the same, and this one might not even end."""
        period_s, committer = self._notifier.watchdog_s, self._committer
        if (
            committer.age_s() < period_s / 2
            or committer.in_the_disk()
            or committer.journal_holder()
        ):
            self._notifier.send("WATCHDOG=1")
        if not self._stopping.is_set():
            self._loop.call_later(period_s / WATCHDOG_SHARE, self._feed)
