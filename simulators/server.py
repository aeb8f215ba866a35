"""The hands of a person, out of band: JSON lines over a Unix socket or standard input and output.

- A request is one line ``{"do": VERB, ...}``; with ``"id"`` the answer carries the same. An answer
  is ``{"ok": true, ...}`` or ``{"ok": false, "error": TEXT}``.
- Every channel is greeted with ``{"ready": true, "link": PATH, "port": PATH}``.
- After ``{"do": "watch"}`` a channel is told every change as ``{"state": {...}}``. A watcher that
  reads slowly misses states in between, never the last one, and holds nobody up.
- The end of standard input ends the process: who starts a simulator so cannot leave it behind.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import socket
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

Json = dict[str, Any]
MAX_LINE_BYTES = 1 << 16


class Channel:
    """One person: a descriptor to read from and one to write to (the same for a socket); ``serve``
    is called when there is something to read, or room again for what could not be written."""

    def __init__(
        self,
        selector: selectors.BaseSelector,
        reading: int,
        writing: int,
        final: bool,
        serve: Callable[[Channel], None],
    ) -> None:
        self._selector = selector
        self._serve = partial(serve, self)
        self._waits = False
        self.reading = reading
        self.writing = writing
        self.final = final
        self.watching = False
        self.stale = False
        self.gone = False
        self._incoming = bytearray()
        self._outgoing = bytearray()
        os.set_blocking(reading, False)
        os.set_blocking(writing, False)
        selector.register(reading, selectors.EVENT_READ, self._serve)

    @property
    def idle(self) -> bool:
        """Whether everything said has been taken."""
        return not self._outgoing

    def lines(self) -> list[bytes]:
        """Whole lines that have arrived; an end of file makes the channel gone."""
        try:
            data = os.read(self.reading, MAX_LINE_BYTES)
        except BlockingIOError:
            return []
        except OSError:
            data = b""
        if not data:
            self.gone = True
            return []
        self._incoming += data
        *whole, rest = bytes(self._incoming).split(b"\n")
        self._incoming = bytearray(rest[:MAX_LINE_BYTES])
        return whole

    def send_line(self, message: Mapping[str, Any]) -> None:
        """Send one line, the rest of it later if need be."""
        self._outgoing += json.dumps(message, separators=(",", ":")).encode() + b"\n"
        self.flush()

    def flush(self) -> None:
        """Write what is taken now."""
        try:
            del self._outgoing[: os.write(self.writing, self._outgoing)]
        except BlockingIOError:
            pass
        except OSError:
            self._outgoing.clear()
            self.gone = True
        self._wait_for_room(wanted=not self.idle)

    def _wait_for_room(self, *, wanted: bool) -> None:
        if wanted == self._waits:
            return
        self._waits = wanted
        if self.reading == self.writing:
            events = selectors.EVENT_READ | (selectors.EVENT_WRITE if wanted else 0)
            self._selector.modify(self.reading, events, self._serve)
        elif wanted:
            self._selector.register(self.writing, selectors.EVENT_WRITE, self._serve)
        else:
            self._selector.unregister(self.writing)

    def close(self) -> None:
        """Give the descriptors up."""
        self._waits = False
        for fd in {self.reading, self.writing}:
            with contextlib.suppress(KeyError, ValueError):
                self._selector.unregister(fd)
            with contextlib.suppress(OSError):
                os.close(fd)


class HandsServer:
    """All channels of one simulator, served from its selector."""

    def __init__(
        self,
        selector: selectors.BaseSelector,
        act: Callable[[Json], Json],
        greeting: Callable[[], Json],
    ) -> None:
        self._selector = selector
        self._act = act
        self._greeting = greeting
        self._channels: list[Channel] = []
        self._listener: socket.socket | None = None
        self._path: Path | None = None
        self._state: Json | None = None
        self.ended = False

    @property
    def watched(self) -> bool:
        """Whether anybody wants to hear of changes."""
        return any(channel.watching for channel in self._channels)

    def listen(self, path: Path) -> None:
        """Take channels on a Unix socket at ``path``; what was there is replaced."""
        path.unlink(missing_ok=True)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen()
        self._listener.setblocking(False)
        self._path = path
        self._selector.register(self._listener, selectors.EVENT_READ, self._accept)

    def attach(self, reading: int, writing: int, *, final: bool) -> None:
        """Add a channel; with ``final`` its end is the end of the process."""
        channel = Channel(self._selector, reading, writing, final, self._serve)
        self._channels.append(channel)
        channel.send_line(self._greeting())

    def tell_watchers(self, state: Json) -> None:
        """Tell watchers the state if it is another than they know."""
        if state != self._state:
            self._state = state
            for channel in self._channels:
                channel.stale = channel.watching
        for channel in list(self._channels):
            if channel.stale and channel.idle:
                channel.stale = False
                channel.send_line({"state": state})
            if channel.gone:
                self._forget(channel)

    def close(self) -> None:
        """Close every channel and remove the socket."""
        for channel in list(self._channels):
            self._forget(channel)
        if self._listener is not None and self._path is not None:
            self._selector.unregister(self._listener)
            self._listener.close()
            self._path.unlink(missing_ok=True)

    def _accept(self) -> None:
        assert self._listener is not None
        connection, _ = self._listener.accept()
        fd = connection.detach()
        self.attach(fd, fd, final=False)

    def _serve(self, channel: Channel) -> None:
        if channel not in self._channels:  # it was forgotten a moment ago, for its other descriptor
            return
        if not channel.idle:
            channel.flush()
        for line in channel.lines():
            if line.strip():
                channel.send_line(self._answer(channel, line))
        if channel.gone:
            self._forget(channel)

    def _answer(self, channel: Channel, line: bytes) -> Json:
        request: Json = {}
        try:
            request = json.loads(line)
            if request.get("do") == "watch":
                channel.watching = channel.stale = True
                answer: Json = {"ok": True}
            else:
                answer = {"ok": True} | self._act(request)
        except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
            answer = {"ok": False, "error": f"{type(error).__name__}: {error}"}
        if isinstance(request, dict) and "id" in request:
            answer["id"] = request["id"]
        return answer

    def _forget(self, channel: Channel) -> None:
        if channel not in self._channels:
            return
        self._channels.remove(channel)
        channel.close()
        self.ended = self.ended or channel.final
