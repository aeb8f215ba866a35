"""Notifies systemd of the service's state (sd_notify(3)): one datagram to the socket it names."""

from __future__ import annotations

import os
import socket


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
