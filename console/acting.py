"""What a page has done at the table: commands, dry runs, and who signed in for them.

The rules:

- Rights are the daemon's. The console may what a dealer may; a PIN adds what that person may, on a
  connection of his own, until he leaves, for one act, or until nobody has touched for a while. It
  serves the page at which he signed in and no other, and is never made anew without his PIN.
- A command has the ``at`` that its page showed, and a ``key``: given again it is answered and not
  done again. So a page may repeat one whose answer it did not get, also who signed in for that one
  act and is out behind it.
- What is tried (``dry``) is no touch: a page tries what it shows anew whenever the table changes.
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
from controller.forms.json_values import JsonObject

ANSWER_S: Final = 15.0
"""A dealer's command may wait for the gate to be known locked."""
KEPT_S: Final = 20.0
"""Who touches the screen is kept signed in: the daemon signs out who asks nothing for 120 s."""
IDLE: Final = "idle"
"""The code with which the daemon hangs up on a connection without a request for 300 s."""
MOST_WAITING: Final = 8
"""Requests that wait for a connection."""

Still = Callable[[], None]
"""Raises where a request that has waited is not to be made any more."""


def _always() -> None:
    """It is to be made."""


class SocketLine:
    """A connection that is made when it is needed and once more after it broke; ``again``: False
    where it is over once it is closed."""

    def __init__(self, path: Path, *, again: bool = True) -> None:
        self._path = path
        self._again = again
        self._over = False
        self._stack = AsyncExitStack()
        self._asker: Asker | None = None
        self._one = asyncio.Lock()
        self._waiting = 0

    async def ask(self, do: str, fields: Mapping[str, Any], still: Still = _always) -> JsonObject:
        """The result of a request; ``still`` is asked when its turn comes.

        Raises:
            NoController: there was no answer: it may have been done.
            RefusedByController: the answer is no.
        """
        if self._waiting >= MOST_WAITING:
            raise NoController("too much is asked at once: ask again")
        self._waiting += 1
        try:
            async with self._one:
                still()
                try:
                    return await self._result(do, fields)
                except RefusedByController as rejected:
                    if rejected.code != IDLE or self._over:
                        raise
                return await self._result(do, fields)  # that was said before anything was asked
        finally:
            self._waiting -= 1

    async def _result(self, do: str, fields: Mapping[str, Any]) -> JsonObject:
        if self._asker is not None and self._asker.has_hung_up:
            await self.close()
        if self._over:
            raise NoController("who was signed in has left: nothing was done")
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

    def retire(self) -> None:
        """Nothing that waits for it is asked any more."""
        self._over = True

    async def close_when_idle(self) -> None:
        """:meth:`close` it once what is being asked is answered."""
        async with self._one:
            await self.close()

    async def close(self) -> None:
        """End the connection; the next request makes another, where one may be made."""
        self._asker = None
        self._over = self._over or not self._again
        await self._stack.aclose()


class Actor:
    """Gives commands for the page that acts. ``person`` is signed in at ``page`` and may what his
    ``role`` may, ``once``: for one act; ``changed`` is called when that changes."""

    def __init__(self, path: Path, lock_s: float, changed: Callable[[], None]) -> None:
        self.person: str | None = None
        self.role: str | None = None
        self.once = False
        self.page = ""
        self._path = path
        self._lock_s = lock_s
        self._changed = changed
        self._plain, self._looks = SocketLine(path), SocketLine(path)
        self._own: SocketLine | None = None
        self._last_act: tuple[tuple[str, str, Mapping[str, Any]], JsonObject] | None = None
        self._asked_at = 0.0
        self._signing = asyncio.Lock()
        self._lock: asyncio.TimerHandle | None = None
        self._ending: set[asyncio.Task[None]] = set()

    async def give_command(
        self,
        page: str,
        do: str,
        fields: Mapping[str, Any],
        *,
        more: bool = False,
        still: Still = _always,
    ) -> JsonObject:
        """Give a command, by whoever is signed in at that page; ``more``: the next one belongs to
        the same act, as those of one correction do. Errors as of :class:`SocketLine`."""
        dry, given = fields.get("dry"), (page, do, fields)
        if self._last_act is not None and self._last_act[0] == given:
            return {**self._last_act[1], "again": True}
        line = self._plain if "pin" in fields else self._line(page)
        if not dry:
            self.touched(page)
        answer = await self._answer_on(line, do, fields, still)
        acted = do == "supervisor" and not dry and not more
        if line is self._own and self.once and acted:
            self._last_act = given, answer
            self.leave()
        return answer

    async def public_answer(self, do: str) -> JsonObject:
        """Ask for something that every page may see; errors as of :class:`SocketLine`."""
        return await self._looks.ask(do, {})

    async def look_as(self, page: str, do: str, fields: Mapping[str, Any]) -> JsonObject:
        """Ask for something as whoever is signed in at that page; errors likewise."""
        return await self._answer_on(self._line(page), do, fields, _always)

    async def sign_in(
        self, page: str, person: str, pin: str, *, once: bool, still: Still = _always
    ) -> JsonObject:
        """Sign a person in at that page; the daemon's answer, ``person`` and ``role``."""
        if self._signing.locked():
            raise NoController("somebody is being signed in: try again")
        line = SocketLine(self._path, again=False)
        async with self._signing:
            try:
                answer = await line.ask("sign_in", {"person": person, "pin": pin})
                still()  # another page may act by now
            except BaseException:
                await line.close()
                raise
        self.leave()
        self._own, self.once, self.page = line, once, page
        self.person, self.role = str(answer["person"]), str(answer["role"])
        self._asked_at = asyncio.get_running_loop().time()
        self.touched(page)
        self._changed()
        return answer

    async def stay(self, page: str) -> None:
        """Somebody is there: neither the console nor the daemon signs him out yet."""
        self.touched(page)
        line, now = self._line(page), asyncio.get_running_loop().time()
        if line is self._own and now - self._asked_at > KEPT_S:
            await self._answer_on(line, "status", {}, _always)

    def touched(self, page: str) -> None:
        """Somebody is at that page: the clock of its lock begins anew."""
        if self._own is not None and page == self.page:
            self._stop_clock()
            self._lock = asyncio.get_running_loop().call_later(self._lock_s, self.leave)

    def leave(self) -> None:
        """Sign out whoever is in."""
        line, self._own = self._own, None
        self._stop_clock()
        if line is None:
            return
        self.person, self.role, self.page = None, None, ""
        line.retire()
        task = asyncio.get_running_loop().create_task(line.close_when_idle())
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)
        self._changed()

    def _line(self, page: str) -> SocketLine:
        return self._own if self._own is not None and page == self.page else self._plain

    async def _answer_on(
        self, line: SocketLine, do: str, fields: Mapping[str, Any], still: Still
    ) -> JsonObject:
        try:
            answer = await line.ask(do, fields, still)
        except (NoController, RefusedByController) as error:
            if line is self._own and getattr(error, "kind", "gone") in ("gone", "not_allowed"):
                self.leave()
            raise
        if line is self._own:
            self._asked_at = asyncio.get_running_loop().time()
        return answer

    def _stop_clock(self) -> None:
        if self._lock is not None:
            self._lock.cancel()
            self._lock = None

    async def close(self) -> None:
        """End all connections."""
        self.leave()
        await asyncio.gather(*self._ending, self._plain.close(), self._looks.close())
