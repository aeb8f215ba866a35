"""``python -m tests.console.server.attacks NAME PORT``: an attack on the console at that port of
this machine by whoever reaches it, until it is ended."""

from __future__ import annotations

import secrets
import socket
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

from tests.console.server.beside import ConsolePage

MANY: Final = 600
"""More than there are places for connections."""
HUGE: Final = 100 << 20
AT_ONCE: Final = 16
UNDER_WAY: Final = "attacks"
PAGE: Final = f"{'1' * 8}.{'2' * 32}"


def begun(port: int, line: str, sent: bytes = b"") -> socket.socket:
    """A connection on which the head of a request begins, with that after it."""
    connection = socket.create_connection(("127.0.0.1", port), 5)
    head = f"{line} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX-Console-Page: {PAGE}\r\n"
    with suppress(OSError):
        connection.sendall(head.encode() + sent)
    return connection


def kept(port: int, line: str, sent: bytes, more: bytes) -> None:
    """Many at a time, each with a byte more now and then; who is ended comes again."""
    held: list[socket.socket] = []
    while True:
        held += [begun(port, line, sent) for _ in range(MANY - len(held))]
        for connection in list(held):
            try:
                connection.sendall(more)
            except OSError:
                held.remove(connection)
                connection.close()
        time.sleep(0.2)


def slow_heads(port: int) -> None:
    """A head that is large and never whole."""
    kept(port, "POST /command", b"X: " + b"x" * 30_000, b"x")


def slow_bodies(port: int) -> None:
    """A body that is never whole."""
    kept(port, "POST /command", b"Content-Length: 8000\r\n\r\n{" + b" " * 5000, b" ")


def huge_bodies(port: int) -> None:
    for line in ("POST /command", "GET /settings.json"):
        with begun(port, line, f"Content-Length: {HUGE}\r\n\r\n".encode()) as connection:
            connection.sendall(bytes(HUGE))


def many_headers(port: int) -> None:
    """Whole heads, of many lines."""
    lines = b"".join(b"X-%d: %s\r\n" % (number, b"y" * 40) for number in range(900))
    with begun(port, "GET /", lines + b"\r\n") as connection:
        connection.recv(1 << 16)


def come_and_gone(port: int) -> None:
    """A whole request, or nothing, by one who does not wait for the answer."""
    begun(port, "GET /", b"\r\n").close()
    socket.create_connection(("127.0.0.1", port), 5).close()


def sign_ins(port: int) -> None:
    """PINs guessed, and seats asked for, by pages without a stream."""
    page = ConsolePage(port)
    page.post("/rounds/sign-in", person="Novak", pin=f"{secrets.randbelow(10**6):06}")
    page.post("/seat", over=True)


ATTACKS: Final[Mapping[str, tuple[Callable[[int], None], int]]] = {
    "slow heads": (slow_heads, 1),
    "slow bodies": (slow_bodies, 1),
    "huge bodies": (huge_bodies, AT_ONCE),
    "many headers": (many_headers, AT_ONCE),
    "come and gone": (come_and_gone, 4),
    "sign-ins": (sign_ins, AT_ONCE),
}
"""Each, and by how many at once."""


def main(name: str, port: int) -> None:
    attack, at_once = ATTACKS[name]

    def again() -> None:
        while True:
            with suppress(OSError, AssertionError):
                attack(port)

    for _ in range(at_once):
        threading.Thread(target=again, daemon=True).start()
    print(UNDER_WAY, flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
