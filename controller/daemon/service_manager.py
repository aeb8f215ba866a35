"""What the service manager (systemd) is told of the daemon: that a start takes long, that it is
ready, that something waits for the disk, that it ends; and when its watchdog is fed.

It is told by datagrams to the socket that it names (sd_notify(3))."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Iterable, Iterator
from typing import Final

from controller.daemon.outside import Committing
from controller.journal.model import Entry


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
        """Send states, one a line; a service manager that does not take them is no fault.

        Nothing waits for it: where its socket is full of unread datagrams, False is returned, and
        what must not be lost is to be sent again.
        """
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
    """The entries, with notifications of the service manager from time to time, so that it does not
    end a long recovery."""
    for entry in entries:
        if entry.seq % TELL_EVERY == 0:
            message = f"STATUS=recovering the table: entry {entry.seq} of the journal"
            notifier.send(f"EXTEND_TIMEOUT_USEC={MORE_TIME_US}", message)
        yield entry


class ServiceManager:
    """Tells it of the table named ``table``, which is stored by ``committer``, until ``stopping``
    is set."""

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
        """Say that the service stops. One that starts itself ``again`` does not stop for its
        manager, whose watchdog goes on meanwhile, and is told to be patient until it is ready."""
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
