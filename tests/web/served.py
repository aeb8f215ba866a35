"""An application at a port of this machine, and what a browser's connection does."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from starlette.types import ASGIApp

from web.listening import listening
from web.serving import STOPS, serve

PATIENCE_S = 15


@dataclass(frozen=True, slots=True)
class Answered:
    status: int
    headers: dict[str, str]
    body: bytes


@asynccontextmanager
async def served(
    application: ASGIApp,
    ends: Callable[[], None] = lambda: None,
    before: Callable[[int], object] = lambda _: None,
) -> AsyncIterator[int]:
    """Its port; at the end it is told to stop as systemd tells it. Whoever comes ``before`` it is
    served waits at that port."""
    handlers = {number: signal.getsignal(number) for number in STOPS}
    with listening("127.0.0.1", 0, "[test] listen") as listener:
        port: int = listener.getsockname()[1]
        before(port)
        running = asyncio.create_task(serve(application, listener, ends))
        await asyncio.sleep(0)
        try:
            (await _opened(port))[1].close()
            yield port
        finally:
            signal.raise_signal(signal.SIGTERM)
            async with asyncio.timeout(PATIENCE_S):
                await running
            for number, handler in handlers.items():
                signal.signal(number, handler)


async def _opened(
    port: int, receives: int | None = None
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    made = socket.socket()
    if receives is not None:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receives)
    made.setblocking(False)
    await asyncio.get_running_loop().sock_connect(made, ("127.0.0.1", port))
    return await asyncio.open_connection(sock=made, limit=1 << 22 if receives is None else 1 << 14)


async def get(port: int, path: str, **headers: str) -> Answered:
    """What is answered to a GET."""
    async with asyncio.timeout(PATIENCE_S):
        reader, writer = await _opened(port)
        named = {"Host": "test", "Connection": "close", **headers}
        lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in named.items())
        writer.write(f"GET {path} HTTP/1.1\r\n{lines}\r\n".encode())
        try:
            status, head = await _head(reader)
            body = await reader.read()
            if head.get("transfer-encoding") == "chunked":
                body = _unchunked(body)
            return Answered(status, head, body)
        finally:
            writer.close()
            await writer.wait_closed()


async def _head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    pairs = (line.split(": ", 1) for line in lines[1:] if line)
    return int(lines[0].split()[1]), {name.lower(): value for name, value in pairs}


def _unchunked(body: bytes) -> bytes:
    whole = b""
    while body:
        size, _, rest = body.partition(b"\r\n")
        whole, body = whole + rest[: int(size, 16)], rest[int(size, 16) + 2 :]
    return whole


class EventClient:
    """A browser that follows a state; events are pairs of name and data."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._parts: dict[str, Any] = {}
        self._number: int | None = None
        self.status = 0
        self.headers: dict[str, str] = {}

    @classmethod
    @asynccontextmanager
    async def following(
        cls, port: int, path: str, receives: int | None = None, **headers: str
    ) -> AsyncIterator[EventClient]:
        reader, writer = await _opened(port, receives)
        lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
        writer.write(f"GET {path} HTTP/1.1\r\nHost: test\r\n{lines}\r\n".encode())
        client = cls(reader, writer)
        try:
            async with asyncio.timeout(PATIENCE_S):
                client.status, client.headers = await _head(reader)
            yield client
        finally:
            writer.close()

    async def event(self) -> tuple[str, str]:
        """The next one; EOFError at the end."""
        async with asyncio.timeout(PATIENCE_S):
            size = int((await self._reader.readuntil(b"\r\n")).decode(), 16)
            if not size:
                raise EOFError
            text = (await self._reader.readexactly(size + 2)).decode().strip()
            fields = dict(line.split(": ", 1) for line in text.splitlines())
            self.made_ms = int(fields["id"])
            return fields["event"], fields["data"]

    async def state(self) -> dict[str, Any]:
        """The parts of the next state that is told."""
        while True:
            name, data = await self.event()
            if name == "state":
                told = json.loads(data)
                assert told["after"] == self._number, "one was missed"
                self._number = told["number"]
                for gone in told["gone"]:
                    del self._parts[gone]
                self._parts.update(told["parts"])
                return dict(self._parts)
