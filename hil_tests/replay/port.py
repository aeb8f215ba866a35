"""A port in virtual time: the daemon's carrier, and the end at which a device is played.

Framed or not, it carries whole payloads: the frame of a serial line is made here.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, Final, Self

from drivers.api import PortChange
from drivers.carriers.base import CarrierListener
from drivers.table_link.framing import DELIMITER, Deframer, encode_frame
from drivers.table_link.messages import Message, decode

REOPENED_S: Final = 0.1


class PlayedPort(ABC):
    """A :class:`drivers.carriers.base.Carrier`; ``clock_ns`` is the journal's clock, ``plugged``
    whether the device is there at the beginning."""

    def __init__(self, clock_ns: Callable[[], int], *, framed: bool, plugged: bool) -> None:
        self.clock_ns = clock_ns
        self._framed = framed
        self._plugged = plugged
        self._open = self._wanted = False
        self.errno: int | None = None
        self._deframer = Deframer()

    def attach(self, loop: asyncio.AbstractEventLoop, listener: CarrierListener) -> Self:
        """The daemon makes its carrier."""
        self._loop, self._listener = loop, listener
        return self

    @abstractmethod
    def hear(self, message: Message) -> None:
        """The daemon says something."""

    # ---- the carrier --------------------------------------------------------------------------

    def start(self) -> None:
        """Open the port, or wait for it."""
        self._wanted = True
        self._open_it()

    def send(self, data: bytes) -> None:
        """The daemon says something."""
        if self._open:
            for payload in self._deframer.feed(data) if self._framed else [data]:
                self.hear(decode(payload))

    def restart(self, reason: str) -> None:
        """The daemon gives the port up and opens it again."""
        self._close_it(reason)
        self._loop.call_later(REOPENED_S, self._open_it)

    def recheck(self) -> None:
        """The port is the one that is configured; open it if it is not."""
        self._open_it()

    def statistics(self) -> Mapping[str, int]:
        """Nothing is counted."""
        return {}

    async def close(self) -> None:
        """Close it for good."""
        self._open = self._wanted = False

    # ---- the device's end -----------------------------------------------------------------------

    def plug(self, change: PortChange) -> None:
        """It goes or comes."""
        self._plugged = change.open
        if change.open:
            self._open_it()
        else:
            self._close_it(change.reason)

    def arrives(self, payload: bytes) -> None:
        """A payload arrives at the daemon."""
        if self._open:
            self._listener.carrier_received(encode_frame(payload) if self._framed else payload)

    def damaged(self, raw: bytes) -> None:
        """What is no frame arrives there."""
        if self._open:
            self._listener.carrier_received(raw + DELIMITER)

    def _open_it(self) -> None:
        if self._plugged and self._wanted and not self._open:
            self._open = True
            self._deframer.clear()
            if self._framed:
                self._deframer.feed(b"\0")
            self._listener.carrier_opened()

    def _close_it(self, reason: str) -> None:
        if self._open:
            self._open = False
            self._listener.carrier_closed(reason)

    def call_at(self, at_ns: int, then: Callable[..., None], *arguments: Any) -> None:
        """Do something at a time of the journal's clock."""
        self._loop.call_later(max(0.0, (at_ns - self.clock_ns()) / 1e9), then, *arguments)
