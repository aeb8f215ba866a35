"""Virtual time: a clock that jumps to whatever happens next, and the loops that live in it.

The rules:

- Whatever happens is a callback at a time; of two at the same time the one arranged first comes
  first. So a seed gives the same course every time.
- A loop is one life of the daemon's process. :meth:`VirtualLoop.die` takes all that it still meant
  to do with it, as SIGKILL does.
- An exception out of a callback ends the run, whoever raised it, but for :class:`Crash`, which ends
  the life in which it is raised.
"""

from __future__ import annotations

import asyncio
import heapq
from asyncio import events
from collections.abc import Callable
from contextvars import Context
from typing import Any


class Crash(SystemExit):
    """The process of this life ended at this very instruction. A kind of exit, which asyncio does
    not keep in a task."""


class Handle(asyncio.TimerHandle):
    """Something that will happen, unless it is cancelled or its loop dies before."""

    __slots__ = ()

    def call_back(self) -> None:
        """Let it happen; what it raises is the caller's."""
        self._context.run(self._callback, *self._args)  # type: ignore[attr-defined]


class World:
    """The clock (seconds since the beginning) and everything that is to happen."""

    def __init__(self) -> None:
        self.now = 0.0
        self.steps = 0
        self._heap: list[tuple[float, int, VirtualLoop, Handle]] = []
        self._count = 0
        self.outer = VirtualLoop(self)
        """The loop of all that is not the daemon: devices, wires, people. It never dies."""

    def schedule(self, loop: VirtualLoop, handle: Handle) -> None:
        """Arrange for something to happen."""
        self._count += 1
        heapq.heappush(self._heap, (max(handle.when(), self.now), self._count, loop, handle))

    def step(self, until: float) -> bool:
        """Let the next thing happen if it comes by ``until``; otherwise the clock goes there."""
        while self._heap and self._heap[0][0] <= until:
            when, _, loop, handle = heapq.heappop(self._heap)
            if loop.dead or handle.cancelled():
                continue
            self.now = when
            self.steps += 1
            loop.run_handle(handle)
            return True
        self.now = max(self.now, until)
        return False

    def run_for(self, seconds: float) -> None:
        """Let everything happen that comes within that number of seconds."""
        until = self.now + seconds
        while self.step(until):
            pass

    def run_until(self, done: Callable[[], object], within: float) -> bool:
        """Let things happen until ``done()``; whether it was in time (in seconds)."""
        until = self.now + within
        while not done():
            if not self.step(until):
                return bool(done())
        return True


class VirtualLoop(asyncio.BaseEventLoop):
    """An event loop in a world: asyncio's own, but for what happens when. There are no ports."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.dead = False
        super().__init__()

    def die(self) -> None:
        """Nothing of it happens any more."""
        self.dead = True

    def run_handle(self, handle: Handle) -> None:
        """Let one of its callbacks happen, as the running loop."""
        before = events._get_running_loop()
        events._set_running_loop(self)
        try:
            handle.call_back()
        except Crash:
            self.die()
        finally:
            events._set_running_loop(before)

    def time(self) -> float:
        """The world's clock."""
        return self.world.now

    def call_soon(  # type: ignore[override]
        self, callback: Callable[..., object], *args: Any, context: Context | None = None
    ) -> Handle:
        """Let it happen now, after what is arranged for now already."""
        return self.call_at(self.world.now, callback, *args, context=context)

    call_soon_threadsafe = call_soon  # type: ignore[assignment]

    def call_later(  # type: ignore[override]
        self,
        delay: float,
        callback: Callable[..., object],
        *args: Any,
        context: Context | None = None,
    ) -> Handle:
        """Let it happen after that number of seconds."""
        return self.call_at(self.world.now + delay, callback, *args, context=context)

    def call_at(  # type: ignore[override]
        self,
        when: float,
        callback: Callable[..., object],
        *args: Any,
        context: Context | None = None,
    ) -> Handle:
        """Let it happen at a time."""
        handle = Handle(when, callback, args, self, context)
        self.world.schedule(self, handle)
        return handle

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """A life that is over leaves tasks behind; any other failure ends the run."""
        if not self.dead:
            raise AssertionError(f"unforeseen in the loop: {context}")

    def is_running(self) -> bool:
        """Always, as seen from within."""
        return True

    def is_closed(self) -> bool:
        """Whether this life is over."""
        return self.dead

    def __del__(self) -> None:
        """It has nothing that could be left open."""

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """Asked by asyncio's handle; the world passes over what was cancelled."""
