"""Starting a simulated device and being the person at it: for tests, the rig and the demo.

Everything waits for something that is said, nothing sleeps: a process is ready when it says so, a
verb is done when it is answered, and :meth:`Hands.wait_for` reads the changes of state that the
simulator tells. Blocking; from a coroutine use ``asyncio.to_thread(hands.wait_for, ...)``.

    with Hands.start("shoe", link, "--seed", "7") as shoe:
        shoe.do("draw")
        shoe.wait_for(lambda state: state["unacked"] == 0)
"""

from __future__ import annotations

import contextlib
import json
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

Json = dict[str, Any]
ANSWER_S = 10.0
LINK = "--link"
PROGRAM = (sys.executable, "-m", "simulators")
ROOT = Path(__file__).resolve().parent.parent


class Started(Protocol):
    """The process of a simulator; ``subprocess.Popen`` is one."""

    @property
    def pid(self) -> int:
        """Its number."""

    def wait(self, timeout: float | None = None) -> int:
        """Its exit status. Raises ``subprocess.TimeoutExpired``."""

    def send_signal(self, sig: int) -> None:
        """Send it a signal."""


class HandsError(Exception):
    """The simulator refused a verb, or is gone."""


class VerbRefused(HandsError):
    """The simulator refused a verb, with the ``reason``."""

    def __init__(self, verb: str, reason: str) -> None:
        super().__init__(f"{verb}: {reason}")
        self.reason = reason


class Hands:
    """One simulated device as a person sees and handles it."""

    def __init__(self, connection: socket.socket, process: Started | None = None) -> None:
        self._connection = connection
        self._process = process
        self._port: Path | None = None
        self._incoming = bytearray()
        self._next_id = 0
        self._state: Json = {}
        self.greeting = self._next_message(time.monotonic() + ANSWER_S)
        self.do("watch")

    @classmethod
    def start(
        cls,
        kind: str,
        link: Path | str,
        *options: str,
        stderr: int | None = None,
        line: str = LINK,
        program: Sequence[str] = PROGRAM,
    ) -> Self:
        """Start ``python -m simulators KIND --link LINK OPTIONS`` and wait until it is plugged in;
        ``line`` is the option that says what LINK is (:mod:`simulators.__main__`). ``program``:
        another way to it, such as on another machine.

        The process ends with this object or with this process, whichever comes first.
        """
        ours, theirs = socket.socketpair()
        with theirs:
            process = cls._start(
                [kind, line, str(link), "--stdin", *options], theirs, stderr, program
            )
        try:
            hands = cls(ours, process)
            hands._port = ROOT / link if line == LINK else None
            return hands
        except BaseException:
            ours.close()
            process.send_signal(signal.SIGTERM)
            process.wait()
            raise

    @classmethod
    def _start(
        cls,
        arguments: Sequence[str],
        connection: socket.socket,
        stderr: int | None,
        program: Sequence[str],
    ) -> Started:
        """The simulator, its standard input and output being ``connection``."""
        return subprocess.Popen(
            [*program, *arguments],
            stdin=connection.fileno(),
            stdout=connection.fileno(),
            stderr=stderr,
            cwd=ROOT,
            process_group=0,  # an interrupt at the terminal is for whoever started it
        )

    @classmethod
    def connect(cls, path: Path | str) -> Self:
        """Take hold of a simulator that was started with ``--hands PATH``."""
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(str(path))
            return cls(connection)
        except BaseException:
            connection.close()
            raise

    @property
    def pid(self) -> int | None:
        """The simulator's process, when it was started here."""
        return self._process.pid if self._process else None

    def do(self, verb: str, **arguments: Any) -> Json:
        """Carry out one verb; its answer. Raises :class:`HandsError` when it is refused."""
        self._next_id += 1
        request = {"do": verb, "id": self._next_id, **arguments}
        try:
            self._connection.sendall(json.dumps(request).encode() + b"\n")
        except OSError as error:
            raise self._gone() from error
        deadline = time.monotonic() + ANSWER_S
        while True:
            message = self._next_message(deadline)
            if message.get("id") == self._next_id:
                if not message["ok"]:
                    raise VerbRefused(verb, message["error"])
                return message

    def look(self) -> Json:
        """The whole physical state now."""
        state = self.do("look")["state"]
        assert isinstance(state, dict)
        self._state = state
        return state

    def wait_for(
        self, predicate: Callable[[Json], object], timeout: float = 5.0, what: str = ""
    ) -> Json:
        """Read changes until ``predicate(state)`` holds; the state then.

        States in between may be missed when they come faster than they are read: ask for what
        stays (counters), not for what passes. Raises ``TimeoutError`` with the last state.
        """
        state = self.look()
        deadline = time.monotonic() + timeout
        while not predicate(state):
            try:
                self._next_message(deadline)
            except TimeoutError:
                raise TimeoutError(
                    f"after {timeout} s still not {what or 'as wanted'}: {self._state}"
                ) from None
            state = self._state
        return state

    def kill(self) -> None:
        """Kill the process without warning: a device whose power fails. A port of its own goes with
        it, before its name is anybody's."""
        if self._process is not None:
            if self._port is not None:
                self._port.unlink(missing_ok=True)
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
        self._connection.close()

    def stop(self) -> int | None:
        """Let go: the simulator unplugs and ends. The exit status of one started here."""
        self._connection.close()
        if self._process is None:
            return None
        try:
            return self._process.wait(timeout=ANSWER_S)
        except subprocess.TimeoutExpired:
            self._process.send_signal(signal.SIGKILL)
            return self._process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with contextlib.suppress(OSError):
            self.stop()

    def _gone(self) -> HandsError:
        status = self._process.wait(ANSWER_S) if self._process else "unknown"
        return HandsError(f"the simulator has ended (exit status {status})")

    def _next_message(self, deadline: float) -> Json:
        while b"\n" not in self._incoming:
            left_s = deadline - time.monotonic()
            if left_s <= 0 or not select.select([self._connection], [], [], left_s)[0]:
                raise TimeoutError("the simulator says nothing")
            try:
                data = self._connection.recv(1 << 16)
            except OSError as error:
                raise self._gone() from error
            if not data:
                raise self._gone()
            self._incoming += data
        line, _, rest = bytes(self._incoming).partition(b"\n")
        self._incoming = bytearray(rest)
        message = json.loads(line)
        assert isinstance(message, dict)
        if "state" in message and "id" not in message:
            self._state = message["state"]
        return message
