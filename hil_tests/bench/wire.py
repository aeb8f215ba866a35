"""The network between programs, which is cut, hung, slow, or doubles requests.

A port of this machine, behind which servers are in turn, as behind a house's proxy. It runs
in a thread of its own. What it is now holds for connections from then on, but a cut ends all, and
while it hangs nothing gets through on any.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Sequence
from contextlib import suppress
from itertools import cycle
from typing import Final

CLEAR: Final = "clear"
CUT: Final = "cut"
SLOW: Final = "slow"
DOUBLING: Final = "doubling"
HUNG: Final = "hung"
KINDS: Final = (CLEAR, CUT, SLOW, DOUBLING)

PIECE: Final = 64 * 1024
SLOW_PIECE: Final = 4 * 1024
SLOW_S: Final = 0.02
"""Between two pieces: 200 kB/s."""

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Wire:
    """The way to the collectors at these ports, until :meth:`close`."""

    def __init__(self, ports: Sequence[int]) -> None:
        self._next = cycle(ports)
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.port: int = self._listener.getsockname()[1]
        self.kind = CLEAR
        self.doubled = 0
        """Requests that came twice."""
        self._loop = asyncio.new_event_loop()
        self._going: set[asyncio.Task[None]] = set()
        self._end = asyncio.Event()
        self._carries = asyncio.Event()
        self._carries.set()
        self._thread = threading.Thread(target=self._run_loop, name="wire", daemon=True)
        self._thread.start()

    def become(self, kind: str) -> None:
        """What it is from now on."""
        self.kind = kind
        carries = self._carries.clear if kind == HUNG else self._carries.set
        self._loop.call_soon_threadsafe(carries)
        if kind == CUT:
            self._loop.call_soon_threadsafe(self._hang_up)

    def close(self) -> None:
        """Nothing of it is left."""
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join()
        self._listener.close()
        self._loop.close()

    # ---- in the thread ------------------------------------------------------------------------

    def _run_loop(self) -> None:
        self._loop.run_until_complete(self._serve())

    async def _serve(self) -> None:
        server = await asyncio.start_server(self._accept, sock=self._listener)
        async with server:
            await self._end.wait()
            server.close()
            self._hang_up()
            await asyncio.gather(*self._going, return_exceptions=True)

    def _hang_up(self) -> None:
        for task in self._going:
            task.cancel()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._going.add(task)
        try:
            if self.kind != CUT:
                await self._carry((reader, writer), self.kind)
        except (OSError, asyncio.CancelledError):
            writer.transport.abort()  # whoever asked sees that it was cut
        finally:
            await _closed(writer)
            self._going.discard(task)

    async def _carry(self, client: Streams, kind: str) -> None:
        collectors: list[Streams] = []
        try:
            for _ in range(1 + (kind == DOUBLING)):
                port = next(self._next)
                collectors.append(await asyncio.open_connection("127.0.0.1", port))
            self.doubled += kind == DOUBLING
            async with asyncio.TaskGroup() as both:
                writers = [writer for _, writer in collectors]
                sending = both.create_task(self._pump(client[0], writers, kind))
                for reader, _ in collectors[1:]:
                    both.create_task(self._pump(reader, [], kind))
                await self._pump(collectors[0][0], [client[1]], kind)
                sending.cancel()
        except* OSError:
            pass
        finally:
            for _, writer in collectors:
                writer.transport.abort()
                await _closed(writer)

    async def _pump(
        self, reader: asyncio.StreamReader, writers: Sequence[asyncio.StreamWriter], kind: str
    ) -> None:
        """Carry what comes, to its end."""
        while piece := await reader.read(SLOW_PIECE if kind == SLOW else PIECE):
            await self._carries.wait()
            for writer in writers:
                writer.write(piece)
            for writer in writers:
                await writer.drain()
            if kind == SLOW:
                await asyncio.sleep(SLOW_S)


async def _closed(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()
