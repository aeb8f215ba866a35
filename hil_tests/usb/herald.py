"""Uevents, told by a process of their own.

umockdev ends its process when a client closes its monitor in the very moment in which it is told
something, and libusb opens and closes one with every context. So each event is told by a process
that may end of it, started by one that has no threads; what was not told to all is told again.
Putting a device in place tells it, too, once all its files are there.
"""

from __future__ import annotations

import json
import os
from typing import Any, Final

TRIES: Final = 20


class Herald:
    """Puts devices of a test bed in place and tells uevents. To be made before this process has
    threads."""

    def __init__(self, bed: Any) -> None:
        asked, self._ask = os.pipe()
        self._told, told = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            os.close(self._ask)
            os.close(self._told)
            _serve(bed, asked, told)
        os.close(asked)
        os.close(told)

    def add(self, path: str, description: str) -> None:
        """Put a device in place and tell it; returns when all have been told."""
        self._do(path, "add", description)

    def remove(self, path: str) -> None:
        """Tell that a device goes; its files are still there."""
        self._do(path, "remove", "")

    def close(self) -> None:
        """End it."""
        os.close(self._ask)
        os.close(self._told)
        os.waitpid(self._pid, 0)

    def _do(self, *what: str) -> None:
        os.write(self._ask, json.dumps(what).encode() + b"\n")
        os.read(self._told, 1)


def _serve(bed: Any, asked: int, told: int) -> None:
    with os.fdopen(asked) as lines:
        for line in lines:
            path, action, description = json.loads(line)
            for _ in range(TRIES):
                if (pid := os.fork()) == 0:
                    if description:
                        bed.add_from_string(description)
                    else:
                        bed.uevent(path, action)
                    os._exit(0)
                description = ""
                if os.waitpid(pid, 0)[1] == 0:
                    break
            os.write(told, b"\0")
    os._exit(0)
