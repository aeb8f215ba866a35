"""What a floor may send in place of an answer, byte by byte: each request ends, and takes no more
room than an answer has."""

from __future__ import annotations

import gzip
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress

import pytest
from pytest_mock import MockerFixture

from controller.upkeep.floor_log import FloorFails, FloorLog

HEAD = b"HTTP/1.1 200 OK\r\n"
TIMES = 100
PAUSE_S = 0.1


@contextmanager
def sending(first: bytes, again: bytes) -> Iterator[str]:
    """The address of a floor that answers each connection with ``first``, and then with ``again``
    now and then, until whoever asked hangs up."""
    ended = threading.Event()

    def send(listener: socket.socket) -> None:
        while True:
            connected, _ = listener.accept()
            with connected, suppress(OSError):
                if ended.is_set():
                    return
                connected.recv(1 << 16)
                connected.sendall(first)
                for _ in range(TIMES):
                    connected.sendall(again)
                    ended.wait(PAUSE_S)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=send, args=[listener])
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/mirror"
        finally:
            ended.set()
            socket.create_connection(listener.getsockname()).close()
            thread.join()


@pytest.mark.parametrize(
    "first",
    [
        HEAD + b"X: ",
        HEAD + b"Content-Length: 999\r\n\r\n",
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n",
    ],
)
def test_one_byte_at_a_time_has_an_end(first: bytes, mocker: MockerFixture) -> None:
    mocker.patch("controller.upkeep.floor_log.WITHIN_S", 3 * PAUSE_S)
    expected = pytest.raises(FloorFails, match="it was not whole within")
    with sending(first, b"0") as url, closing(FloorLog(url, "origin")) as log, expected:
        log.checkpoint()


def test_what_stands_behind_the_end_is_not_gathered() -> None:
    first = HEAD + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b"a checkpoint")
    expected = pytest.raises(FloorFails, match="something stands behind its end")
    with sending(first, bytes(1 << 16)) as url, closing(FloorLog(url, "origin")) as log, expected:
        log.checkpoint()
