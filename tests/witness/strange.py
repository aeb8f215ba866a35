"""Witnesses that do what no stock one does: one answer in raw bytes, to whoever connects."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

Answering = Callable[[socket.socket], None]


@dataclass
class Strange:
    """``url`` is where it answers; ``heard`` are the requests, as the first read brought them."""

    url: str
    heard: list[bytes] = field(default_factory=list)
    ended: threading.Event = field(default_factory=threading.Event)


def raw(answer: bytes) -> Answering:
    """Says that and hangs up."""

    def say(connection: socket.socket) -> None:
        connection.sendall(answer)

    return say


def http(status: str, body: bytes, *headers: str) -> Answering:
    """A whole answer."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers]
    return raw("\r\n".join([*lines, "", ""]).encode() + body)


@contextmanager
def strange(answering: Answering, tls: ssl.SSLContext | None = None) -> Iterator[Strange]:
    """One that answers so, each connection in a thread of its own."""
    threads: list[threading.Thread] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        host = "localhost" if tls else "127.0.0.1"
        made = Strange(f"http{'s' if tls else ''}://{host}:{port}")

        def serve(plain: socket.socket) -> None:
            with suppress(OSError), plain:
                plain.settimeout(20)
                talks = tls.wrap_socket(plain, server_side=True) if tls else plain
                with talks:
                    made.heard.append(talks.recv(1 << 20))
                    answering(talks)

        def accept() -> None:
            with suppress(OSError):
                while True:
                    connection = server.accept()[0]
                    threads.append(threading.Thread(target=serve, args=(connection,)))
                    threads[-1].start()

        accepting = threading.Thread(target=accept)
        accepting.start()
        try:
            yield made
        finally:
            made.ended.set()
            server.shutdown(socket.SHUT_RDWR)
            for thread in (accepting, *threads):
                thread.join(20)
