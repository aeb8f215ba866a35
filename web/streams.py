"""Server-sent events: the latest state to each browser that follows it.

The rules:

- After connecting the whole state is sent, then, whenever it has changed, what is otherwise than
  what this browser has (:meth:`web.latest.LatestState.since`): each names the one before it, by
  which a page knows that it has missed none. In between ``alive`` says that the connection stands
  (:data:`ALIVE_S`), by which a page knows within a second that it does not; its data is the
  server's clock, in ms.
- Each has as its ``id`` when it was made, in ms of a clock that nobody sets: what a network brings
  late says so.
- Nothing waits in a queue. What is sent is the state at that moment, and a browser that reads
  slowly gets fewer of them. One that reads nothing at all the kernel lets go (:mod:`web.serving`).
- Each stream takes a place of the few that there are; who finds none is told to come again. One may
  be ended in favour of another, whose place it then is (:meth:`StateStreams.follow`).
- At the program's end the streams end: a browser comes again by itself.
"""

from __future__ import annotations

import asyncio
import time
from typing import Final

from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from web.latest import NOTHING, LatestState

ALIVE_S: Final = 0.4
AGAIN_S: Final = "5"

_HEADERS: Final = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"x-accel-buffering", b"no"),  # a proxy that gathers would make a live page look dead
]


class StateStreams:
    """An application that sends a state to ``most`` browsers at a time."""

    def __init__(self, latest: LatestState, most: int) -> None:
        self._latest = latest
        self._free = most

    @property
    def full(self) -> bool:
        """Whether there is no place left."""
        return self._free <= 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send to one browser until it is gone."""
        if self.full:
            words = "too many pages follow this already: close some, it is tried again\n"
            await PlainTextResponse(words, 503, {"retry-after": AGAIN_S})(scope, receive, send)
            return
        await self.follow(scope, receive, send, asyncio.Event())

    async def follow(self, scope: Scope, receive: Receive, send: Send, over: asyncio.Event) -> None:
        """Send to one browser until it is gone, or ``over`` is set; whether there is a place is not
        looked at."""
        self._free -= 1
        try:
            await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
            async with asyncio.TaskGroup() as tasks:
                sending = tasks.create_task(self._send(send))
                gone = tasks.create_task(_gone(receive))
                ended = tasks.create_task(over.wait())
                all_three = (sending, gone, ended)
                await asyncio.wait(all_three, return_when=asyncio.FIRST_COMPLETED)
                for task in all_three:
                    task.cancel()
            if over.is_set():
                await send({"type": "http.response.body", "body": b""})
        finally:
            self._free += 1

    async def _send(self, send: Send) -> None:
        latest, sent = self._latest, NOTHING
        while not latest.ended:
            event, data = "alive", str(time.time_ns() // 1_000_000)
            if latest.number != sent:
                event, data = "state", latest.since(sent)
                sent = latest.number
            body = f"event: {event}\nid: {_now_ms()}\ndata: {data}\n\n".encode()
            await send({"type": "http.response.body", "body": body, "more_body": True})
            await latest.differs_from(sent, ALIVE_S)
        await send({"type": "http.response.body", "body": b""})


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
