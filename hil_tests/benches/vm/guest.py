"""Asking the machine's agent (:mod:`hil_tests.benches.vm.agent`), and a way to its sockets.

Every request is a connection of its own, so that several may be under way. A
:class:`Carrier` is a Unix socket here that stands for one in the machine.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import select
import selectors
import socket
import tarfile
import threading
import time
import uuid
from pathlib import Path
from typing import Any

from hil_tests.bench.interface import Json

WITHIN_S = 60.0
"""In which the machine does what it is asked, unless the request gives it longer."""

ALWAYS_S = 1e6
"""Longer than any machine lives."""

MARGIN_S = 60.0
"""For the way there and back: the machine is emulated, on a host that has more to do."""
PIECE_BYTES = 1 << 16


class GuestError(Exception):
    """The machine's agent refused a request, or does not answer."""


class Guest:
    """The machine's agent at a TCP ``address``."""

    def __init__(self, address: tuple[str, int]) -> None:
        self._address = address

    def run_command(
        self, *command: str | Path, text: str | None = None, within_s: float = 60
    ) -> str:
        """Run a program in the machine; what it printed.

        Raises:
            GuestError: it did not end with 0.
        """
        done = self.tried(*command, text=text, within_s=within_s)
        if done["status"]:
            raise GuestError(f"{command} ended with {done['status']}: {done['out']}{done['err']}")
        return str(done["out"])

    def tried(self, *command: str | Path, text: str | None = None, within_s: float = 60) -> Json:
        """Run a program in the machine; its ``status``, ``out`` and ``err``."""
        words = [os.fspath(word) for word in command]
        return self.answer_to("run", command=words, text=text, within_s=within_s)

    def write_file(self, path: str, data: bytes, mode: int = 0o644) -> None:
        """Write a file in the machine; on its disk when this returns."""
        self.answer_to("put", path=path, data=base64.b64encode(data).decode(), mode=mode)

    def awake(self, boot_id: uuid.UUID) -> None:
        """Tell it that it was woken: the time, another boot, other chance."""
        chance = base64.b64encode(os.urandom(64)).decode()
        self.answer_to("awake", at=time.time(), boot_id=str(boot_id), chance=chance)

    def fetch(self, path: str, to: Path) -> None:
        """Copy a folder of the machine into the folder ``to``, owned by whoever runs this."""
        connection = self._opened("fetch", path=path)
        with connection, connection.makefile("rb") as incoming:
            _answer(incoming.readline(), "fetch")
            with tarfile.open(fileobj=incoming, mode="r|") as archive:
                # Before Python 3.11.4 there is no filter, and none is asked for.
                archive.extraction_filter = getattr(tarfile, "tar_filter", None)
                for member in archive:
                    if member.isfile() or member.isdir():
                        member.uid, member.gid = os.geteuid(), os.getegid()
                        archive.extract(member, to)

    def answer_to(self, do: str, **request: Any) -> Json:
        """One request of :class:`hil_tests.benches.vm.agent.Request`; its answer."""
        connection = self._opened(do, **request)
        with connection, connection.makefile("rb") as incoming:
            try:
                return _answer(incoming.readline(), do)
            except OSError as error:
                raise GuestError(f"{do}: the machine does not answer: {error}") from error

    def look_out(self, pattern: str, *command: str) -> Lookout:
        """Have a program run in the machine until it prints a line with ``pattern``."""
        request = {"command": command, "pattern": pattern, "within_s": ALWAYS_S}
        return Lookout(self._opened("follow", **request))

    def connect(self, path: str) -> socket.socket:
        """A connection to the Unix socket ``path`` in the machine."""
        connection = self._opened("connect", path=path)
        try:
            answer = b""
            while not answer.endswith(b"\n"):  # not a byte more: what follows is not the agent's
                answer += (byte := connection.recv(1))
                if not byte:
                    break
            _answer(answer, f"connect {path}")
            connection.settimeout(None)
        except OSError as error:
            connection.close()
            raise GuestError(f"connect {path}: the machine does not answer: {error}") from error
        except BaseException:
            connection.close()
            raise
        return connection

    def _opened(self, do: str, **request: Any) -> socket.socket:
        try:
            limit_s = float(request.get("within_s", WITHIN_S)) + MARGIN_S
            connection = socket.create_connection(self._address, limit_s)
            connection.sendall(json.dumps({"do": do, **request}).encode() + b"\n")
        except OSError as error:
            raise GuestError(f"{do}: the machine is not to be reached: {error}") from error
        return connection


class Lookout:
    """What a program in the machine was to be looked through for. The line comes here by itself: to
    ask for it costs nothing, and nothing is asked of a machine that may have lost its power."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection

    def line(self, within_s: float = 0.0) -> str:
        """The line, once, if it has come or comes in time; "" if not."""
        if not select.select([self._connection], [], [], within_s)[0]:
            return ""
        with self._connection.makefile("rb") as incoming:
            try:
                told = incoming.readline()
            except OSError:  # the machine is gone
                return ""
        return str(_answer(told, "follow")["line"]) if told else ""

    def close(self) -> None:
        """Nobody looks any more."""
        self._connection.close()


class Carrier:
    """The Unix socket ``here``, carried to ``there`` in the machine; any number of connections."""

    def __init__(self, here: Path, guest: Guest, there: str) -> None:
        self.path = here
        self._guest, self._there = guest, there
        self._selector = selectors.DefaultSelector()
        self._stop, stopped = socket.socketpair()
        self._listener = socket.socket(socket.AF_UNIX)
        here.unlink(missing_ok=True)
        self._listener.bind(str(here))
        self._listener.listen(64)
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._selector.register(stopped, selectors.EVENT_READ)
        self._stopped = stopped
        self._thread = threading.Thread(target=self._carry, name="carrier", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Hang up on everybody."""
        self._stop.close()
        self._thread.join()
        self.path.unlink(missing_ok=True)

    def _carry(self) -> None:
        with self._selector, self._stopped, self._listener:
            while True:
                for key, _ in self._selector.select():
                    if key.fileobj is self._stopped:
                        for open_key in list(self._selector.get_map().values()):
                            if isinstance(open_key.data, socket.socket):
                                open_key.data.close()
                        return
                    if key.fileobj is self._listener:
                        self._accept()
                    elif key.fd >= 0:
                        self._pass_on(key)

    def _accept(self) -> None:
        ours, _ = self._listener.accept()
        try:
            theirs = self._guest.connect(self._there)
        except GuestError:
            ours.close()  # as one that nobody listens at
            return
        self._selector.register(ours, selectors.EVENT_READ, theirs)
        self._selector.register(theirs, selectors.EVENT_READ, ours)

    def _pass_on(self, key: selectors.SelectorKey) -> None:
        source, target = key.fileobj, key.data
        assert isinstance(source, socket.socket)
        if source.fileno() < 0:
            return  # hung up by the other end, in the same turn
        with contextlib.suppress(OSError):
            data = source.recv(PIECE_BYTES)
            if data:
                target.sendall(data)
                return
        for end in (source, target):
            self._selector.unregister(end)
            end.close()


def _answer(line: bytes, what: str) -> Json:
    if not line:
        raise GuestError(f"{what}: the machine has hung up")
    answer: Json = json.loads(line)
    if not answer.pop("ok"):
        raise GuestError(f"{what}: {answer['error']}")
    return answer
