"""One client of the control socket, served within limits so that it never disturbs play.

The rules:

- One request at a time: the next is read from the client when the last is answered. What the client
  sends meanwhile stays in its socket once a small buffer is full.
- Requests beyond the client's rate wait. A line too long, repeated garbage, or an answer that is
  not taken ends the conversation; a client that listens is sent the reason.
- A watcher is sent the state as it is when it has taken the last one: a slow watcher misses states
  and costs no memory.
- Garbage that ends the conversation, and requests beyond the client's rate, are refused attempts
  and told to the host.
- The traffic of a device comes in portions, one when the client has taken the last; what is not
  fetched in time is dropped where it is kept, and the client is sent how much.
- When the client disconnects, a command in progress is still finished: it may already be in the
  journal. When it only stops sending, what it sent is answered first.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import Final, Protocol, cast

from controller.control.handler import LineCapture
from controller.control.peers import Peer
from controller.control.protocol import (
    MAX_LINE_BYTES,
    BadRequest,
    ErrorKind,
    Request,
    encode,
    encode_error,
    encode_result,
    parse_request,
)
from controller.control.serving.door import Bounds, Dropped
from controller.control.serving.rights import Session
from controller.rate import Rate

_log = logging.getLogger(__name__)

STREAMS: Final = frozenset({"watch", "capture", "try"})
"""Requests that are answered again and again."""

SIGNED_OUT: Final = "who asked for this stream is not signed in any more: sign in and ask again"


class Host(Protocol):
    """What a conversation needs of the server."""

    bounds: Bounds

    async def admit(self, conversation: Conversation) -> Peer:
        """The peer, with all that the user database says of him; Dropped where it is not served."""

    async def answer(self, request: Request, session: Session) -> bytes:
        """The line that answers anything but a stream; never raises."""

    async def state(self) -> bytes | None:
        """The committed state, encoded; None when there is none to show."""

    async def capture(
        self, request: Request, session: Session, changed: Callable[[], None]
    ) -> tuple[LineCapture, Callable[[], bool]] | bytes:
        """A device's traffic (``capture``, ``try``) with what tells if it may go on; or why not."""

    def disconnected(self, conversation: Conversation) -> None:
        """The connection is gone."""

    def refused(self, peer: Peer, what: str, why: str) -> None:
        """The client tried what its role does not permit."""


