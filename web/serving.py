"""HTTP for programs of a house, by uvicorn, until SIGTERM or SIGINT.

The rules:

- A whole answer is one write: one in pieces waits for acknowledgements on some networks.
- A request's head has :data:`HEAD_S`, some :data:`HEAD_BYTES` and :data:`HEAD_LINES`; a connection
  that is kept and asks nothing has :data:`KEPT_S`. What a client that is gone has sent is given up
  at once.
- Fewer than :data:`MOST` connections are served. One more takes the place of the one that has let
  its request, or the rest of it, be waited for longest; where all are being answered it is told so
  (503). One whose last request has :func:`keep_place` goes after all others.
- At most :data:`AT_ONCE` are taken in a turn of the loop, the rest wait in the kernel: what a
  client has sent is read turns before so many more have come that its connection is ended.
- Who takes nothing of what is sent for :data:`TAKEN_MS` is gone: the kernel ends the connection.
- At the end no more connections are taken, and what is being answered has :data:`END_S`.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import socket
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from web.listening import HouseListener

# uvicorn's package imports its command line with whatever is asked of it: click, a reloader and a
# supervisor of processes, for a program that is one process and reads its own options. That is
# 1.4 MiB (28.3 or 29.8 once the console is imported, of 30 in all with pages) and about 10 ms of
# its start. So it finds an empty module in that place. Whoever asks for ``uvicorn.main`` later gets
# the real one.
_COMMAND_LINE: Final = "uvicorn.main"

_left_out: Any = ModuleType(_COMMAND_LINE)
_left_out.Server = _left_out.main = _left_out.run = None
sys.modules.setdefault(_COMMAND_LINE, _left_out)
try:
    from uvicorn.config import Config
    from uvicorn.protocols.http.h11_impl import H11Protocol
    from uvicorn.server import Server
finally:
    if sys.modules[_COMMAND_LINE] is _left_out:
        del sys.modules[_COMMAND_LINE]

HEAD_S: Final = 10.0
HEAD_BYTES: Final = 32 << 10
HEAD_LINES: Final = 100
"""Each takes hundreds of bytes, however short it is."""
TOO_LARGE: Final = 431
KEPT_S: Final = 75
TAKEN_MS: Final = 20_000
MOST: Final = 512
AT_ONCE: Final = 16
END_S: Final = 10
STOPS: Final = (signal.SIGTERM, signal.SIGINT)

_log = logging.getLogger(__name__)


async def serve(
    application: ASGIApp, listener: HouseListener, ends: Callable[[], None] = lambda: None
) -> None:
    """Answer at that socket until told to stop; then ``ends`` ends what would go on for ever."""
    config = Config(
        _bounded(application),
        http=_Connection,
        h11_max_incomplete_event_size=HEAD_BYTES,
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="error",  # whatever strangers send is no news
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        limit_concurrency=MOST,
        backlog=AT_ONCE,
        timeout_keep_alive=KEPT_S,
        timeout_graceful_shutdown=END_S,
    )
    for number in STOPS:
        signal.signal(number, _ignored)  # uvicorn takes it and, at the end, hands it on
    host, port = listener.getsockname()[:2]
    _log.info("answers at http://%s:%d", f"[{host}]" if ":" in host else host, port)
    await _Server(config, listener, ends).serve(sockets=[listener])


def keep_place(request: Request) -> None:
    """Of all connections that might be ended for a new one, end that of this request last."""
    request.state.keeps_place = True


def _bounded(application: ASGIApp) -> ASGIApp:
    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if len(scope["headers"]) > HEAD_LINES:
            refusal = PlainTextResponse("too many headers\n", TOO_LARGE, {"connection": "close"})
            await refusal(scope, receive, send)
            return
        await application(scope, receive, send)

    return answer


def _ignored(*_: object) -> None:
    """It has done what it should."""


class _Server(Server):
    def __init__(self, config: Config, listener: HouseListener, ends: Callable[[], None]) -> None:
        super().__init__(config)
        self._listener = listener
        self._ends = ends

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._listener.let_wait()  # asyncio has one number for that and for a turn

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._ends()
        await super().shutdown(sockets)


class _Connection(H11Protocol):
    """One connection, with a clock for each head; ``_since`` is when its last request began, or
    the connection itself."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._clock: asyncio.TimerHandle | None = None
        self._since = self.loop.time()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        connected = transport.get_extra_info("socket")
        connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, TAKEN_MS)
        if len(self.connections) + 1 >= MOST:
            self._end_oldest()
        super().connection_made(_WholeWrites(transport))
        self._wait()

    def data_received(self, data: bytes) -> None:
        before = self.cycle
        for at in range(
            0, len(data), HEAD_BYTES
        ):  # the size of what comes at once is not looked at
            if not self.transport.is_closing():
                super().data_received(data[at : at + HEAD_BYTES])
        if self.cycle is not before:
            self._since = self.loop.time()
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop()
        elif self._clock is None:
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        super().connection_lost(exc)
        self._unset_keepalive_if_required()  # else one that was reset is kept until then
        # Nothing leads in a circle: it goes without a collection.
        self.cycle = None  # type: ignore[assignment]

    @property
    def _waits(self) -> bool:
        """Whether its client has to send something next."""
        return self.cycle is None or self.cycle.response_complete or self.cycle.more_body

    @property
    def _keeps_place(self) -> bool:
        return self.cycle is not None and "keeps_place" in self.scope["state"]

    def _end_oldest(self) -> None:
        """End the one that has been waited for longest, if there is any."""
        found = [one for one in self.connections if isinstance(one, _Connection) and one._waits]
        if found:
            oldest = min(found, key=lambda one: (one._keeps_place, one._since))
            self.connections.discard(oldest)
            oldest.transport.close()

    def _wait(self) -> None:
        self._clock = self.loop.call_later(HEAD_S, self.timeout_keep_alive_handler)

    def _stop(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None


class _WholeWrites(asyncio.Transport):
    """A transport that gathers what is written in one turn of the loop."""

    def __init__(self, transport: asyncio.Transport) -> None:
        super().__init__()
        self._transport = transport
        self._waiting: list[bytes] = []

    def write(self, data: Any) -> None:
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._flush)
        self._waiting.append(data)

    def _flush(self) -> None:
        if self._waiting and not self._transport.is_closing():
            self._transport.write(b"".join(self._waiting))
        self._waiting.clear()

    def close(self) -> None:
        self._flush()
        self._transport.close()

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self._transport.get_extra_info(name, default)

    def is_closing(self) -> bool:
        return self._transport.is_closing()

    def pause_reading(self) -> None:
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        self._transport.resume_reading()

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self._transport.set_protocol(protocol)
