"""Connections that ask nothing, or never all of it, keep nobody out."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from tests.web.served import PATIENCE_S, get, served
from web.listening import LOOKED_AT
from web.serving import keep_place

MOST = 12
BODY = b"POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 9\r\n\r\nhalf"


def asking(path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: test\r\n\r\n".encode()


GET = asking("/slow")


class SlowAnswers:
    """Reads what it is sent; ``/slow`` is answered when ``go`` is set, ``/mine`` keeps a place."""

    def __init__(self) -> None:
        self.go = asyncio.Event()
        self.asked = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        self.asked += 1
        if request.url.path == "/slow":
            await self.go.wait()
        if request.url.path == "/mine":
            keep_place(request)
        async for _ in request.stream():
            pass
        await Response("there")(scope, receive, send)


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.serving.MOST", MOST)
    monkeypatch.setattr("web.serving.AT_ONCE", 2)


@pytest.fixture
def opened() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def connected(opened: ExitStack, port: int, *sent: bytes) -> socket.socket:
    connection = opened.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE_S))
    for each in sent:
        connection.sendall(each)
    return connection


async def read(connection: socket.socket) -> bytes:
    return await asyncio.to_thread(connection.recv, 1 << 16)


async def is_ended(connection: socket.socket) -> bool:
    try:
        return await read(connection) == b""
    except ConnectionResetError:
        return True


@pytest.mark.parametrize("sent", [b"", b"GET / HT", BODY])
async def test_who_asks_takes_the_place_of_who_keeps_one_waiting(
    opened: ExitStack, sent: bytes
) -> None:
    async with served(SlowAnswers()) as port:
        idle = [connected(opened, port, sent) for _ in range(3 * MOST)]
        assert (await get(port, "/")).body == b"there"
        assert await is_ended(idle[0])
        idle[-1].settimeout(0.1)
        with pytest.raises(TimeoutError):
            idle[-1].recv(1)


async def test_who_is_being_answered_keeps_the_place(opened: ExitStack) -> None:
    answering = SlowAnswers()
    async with served(answering) as port:
        asked = [connected(opened, port, GET) for _ in range(MOST - 2)]
        async with asyncio.timeout(PATIENCE_S):
            while answering.asked < len(asked):
                await asyncio.sleep(0.01)
        assert (await get(port, "/")).body == b"there"
        idle = connected(opened, port)
        assert (await get(port, "/")).body == b"there", "in the place of the one that idles"
        assert await is_ended(idle)
        assert (await get(port, "/")).status == 200
        asked.append(connected(opened, port, GET))
        async with asyncio.timeout(PATIENCE_S):
            while answering.asked < len(asked) + 3:
                await asyncio.sleep(0.01)
        assert (await get(port, "/")).status == 503
        answering.go.set()
        for connection in asked:
            assert (await read(connection)).endswith(b"there")


async def test_what_has_come_is_read_however_many_come_behind_it(opened: ExitStack) -> None:
    def come(port: int) -> None:
        asked.append(connected(opened, port, asking("/")))
        for _ in range(5 * MOST):
            connected(opened, port)

    asked: list[socket.socket] = []
    async with served(SlowAnswers(), before=come):
        assert (await read(asked[0])).endswith(b"there")


async def test_who_is_gone_is_not_answered(opened: ExitStack) -> None:
    def come(port: int) -> None:
        for sent in (b"", GET, asking("/")) * LOOKED_AT:
            connected(opened, port, sent).close()
        asked.append(connected(opened, port, asking("/")))

    asked: list[socket.socket] = []
    answering = SlowAnswers()
    async with served(answering, before=come):
        assert (await read(asked[0])).endswith(b"there")
    assert answering.asked == 1


async def test_who_keeps_the_place_is_ended_after_all_others(opened: ExitStack) -> None:
    async with served(SlowAnswers()) as port:
        mine, another = (connected(opened, port, asking(path)) for path in ("/mine", "/"))
        for connection in (mine, another):
            assert (await read(connection)).endswith(b"there")
        for _ in range(3 * MOST):
            connected(opened, port)
        assert await is_ended(another)
        mine.sendall(asking("/"))
        assert (await read(mine)).endswith(b"there")
        for _ in range(3 * MOST):
            connected(opened, port)
        assert await is_ended(mine), "its last request did not"
