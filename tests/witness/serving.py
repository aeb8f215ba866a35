"""HTTP servers of tests' mirrors, which keep all in memory."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answer = tuple[int, dict[str, str], bytes]
"""Status, heads, body."""


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: object, client_address: object) -> None:
        if not isinstance(sys.exception(), OSError):  # who asked has had enough, and hung up
            super().handle_error(request, client_address)  # type: ignore[arg-type]


@contextmanager
def answering(answer: Callable[[str, bytes], Answer | None]) -> Iterator[str]:
    """Where it answers so to a path and a body: ``http://127.0.0.1:PORT``. To None it hangs up in
    the middle of a body."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self.do_POST()

        def do_POST(self) -> None:
            asked = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            given = answer(self.path, asked)
            status, heads, body = given or (200, {}, b"x" * 100)
            self.send_response(status)
            for name, value in {**heads, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body if given else body[:50])
            self.close_connection |= given is None

        def log_message(self, *_: object) -> None:
            return

    with _Server(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
