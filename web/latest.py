"""The latest state of something, for whoever follows it: never a queue.

A state is made of named parts, each a JSON value. Whoever has seen it at some number is told the
parts that have changed since, however often they did, as they are now.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

NOTHING: Final = -1
"""The number of who has seen nothing yet."""


_encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


class LatestState:
    """The parts by name, how often any has changed (``number``), and whether more will come."""

    def __init__(self, parts: Mapping[str, object]) -> None:
        self.number = 0
        self.ended = False
        self._parts = _encoded(parts)
        self._changed_at = dict.fromkeys(parts, 0)
        self._gone_at: dict[str, int] = {}
        self._texts: dict[int, str] = {}
        self._changed = asyncio.Event()

    def put_parts(self, parts: Mapping[str, object]) -> None:
        """What they are now; the same again is no change."""
        before, now, number = self._parts, _encoded(parts), self.number + 1
        changed = [name for name, text in now.items() if before.get(name) != text]
        gone = before.keys() - now.keys()
        if not changed and not gone:
            return
        for name in changed:
            self._changed_at[name] = number
            self._gone_at.pop(name, None)
        for name in gone:
            del self._changed_at[name]
            self._gone_at[name] = number
        self._parts, self.number = now, number
        self._texts.clear()
        self._wake()

    def since(self, number: int) -> str:
        """What has changed since that number, as JSON: ``after`` is that one (null: all of it, for
        who has seen nothing), ``number`` the one that is had with it; ``parts`` are put, and those
        that ``gone`` names taken away."""
        if number not in self._texts:  # many follow at the same number
            self._texts[number] = self._since(number)
        return self._texts[number]

    def _since(self, number: int) -> str:
        after = "null" if number == NOTHING else str(number)
        parts = ",".join(
            f"{_encode(name)}:{text}"
            for name, text in self._parts.items()
            if self._changed_at[name] > number
        )
        gone = [name for name, at in self._gone_at.items() if at > number != NOTHING]
        return (
            f'{{"after":{after},"number":{self.number},"parts":{{{parts}}},"gone":{_encode(gone)}}}'
        )

    def end_updates(self) -> None:
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


def _encoded(parts: Mapping[str, object]) -> dict[str, str]:
    return {name: _encode(value) for name, value in parts.items()}
