"""The control socket as the daemon serves it.

The rules:

- The daemon answers through a :class:`Handler`; what it answers is committed. A role is asked for
  before the handler is.
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

from controller.control.acceptor import Acceptor
from controller.control.address import ControlAddress
from controller.control.attempts import Attempts
from controller.control.bounds import Bounds, Dropped
from controller.control.conversation import Conversation
from controller.control.door import Door
from controller.control.handler import Handler, Unavailable, failure
from controller.control.lookups import Lookups
from controller.control.peers import Credentials, Groups, Peer, credentials_of
from controller.control.protocol import MAX_COMMAND, Request, encode, encode_error, encode_result
from controller.control.rounds import Rounds
from controller.control.shutter import Shutter
from controller.control.technician import Capture, Technician
from controller.control.witnessing import Witnessing
from controller.json_values import JsonObject

_log = logging.getLogger(__name__)

FRESH_S: Final = 0.05
"""Within this time an unchanged state is not asked for again."""


_ASKED: Final = {
    "dealer": "give a dealer's commands",
    "supervisor": "give a supervisor's commands",
    "counters": "see the counters",
    "round": "see the rounds of the journal",
    "shift": "see the reports on shifts",
    "self_test": "have devices test themselves",
    "capture": "look at a device's traffic",
    "try": "try devices by hand",
    "device_command": "try devices by hand",
    "device_tested": "try devices by hand",
    "entries": "read the journal's entries",
    "checkpoint": "read the journal's checkpoints",
    "witnessed": "tell what witnesses answered",
}
"""What somebody wanted who may not."""


class ControlServer:
    """Serves a claimed address until :meth:`close`, which releases it."""

    def __init__(
        self,
        address: ControlAddress,
        handler: Handler,
        groups: Groups,
        bounds: Bounds | None = None,
        technician: Technician | None = None,
        rounds: Rounds | None = None,
        witnessing: Witnessing | None = None,
    ) -> None:
        self.bounds = bounds or Bounds()
        self._technician = technician
        self._rounds = rounds
        self._witnessing = witnessing
        self._address = address
        self._handler = handler
        self._groups = groups
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
        self._attempts = Attempts(loop, self._handler.refused_attempt)
        self._acceptor = Acceptor(loop, self._address.socket, self._came)
        self._acceptor.start()
        self._unsubscribe = self._handler.subscribe(self._changed)

    async def close(self, reason: str = "the controller stops", grace_s: float = 1.0) -> None:
        """Answer what is in hand, within ``grace_s``, tell every client why, release the address.

        A command that is not answered by then is cancelled; its client learns that it may have
        been done.
        """
        if self._unsubscribe:
            self._unsubscribe()
        if self._acceptor:
            self._acceptor.close()
        self._shutter.close()
        await asyncio.gather(*self._arriving)
        workers = {conversation.end(reason) for conversation in self._conversations}
        if workers:
            await asyncio.wait(workers, timeout=grace_s)
        left = [task for task in workers | self._answering if not task.done()]
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        if self._attempts:
            self._attempts.close()
        self._address.release()

    # ---- Host ---------------------------------------------------------------------------------

    def _came(self, connection: socket.socket) -> None:
        """Somebody has connected."""
        credentials = credentials_of(connection)
        conversation = Conversation(self)
        dropped = self._door.enter(conversation, self._lookups.nameless(credentials))
        if dropped is not None:
            _turn_away(connection, dropped)
            if dropped.kind == "not_allowed":
                self._shutter.turned_away()
            return
        self._conversations[conversation] = credentials
        loop = asyncio.get_running_loop()
        arriving: asyncio.Task[object] = loop.create_task(
            loop.connect_accepted_socket(lambda: conversation, connection)
        )
        self._arriving.add(arriving)
        arriving.add_done_callback(self._arriving.discard)

    async def admit(self, conversation: Conversation) -> Peer:
        """The peer; :class:`Dropped` where it is not served."""
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

    async def answer(self, request: Request, peer: Peer) -> bytes:
        """The line that answers anything but ``watch``; never raises."""
        task = asyncio.current_task()
        assert task
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)
        try:
            return await self._answer(request, peer)
        except Exception as error:
            return failure(request, peer, error)

    def capture(self, request: Request, peer: Peer, changed: Callable[[], None]) -> Capture | bytes:
        """A device's traffic from now on, or the line that says why not."""
        try:
            if not peer.may("supervisor"):
                return self._not_allowed(request, peer, self._groups.supervisors)
            devices = self._devices()
            stream = devices.trial if request.do == "try" else devices.capture
            return stream(request.device, peer, changed)
        except Exception as error:
            return failure(request, peer, error)

    def _devices(self) -> Technician:
        if self._technician is None:
            raise Unavailable("this controller has no devices", "no-devices")
        return self._technician

    async def _played(self, request: Request) -> JsonObject:
        if self._rounds is None:
            raise Unavailable("this controller has no journal to look into", "no-journal")
        if request.do == "shift":
            return await self._rounds.shift(request.which)
        return await self._rounds.round(request.number)

    async def _of_witnesses(self, request: Request, peer: Peer) -> bytes:
        """What the process that speaks to witnesses asks; it is known by its user alone."""
        if not peer.may("witness"):
            why = f"it is for the user {self._groups.witness} alone"
            self.refused(peer, request.do, why)
            reason = f"{peer.name} may not {_ASKED[request.do]}: {why}"
            return encode_error(request.id, "not_allowed", reason, code="not-allowed")
        if self._witnessing is None:
            raise Unavailable("this controller has no journal to be witnessed", "no-journal")
        if request.do == "entries":
            told = await self._witnessing.entries(request.after, request.most)
        elif request.do == "checkpoint":
            told = await self._witnessing.checkpoint(request.after, request.old)
        else:
            told = await self._witnessing.witnessed(request)
        return encode_result(request.id, encode(told))

    async def _answer(self, request: Request, peer: Peer) -> bytes:
        if request.do == "status":
            state = await self._fresh_state()
            return encode_result(request.id, state)
        if request.do == "ready":
            done = await self._devices().ready(peer)
        elif request.do == "links":
            return encode_result(request.id, encode(self._devices().links()))
        elif request.do == "links_lately":
            return encode_result(request.id, encode(self._devices().links_lately()))
        elif request.do == "dealer":
            if not peer.may("dealer"):
                return self._not_allowed(request, peer, self._groups.dealers)
            done = await self._handler.command(request, peer)
        elif request.do in ("entries", "checkpoint", "witnessed"):
            return await self._of_witnesses(request, peer)
        elif not peer.may("supervisor"):
            return self._not_allowed(request, peer, self._groups.supervisors)
        elif request.do == "counters":
            return encode_result(request.id, encode(await self._handler.counters()))
        elif request.do in ("round", "shift"):
            return encode_result(request.id, encode(await self._played(request)))
        elif request.do == "self_test":
            done = await self._devices().self_test(request.device, peer)
        elif request.do == "device_command":
            done = await self._devices().device_command(request.device, request.command, peer)
        elif request.do == "device_tested":
            done = await self._devices().device_tested(
                request.device, request.test, request.verdict, request.what, peer
            )
        else:
            done = await self._handler.command(request, peer)
        self._forget_state()  # a later request sees what this answer said
        return encode_result(request.id, encode(done))

    def _not_allowed(self, request: Request, peer: Peer, group: str) -> bytes:
        if not peer.known:  # he may well be in it: no attempt, and worth another try
            raise Unavailable(
                f"the user database does not say now whether {peer.name} is in the group {group}: "
                "connect again",
                "groups-unknown",
            )
        about = request.command or request.device or request.number or request.which
        self.refused(peer, f"{request.do}: {about[:MAX_COMMAND]}", f"not in the group {group}")
        return encode_error(
            request.id,
            "not_allowed",
            f"{peer.name} may not {_ASKED[request.do]}: he is not in the group {group}",
            code="not-allowed",
        )

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
            encoded = encode(await self._handler.status())
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


def _turn_away(connection: socket.socket, dropped: Dropped) -> None:
    """Tell who is at the other end why, and hang up; nothing is waited for."""
    with connection, suppress(OSError):
        connection.send(dropped.line, socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL)
