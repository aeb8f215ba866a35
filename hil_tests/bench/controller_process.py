"""The daemon as a process on a bench: started as systemd starts it, killed as power cuts kill it.

It is ready when it says so (sd_notify(3)); nothing here waits by the clock. What it logs goes into
a file, whose end is part of every failure to start.
"""

from __future__ import annotations

import os
import re
import select
import signal
import socket
import subprocess
import time
from pathlib import Path

from hil_tests.bench.logged_program import LoggedProgram
from hil_tests.bench.processes import Started

START_S = 60.0
STOP_S = 10.0
LAST_LINES = 15
COMPLAINTS = (
    r"Traceback|ERROR|CRITICAL|Fatal Python error: (?!Aborted)"
    r"|(free|malloc\w*|realloc|munmap_chunk)\(\)|double free|corrupted |\S*: .*Assertion .* failed"
    r"|libusb's context has ended"
)
"""How lines begin that the daemon must never log: tracebacks, errors of its own, and the crash of a
library of C. (That it was aborted alone is none: systemd's watchdog does that, too.)"""
BEFORE, BEHIND = 15, 120
"""How many lines around a complaint are shown. The stack behind a crash has a hundred at most."""


def complaints_in(log: str) -> list[str]:
    """The lines of it that are :data:`COMPLAINTS`."""
    return [line for line in log.splitlines() if re.match(COMPLAINTS, line)]


def evidence_in(log: str) -> str:
    """The complaints, then the log around them: :data:`BEFORE` lines before and :data:`BEHIND`
    lines behind each, "[...]" for what is left out between them. "" where there is no complaint."""
    complaints = complaints_in(log)
    if not complaints:
        return ""
    lines = log.splitlines()
    shown = [str(complaints)]
    end = 0
    for at, line in enumerate(lines):
        if re.match(COMPLAINTS, line):
            begin = max(at - BEFORE, end)
            if begin > end:
                shown.append("[...]")
            end = max(end, at + 1 + BEHIND)
            shown += lines[begin:end]
    return "\n".join(shown)


class DidNotStart(Exception):
    """The daemon ended, or said nothing; ``status`` is its exit status, None where it was killed
    for not being ready ``within_s``."""

    def __init__(self, status: int | None, log: str, within_s: float = 0.0) -> None:
        self.status = status
        self.log = log
        how = f"exit status {status}" if status is not None else f"not ready within {within_s:g} s"
        super().__init__(f"the controller did not start ({how}):\n{log}")


class ControllerProcess(LoggedProgram):
    """``table-controller --config FILE`` and what it says; one process at a time.

    ``boots`` counts the power cuts that the machine has had: after the first, the daemon gets a
    boot id of its own instead of the kernel's (:mod:`hil_tests.bench.rebooted_daemon`).
    ``program``: a module, with its arguments, that runs the daemon in its place, under the kernel's
    boot id. ``through``: a module, with its arguments, that runs either of them.
    """

    def __init__(self, config: Path, folder: Path) -> None:
        super().__init__((), folder / "controller.log")
        self._config = config
        self._notify = folder / "notify"
        self.boots = 0
        self.program: tuple[str, ...] = ()
        self.through: tuple[str, ...] = ()

    def start(self, within_s: float = START_S) -> None:
        """Start it; returns when it is ready.

        Raises:
            DidNotStart: it ended instead, or did not become ready in time and was killed.
        """
        self._notify.unlink(missing_ok=True)
        words = (*self.through, *self._program(), "--config", os.fspath(self._config))
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notified:
            notified.bind(os.fspath(self._notify))
            process = self._start_process(words, {"NOTIFY_SOCKET": os.fspath(self._notify)})
            if not _becomes_ready(process, notified, within_s):
                ended = process.has_ended(0)
                status = self._end_by_signal(signal.SIGKILL)
                raise DidNotStart(status if ended else None, self.last_words(), within_s)

    def _program(self) -> tuple[str, ...]:
        if self.program or not self.boots:
            return self.program or ("controller.daemon.main",)
        boot_id = str(self._notify.parent / "boot-id")
        return ("hil_tests.bench.rebooted_daemon", boot_id, str(self.boots))

    def was_killed(self, within_s: float = 0.0) -> bool:
        """Whether it is dead by SIGKILL, or is so ``within_s``.

        Raises:
            AssertionError: it has ended by itself.
        """
        if self._process is None:
            return True
        if not self._process.has_ended(within_s):
            return False
        status = self._process.wait()
        assert status == -signal.SIGKILL, f"exit status {status}: {self.last_words()}"
        return True

    def stop(self) -> int:
        """SIGTERM: it finishes what is in hand; its exit status."""
        try:
            return self._end_by_signal(signal.SIGTERM, STOP_S)
        except subprocess.TimeoutExpired:
            self.kill()
            raise

    def wait(self, within_s: float | None = STOP_S) -> int:
        """Its exit status, once it ends by itself; None: however long that takes."""
        assert self._process
        status = self._process.wait(within_s)
        self._process = None
        return status

    def complaints(self) -> str:
        """What it logged of :data:`COMPLAINTS`, as :func:`evidence_in` shows it."""
        return evidence_in(self.log.read_text(encoding="utf-8", errors="replace"))

    def last_words(self) -> str:
        """The end of its log."""
        return "\n".join(self.log_end.splitlines()[-LAST_LINES:])


def _becomes_ready(process: Started, notified: socket.socket, within_s: float) -> bool:
    """Whether it says READY=1 before it ends."""
    deadline = time.monotonic() + within_s
    while (left_s := deadline - time.monotonic()) > 0:
        if process.has_ended(left_s, besides=notified.fileno()):
            return False
        if select.select([notified], [], [], 0)[0] and b"READY=1" in notified.recv(4096):
            return True
    return False
