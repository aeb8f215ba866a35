"""What a page has done at the table: commands, dry runs, and who signed in for them.

The rules:

- Rights are the daemon's. The console may what a dealer may; a PIN adds what that person may, on a
  connection of his own, until he leaves, for one act, or until nobody has touched for a while.
- A command has the ``at`` that its page showed, and a ``key``: given again it is answered and not
  done again. So a page may repeat one whose answer it did not get.
- A PIN is handed on and kept nowhere.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Final

from controller.control.client import NoController, RefusedByController
from controller.control.loop_client import Asker, asking
from controller.json_values import JsonObject

ANSWER_S: Final = 15.0
"""A dealer's command may wait for the gate to be known locked."""


class SocketLine:
    """A connection that is made when it is needed and once more after it broke."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stack = AsyncExitStack()
        self._asker: Asker | None = None
        self._one = asyncio.Lock()

    async def ask(self, do: str, fields: Mapping[str, Any]) -> JsonObject:
        """The result of a request.

        Raises:
            NoController: there was no answer: it may have been done.
            RefusedByController: the answer is no.
        """
        async with self._one:
            try:
                async with asyncio.timeout(ANSWER_S):
                    if self._asker is None:
                        self._asker = await self._stack.enter_async_context(asking(self._path))
                    return await self._asker.ask(do, dict[str, object], **fields)
            except TimeoutError as error:
                await self.close()
                raise NoController("the controller does not answer in time") from error
            except (NoController, asyncio.CancelledError):
                await self.close()
                raise
            except RefusedByController as rejected:
                if rejected.kind == "unavailable":  # it may hang up
                    await self.close()
                raise

    async def close(self) -> None:
        """End the connection; the next request makes another."""
        self._asker = None
        await self._stack.aclose()


class Actor:
    """Gives commands for the page that acts. ``person`` is signed in there, ``once``: for one act;
    ``changed`` is called when that changes."""

    def __init__(self, path: Path, lock_s: float, changed: Callable[[], None]) -> None:
        self.person: str | None = None
        self.once = False
        self._path = path
        self._lock_s = lock_s
        self._changed = changed
        self._plain = SocketLine(path)
        self._own: SocketLine | None = None
        self._lock: asyncio.TimerHandle | None = None
        self._ending: set[asyncio.Task[None]] = set()

    async def give(self, do: str, fields: Mapping[str, Any], *, more: bool = False) -> JsonObject:
        """Give a command, by whoever is signed in; ``more``: the next one belongs to the same act,
        as those of one correction do. Errors as of :class:`SocketLine`."""
        line = self._plain if self._own is None or "pin" in fields else self._own
        self.touched()
        try:
            answer = await line.ask(do, fields)
        except (NoController, RefusedByController) as error:
            if line is self._own and getattr(error, "kind", "gone") in ("gone", "not_allowed"):
                await self.sign_out()
            raise
        if self.once and do == "supervisor" and not fields.get("dry") and not more:
            await self.sign_out()
        return answer

    async def look(self, do: str, fields: Mapping[str, Any]) -> JsonObject:
        """Ask for something that is only looked at; errors as of :class:`SocketLine`."""
        return await (self._own or self._plain).ask(do, fields)

    async def sign_in(self, person: str, pin: str, *, once: bool) -> JsonObject:
        """Sign a person in; the daemon's answer, ``person`` and ``role``."""
        line = SocketLine(self._path)
        try:
            answer = await line.ask("sign_in", {"person": person, "pin": pin})
        except (NoController, RefusedByController):
            await line.close()
            raise
        await self.sign_out()
        self._own, self.person, self.once = line, str(answer["person"]), once
        self.touched()
        self._changed()
        return answer

    async def sign_out(self) -> None:
        """Sign out whoever is in."""
        line, self._own = self._own, None
        self._stop_clock()
        if line is not None:
            self.person = None
            self._changed()
            await line.close()

    def touched(self) -> None:
        """Somebody is there: the clock of the lock begins anew."""
        self._stop_clock()
        if self._own is not None:
            loop = asyncio.get_running_loop()
            self._lock = loop.call_later(self._lock_s, self.leave)

    def leave(self) -> None:
        """Sign out, as nobody is there any more."""
        task = asyncio.get_running_loop().create_task(self.sign_out())
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)

    def _stop_clock(self) -> None:
        if self._lock is not None:
            self._lock.cancel()
            self._lock = None

    async def close(self) -> None:
        """End all connections."""
        await self.sign_out()
        await self._plain.close()
