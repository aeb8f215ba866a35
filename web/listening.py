"""The address and the socket at which a program of a house is reached.

Whoever floods it comes and is gone, thousands of times a second. So a client is looked at before
anything is made for it: from one that is gone already nothing is read, and nothing is answered,
except where what was sent counts by itself.
"""

from __future__ import annotations

import socket
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any, Final

from controller.not_done import NOT_WELL, NotDone


@dataclass(frozen=True, slots=True)
class ListenAddress:
    """An address of this machine and a port; 0: any that is free."""

    host: str
    port: int

    @property
    def authority(self) -> str:
        """As it stands in a URL."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def listen_address(text: str) -> ListenAddress | None:
    """The address in ``text``, as ``127.0.0.1:8440`` or ``[::1]:8440``; None: there is none."""
    host, _, port = text.rpartition(":")
    with suppress(ValueError):
        address = ip_address(host.removeprefix("[").removesuffix("]"))
        if port.isascii() and port.isdecimal() and int(port[:6]) < 1 << 16:
            return ListenAddress(str(address), int(port))
    return None


WAITING: Final = 4096
"""Clients, in the kernel; who finds no place there tries again after 1 s, then 2, then 4."""
LOOKED_AT: Final = 256
"""At most, for one that is still there; then the program goes on with what else it has to do."""
_ESTABLISHED: Final = 1
"""Of tcp(7), the first byte of ``TCP_INFO``. Behind it are the states of who has closed."""


class HouseListener(socket.socket):
    """It accepts clients that are still there; with :attr:`takes_all` others as well."""

    takes_all = False

    def accept(self) -> tuple[socket.socket, Any]:
        """The next one, and its address.

        Raises:
            BlockingIOError: there is none, now.
        """
        if self.takes_all:
            return super().accept()
        for _ in range(LOOKED_AT):
            client, address = super().accept()
            if client.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] == _ESTABLISHED:
                return client, address
            client.close()
        raise BlockingIOError

    def let_wait(self) -> None:
        """Have as many clients wait as may: who serves at the socket has set another number."""
        self.listen(WAITING)


def listening(host: str, port: int, key: str, *, takes_all: bool = False) -> HouseListener:
    """A socket that listens there; ``key`` of the configuration has the address. ``takes_all``:
    what was sent counts, also of a client that is gone.

    Raises:
        NotDone: 1, the address is taken, or not there (yet).
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        made = socket.create_server((host, port), family=family, backlog=WAITING)
    except OSError as error:
        message = f"cannot listen at {host} port {port}: {error.strerror}; see {key}"
        raise NotDone(NOT_WELL, message) from error
    listener = HouseListener(fileno=made.detach())
    listener.takes_all = takes_all
    return listener