class Conversation(asyncio.Protocol):
    """A client's connection to the server ``host``."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._bounds = host.bounds
        self._loop = asyncio.get_running_loop()
        self._buffer = bytearray()
        self._ended = False
        self._farewell: str | None = None
        self._kind: ErrorKind = "unavailable"
        self._code = "stopping"
        self._arrived = asyncio.Event()
        self._writable = asyncio.Event()
        self._writable.set()
        self._changed = asyncio.Event()
        self._watch: asyncio.Task[None] | None = None
        self._watch_id = 0
        self._garbage = 0
        self._late = 0

    # ---- what the transport says --------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Serve the client in its own task."""
        self._transport = cast("asyncio.Transport", transport)
        self._worker = self._loop.create_task(self._converse())

    def data_received(self, data: bytes) -> None:
        """Keep it; let the client wait when it is more than a request and a half."""
        self._buffer += data
        if len(self._buffer) > MAX_LINE_BYTES:
            self._transport.pause_reading()
        self._arrived.set()

    def eof_received(self) -> bool:
        """The client sends no more; what it sent is still answered."""
        self._ended = True
        self._arrived.set()
        return True

    def pause_writing(self) -> None:
        """The client does not take what it is sent."""
        self._writable.clear()

    def resume_writing(self) -> None:
        """He does again."""
        self._writable.set()

    def connection_lost(self, _: Exception | None) -> None:
        """He is gone. The server finishes a command in hand by itself."""
        self._worker.cancel()
        self._host.disconnected(self)

    # ---- what the server says -----------------------------------------------------------------

    def state_changed(self) -> None:
        """Something was committed; a watcher will be sent it."""
        self._changed.set()

    def hang_up(self, reason: str) -> asyncio.Task[None]:
        """Hang up, with the reason, once the request in hand is answered; returns what to await."""
        self._farewell = reason
        self._arrived.set()
        return self._worker

    # ---- the conversation ---------------------------------------------------------------------

    async def _converse(self) -> None:
        try:
            peer = await self._host.admit(self)
            plays = peer.may("dealer")
            per_s = self._bounds.requests_per_s if plays else self._bounds.guest_requests_per_s
            rate = Rate(self._bounds.burst, per_s)
            session = Session(peer, self._loop.time)
            while (line := await self._next_line()) is not None:
                if wait_s := rate.count_one(self._loop.time()):
                    self._late += 1
                    if self._late == self._bounds.burst:  # once: the client knows it
                        why = f"{per_s:g} a second are his"
                        self._host.refused(peer, "a flood of requests", why)
                    await asyncio.sleep(wait_s)
                await self._serve(line, session)
        except Dropped as dropped:
            self._farewell, self._kind, self._code = str(dropped), dropped.kind, dropped.code
        except TimeoutError:  # the answer is not taken: nobody can be informed
            self._transport.abort()
        except OSError as error:
            _log.warning("a client of the control socket: %s", error)
        finally:
            if self._watch is not None:
                self._watch.cancel()
                await asyncio.gather(self._watch, return_exceptions=True)
            if self._farewell is not None and not self._transport.is_closing():
                self._transport.write(
                    encode_error(None, self._kind, self._farewell, code=self._code)
                )
            self._hang_up()

    def _hang_up(self) -> None:
        if not self._transport.is_closing():
            self._transport.close()
            # close() waits until the client has taken the rest, which may be never.
            self._loop.call_later(self._bounds.slow_s, self._transport.abort)

    async def _next_line(self) -> bytes | None:
        """The next line; None when the client sends no more (an unfinished line was no request)."""
        while (end := self._buffer.find(b"\n")) < 0 and self._farewell is None:
            if len(self._buffer) > MAX_LINE_BYTES:
                return bytes(self._buffer)
            if self._ended:
                return None
            self._arrived.clear()
            try:
                # A watcher has nothing more to say; the others do not keep a place for nothing.
                async with asyncio.timeout(None if self._watch else self._bounds.idle_s):
                    await self._arrived.wait()
            except TimeoutError:
                raise Dropped(f"no request for {self._bounds.idle_s:g} s", "idle") from None
        if self._farewell is not None:
            return None
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        if len(self._buffer) <= MAX_LINE_BYTES and not self._transport.is_closing():
            self._transport.resume_reading()
        return line

    async def _serve(self, line: bytes, session: Session) -> None:
        try:
            request = parse_request(line)
            if request.do not in STREAMS:
                # A task of its own, for it outlives the connection.
                answered = self._loop.create_task(self._host.answer(request, session))
                await self._send(await asyncio.shield(answered))
                return
            if self._watch is not None:
                raise BadRequest(
                    "this connection watches already", request.id, code="watches-already"
                )
        except BadRequest as bad:
            await self._send(encode_error(bad.id, "malformed", str(bad), code=bad.code))
            self._garbage += 1
            if bad.fatal or self._garbage >= self._bounds.malformed:
                what = "a line too long" if bad.fatal else f"{self._garbage} malformed requests"
                self._host.refused(session.peer, what, "too much that is no request")
                raise Dropped("too much that is no request", "too-many-unreadable") from bad
            return
        self._watch_id = request.id
        if request.do == "watch":
            session.asks()
            self._changed.set()
            self._watch = self._loop.create_task(self._send_states())
            return
        arrived = asyncio.Event()
        found = await self._host.capture(request, session, arrived.set)
        if isinstance(found, bytes):
            await self._send(found)
        else:
            self._watch = self._loop.create_task(self._send_traffic(*found, arrived))
            # Not in the task, which is not begun where the client has ended already.
            self._watch.add_done_callback(lambda _: found[0].close())

    async def _send(self, line: bytes) -> None:
        """Send when the client has taken what came before; TimeoutError when it does not."""
        async with asyncio.timeout(self._bounds.slow_s):
            await self._writable.wait()
        self._transport.write(line)

    async def _is_taken(self) -> bool:
        """Whether a watcher takes what it is sent; one that does not is disconnected."""
        try:
            async with asyncio.timeout(self._bounds.stuck_s):
                await self._writable.wait()
        except TimeoutError:
            self._transport.abort()
            return False
        return True

    async def _send_traffic(
        self, capture: LineCapture, may_go_on: Callable[[], bool], arrived: asyncio.Event
    ) -> None:
        while await self._is_taken():
            if not may_go_on():
                dropped = Dropped(SIGNED_OUT, "signed-out", "not_allowed")
                self._kind, self._code = dropped.kind, dropped.code
                self.hang_up(SIGNED_OUT)
                return
            arrived.clear()
            portion = capture.take_portion()
            self._transport.write(encode_result(self._watch_id, encode(portion)))
            await asyncio.sleep(self._bounds.watch_interval_s)
            if not portion["more"]:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(self._bounds.capture_s):
                        await arrived.wait()

    async def _send_states(self) -> None:
        """Send the state now and after each change, the latest only."""
        while True:
            await self._changed.wait()
            if not await self._is_taken():
                return
            self._changed.clear()
            state = await self._host.state()
            if state is not None:
                self._transport.write(encode_result(self._watch_id, state))
            await asyncio.sleep(self._bounds.watch_interval_s)
