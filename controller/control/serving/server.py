"""The control socket as the daemon serves it.

The rules:

- The daemon answers (:class:`controller.control.handler.Daemon`); what it answers is committed. A
  role is asked for before it is.
- If a handler fails unexpectedly, its client gets no answer (``unavailable``, may have been done),
  and nobody else anything.
- Connections come at a pace (:mod:`~.acceptor`), and who is turned away is so before anything else
  is spent on him (:mod:`~.door`); too many strangers are kept out by the kernel
  (:mod:`~.shutter`).
- Commands beyond a client's role are reported to the handler (:mod:`~.attempts`).
- The state is encoded once per change, however many ask for it.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from controller.control.address import ControlAddress
from controller.control.handler import Attempts, Daemon, LineCapture, Unavailable, failure
from controller.control.peers import Credentials, Groups, Lookups, Peer, credentials_of, nameless
from controller.control.protocol import Request, encode, encode_result
from controller.control.serving.acceptor import Acceptor, Shutter
from controller.control.serving.conversation import Conversation
from controller.control.serving.door import Bounds, Door
from controller.control.serving.rights import SIGNING, Rights, Session

_log = logging.getLogger(__name__)

FRESH_S: Final = 0.05
"""Within this time an unchanged state is not asked for again."""

CHANGES: Final = frozenset(
    {"dealer", "supervisor", "ready", "self_test", "device_command", "device_tested"}
)
"""Requests that may change the state."""


class ControlServer:
    """Serves a claimed address until :meth:`close`, which releases it."""

    def __init__(
        self,
        address: ControlAddress,
        daemon: Daemon,
        groups: Groups,
        bounds: Bounds | None = None,
    ) -> None:
        self.bounds = bounds or Bounds()
        self._daemon = daemon
        self._rights = Rights(groups, daemon.known, self.refused)
        self._address = address
        self._lookups = Lookups(groups, self.bounds.identify_s)
        self._door = Door(groups, self.bounds, self.refused, time.monotonic)
        self._shutter = Shutter(address, lambda: self._lookups.numbers.known)
        self._acceptor: Acceptor | None = None
        self._unsubscribe: Callable[[], None] | None = None
        self._arriving: set[asyncio.Task[object]] = set()
        self._conversations: dict[Conversation, Credentials] = {}
        self._answering: set[asyncio.Task[object]] = set()
        self._state: bytes | None = None
        self._state_at = 0.0
        self._version = 0
        self._refreshing = asyncio.Lock()
        self._attempts: Attempts | None = None

    async def start(self) -> None:
        """Begin to answer."""
        for name in self._lookups.learn():
            _log.warning("[control] there is no group %r on this machine: nobody is in it", name)
        loop = asyncio.get_running_loop()
        self._attempts = Attempts(loop, self._daemon.refused_attempt)
        self._acceptor = Acceptor(loop, self._address.socket, self._accept)
        self._acceptor.start()
        self._unsubscribe = self._daemon.subscribe(self._changed)

    async def close(self, reason: str = "the controller stops", grace_s: float = 1.0) -> None:
        """Answer what is in hand within ``grace_s``, tell every client why, release the address.
        Who has no answer by then learns that it may have been done."""
        if self._unsubscribe:
            self._unsubscribe()
        if self._acceptor:
            self._acceptor.close()
        self._shutter.close()
        await asyncio.gather(*self._arriving, return_exceptions=True)
        workers = {conversation.hang_up(reason) for conversation in self._conversations}
        if workers:
            await asyncio.wait(workers, timeout=grace_s)
        left = [task for task in workers | self._answering if not task.done()]
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        if self._attempts:
            self._attempts.close()
        self._address.release()

    def _accept(self, connection: socket.socket) -> None:
        credentials = credentials_of(connection)
        conversation = Conversation(self)
        dropped = self._door.enter(conversation, nameless(credentials, self._lookups.numbers))
        if dropped is not None:
            with connection, suppress(OSError):  # nothing is waited for
                connection.send(dropped.line, socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL)
            if dropped.kind == "not_allowed":
                self._shutter.turned_away()
            return
        self._conversations[conversation] = credentials
        loop = asyncio.get_running_loop()
        arriving: asyncio.Task[object] = loop.create_task(
            loop.connect_accepted_socket(lambda: conversation, connection)
        )
        self._arriving.add(arriving)
        arriving.add_done_callback(lambda task: self._arrived(conversation, connection, task))

    def _arrived(
        self,
        conversation: Conversation,
        connection: socket.socket,
        arriving: asyncio.Task[object],
    ) -> None:
        """The connection is the loop's; where that failed, its place is free again."""
        self._arriving.discard(arriving)
        if arriving.cancelled() or arriving.exception() is not None:
            connection.close()
            self.disconnected(conversation)

    async def admit(self, conversation: Conversation) -> Peer:
        """The peer; :class:`~.door.Dropped` where it is not served."""
        peer = await self._lookups.identify(self._conversations[conversation])
        self._door.named(conversation, peer)
        return peer

    def refused(self, peer: Peer, what: str, why: str) -> None:
        """Note an attempt at what the client's role does not permit."""
        if self._attempts:
            self._attempts.note(peer, what, why)

    def disconnected(self, conversation: Conversation) -> None:
        """The connection is gone."""
        self._conversations.pop(conversation, None)
        self._door.leave(conversation)

    async def answer(self, request: Request, session: Session) -> bytes:
        """The line that answers anything but a stream; never raises."""
        task = asyncio.current_task()
        assert task
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)
        try:
            return await self._answer(request, session)
        except Exception as error:
            return failure(request, session.peer, error)

    async def capture(
        self, request: Request, session: Session, changed: Callable[[], None]
    ) -> tuple[LineCapture, Callable[[], bool]] | bytes:
        """See :class:`.conversation.Host`."""
        try:
            peer, person = await self._rights.judge(request, session)
            stream = self._daemon.streams[request.do]
            lasting = session.lasting(person)
            own = session.peer.may("technician")
            return stream(request.device, peer, changed), (lambda: own or lasting())
        except Exception as error:
            return failure(request, session.peer, error)

    async def _answer(self, request: Request, session: Session) -> bytes:
        peer, _ = await self._rights.judge(request, session)
        if request.do == "status":
            return encode_result(request.id, await self._fresh_state())
        if request.do in SIGNING:
            done = await self._rights.sign(request, session)
        else:
            done = await self._daemon.answers[request.do](request, peer)
        if request.do in CHANGES:  # a later request sees what this answer said
            self._forget_state()
        return encode_result(request.id, encode(done))

    async def state(self) -> bytes | None:
        """The committed state, encoded; None when the handler has none to show."""
        try:
            return await self._fresh_state()
        except Unavailable:
            return None  # the next change brings it
        except Exception:
            _log.exception("the state for watchers failed")
            return None

    async def _fresh_state(self) -> bytes:
        async with self._refreshing:
            now = asyncio.get_running_loop().time()
            if self._state is not None and now - self._state_at <= FRESH_S:
                return self._state
            version = self._version
            encoded = encode(await self._daemon.status())
            if version == self._version:
                self._state, self._state_at = encoded, now
            return encoded

    def _forget_state(self) -> None:
        self._version += 1
        self._state = None

    def _changed(self) -> None:
        self._forget_state()
        for conversation in self._conversations:
            conversation.state_changed()
