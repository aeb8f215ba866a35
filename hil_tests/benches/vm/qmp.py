"""QEMU's monitor: JSON lines over a Unix socket (docs/interop/qmp-spec.rst of QEMU).

Blocking, with a limit on every wait. Events that come meanwhile are kept for who waits for them.
"""

from __future__ import annotations

import json
import socket
import time
from collections import deque
from pathlib import Path
from typing import Any

from hil_tests.bench.interface import Json

ANSWER_S = 60.0
"""An emulated machine on a busy one takes its time."""


class MonitorError(Exception):
    """QEMU refused a command, or is gone."""


class Monitor:
    """One connection to the monitor; raises ``OSError`` when nobody listens at ``path``."""

    def __init__(self, path: Path) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._incoming = bytearray()
        self._events: deque[Json] = deque()
        try:
            self._socket.connect(str(path))
            self._message(time.monotonic() + ANSWER_S)  # the greeting
            self("qmp_capabilities")
        except BaseException:
            self._socket.close()
            raise

    def __call__(self, command: str, **arguments: Any) -> Any:
        """Have ``command`` done (``_`` in names of arguments stands for ``-``); what it returns."""
        request = {
            "execute": command,
            "arguments": {name.replace("_", "-"): value for name, value in arguments.items()},
        }
        deadline = time.monotonic() + ANSWER_S
        try:
            self._socket.sendall(json.dumps(request).encode() + b"\n")
        except OSError as error:
            raise MonitorError(f"{command}: QEMU has ended") from error
        while True:
            message = self._message(deadline)
            if "event" in message:
                self._events.append(message)
            elif "error" in message:
                raise MonitorError(f"{command}: {message['error']['desc']}")
            else:
                return message["return"]

    def wait_for(self, event: str, within_s: float = ANSWER_S, **data: Any) -> Json:
        """The next ``event`` whose data have these values; earlier ones of other names are gone.

        Raises:
            TimeoutError: it has not come in time.
        """
        deadline = time.monotonic() + within_s
        while True:
            message = self._events.popleft() if self._events else self._message(deadline)
            told = message.get("data", {})
            if message.get("event") == event and data.items() <= told.items():
                return dict(told)

    def close(self) -> None:
        """Hang up."""
        self._socket.close()

    def _message(self, deadline: float) -> Json:
        while b"\n" not in self._incoming:
            self._socket.settimeout(max(deadline - time.monotonic(), 0.001))
            try:
                data = self._socket.recv(1 << 16)
            except TimeoutError:
                raise TimeoutError("QEMU's monitor says nothing in time") from None
            except OSError as error:
                raise MonitorError("QEMU has ended") from error
            if not data:
                raise MonitorError("QEMU has ended")
            self._incoming += data
        line, _, rest = bytes(self._incoming).partition(b"\n")
        self._incoming = bytearray(rest)
        message: Json = json.loads(line)
        return message
