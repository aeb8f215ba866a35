"""Work that takes its time (scrypt, a file), done beside the loop.

The rules:

- Cards and acknowledgements never wait for it: each has a thread of its own, of which one user
  keeps at most ``OF_ONE`` busy and all together ``OF_ALL``; more wait.
- Who asks waits ``WITHIN_S``, his turn included. A thread that hangs keeps its turn until it ends:
  what it does is not done by another one meanwhile.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Final, TypeVar

from controller.control.asking import ask_in_thread
from controller.control.handler import Unavailable
from controller.threads import NoThread

T = TypeVar("T")

OF_ONE: Final = 1
OF_ALL: Final = 2
WITHIN_S: Final = 10.0

_NOT_NOW: Final = "PINs and the list of people cannot be looked at now, try again"


class WorkInTurns:
    """Has work done in turns."""

    def __init__(self, within_s: float = WITHIN_S) -> None:
        self._within_s = within_s
        self._held: Counter[int] = Counter()
        self._freed = asyncio.Event()

    async def do(self, whose: int, work: Callable[[], T]) -> T:
        """What ``work`` returns, or raises; ``whose`` turn it takes is a user's number.

        Raises:
            Unavailable: it was not done in time.
        """
        try:
            async with asyncio.timeout(self._within_s):
                while self._held[whose] >= OF_ONE or self._held.total() >= OF_ALL:
                    await self._freed.wait()
                return await self._start(whose, work)
        except TimeoutError as error:
            raise Unavailable(f"{_NOT_NOW}: it took too long", "people-busy") from error
        except NoThread as error:
            raise Unavailable(f"{_NOT_NOW}: {error.strerror}", "people-busy") from error

    def _start(self, whose: int, work: Callable[[], T]) -> asyncio.Future[T]:
        self._held[whose] += 1
        return ask_in_thread(work, "people", partial(self._ended, whose))[1]

    def _ended(self, whose: int) -> None:
        self._held[whose] -= 1
        if not self._held[whose]:
            del self._held[whose]
        self._freed.set()
        self._freed = asyncio.Event()
