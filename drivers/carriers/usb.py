"""The USB carrier."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from drivers.carriers.base import CarrierListener


class UsbCarrier:
    """Being written."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, unit: str, listener: CarrierListener
    ) -> None:
        raise NotImplementedError

    def start(self) -> None:
        """Not yet."""

    def send(self, data: bytes) -> None:
        """Not yet."""

    def restart(self, reason: str) -> None:
        """Not yet."""

    def recheck(self) -> None:
        """Not yet."""

    def statistics(self) -> Mapping[str, int]:
        """Not yet."""
        return {}

    async def close(self) -> None:
        """Not yet."""
