"""Uevents, each sent by a process of its own.

umockdev ends its process when a client closes its monitor at the very moment in which an event is
sent, and libusb opens and closes one with every context. So each event is sent by a process that
may end of it, started by one that has no threads; what did not reach every client is sent again.
Adding a device sends its event, too, once all its files are there.

A test bed has a thread of its own, and what that thread has locked stays locked in a forked
process: one in a thousand then hung in GLib's allocator. So the fork waits until the thread sleeps
in ``poll``, where it holds nothing.
"""

from __future__ import annotations

import json
import os
import select
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

TRIES: Final = 20
IDLE_S: Final = 10.0
TOLD_S: Final = 10.0
POLLING: Final = {"7", "271", "73"}
"""Numbers of the system calls ``poll`` and ``ppoll`` on x86-64, and of ``ppoll`` on aarch64."""


class UeventError(Exception):
    """Nothing can be told any more."""


class UeventSender:
    """Puts devices of a test bed in place and tells uevents. To be made right behind the test bed,
    when this process has no other threads than its."""

    def __init__(self, bed: Any) -> None:
        _wait_until_idle()
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
        self._request_uevent(path, "add", description)

    def remove(self, path: str) -> None:
        """Tell that a device goes; its files are still there."""
        self._request_uevent(path, "remove", "")

    def close(self) -> None:
        """End it."""
        os.close(self._ask)
        os.close(self._told)
        os.waitpid(self._pid, 0)

    def _request_uevent(self, *what: str) -> None:
        with suppress(BrokenPipeError):  # it has ended, and so has what it tells
            os.write(self._ask, json.dumps(what).encode() + b"\n")
        which = f"{what[1]} of {what[0]}"
        if not select.select([self._told], [], [], TOLD_S)[0]:
            raise UeventError(f"{which} was not told within {TOLD_S:g} s")
        if not os.read(self._told, 1):
            raise UeventError(f"{which} was not told: the process that tells has ended")


def _wait_until_idle() -> None:
    """Until every other thread of this process sleeps in ``poll``."""
    deadline = time.monotonic() + IDLE_S
    while busy := [task.name for task in _other_threads() if not _polls(task)]:
        if time.monotonic() > deadline:
            raise UeventError(f"threads {', '.join(busy)} are still at work after {IDLE_S:g} s")
        os.sched_yield()


def _other_threads() -> list[Path]:
    own = str(threading.get_native_id())
    return [task for task in Path("/proc/self/task").iterdir() if task.name != own]


def _polls(task: Path) -> bool:
    try:
        return (task / "syscall").read_text().split()[0] in POLLING
    except (FileNotFoundError, ProcessLookupError):  # it has ended
        return True


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
