"""The latest state of something, for whoever follows it: never a queue."""

from __future__ import annotations

import asyncio
from contextlib import suppress


class LatestState:
    """A text, how often it has changed (``number``), and whether more will come."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.number = 0
        self.ended = False
        self._changed = asyncio.Event()

    def put(self, text: str) -> None:
        """What it is now; the same again is no change."""
        if text != self.text:
            self.text = text
            self.number += 1
            self._wake()

    def end(self) -> None:
        """No more will come: the program ends."""
        self.ended = True
        self._wake()

    async def differs_from(self, number: int, within_s: float) -> None:
        """Wait until it is another than the one of that number, for so long at most."""
        if self.number == number and not self.ended:
            with suppress(TimeoutError):
                async with asyncio.timeout(within_s):
                    await self._changed.wait()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()
