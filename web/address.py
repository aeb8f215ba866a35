"""An address at which a program of the house listens, as its configuration gives it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address


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
