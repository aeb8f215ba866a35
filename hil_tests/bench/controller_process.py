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

from hil_tests.bench.processes import Started, start

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


class ControllerProcess:
    """``table-controller --config FILE`` and what it says; one process at a time.

    ``boots`` counts the power cuts that the machine has had: after the first, the daemon gets a
    boot id of its own instead of the kernel's (:mod:`hil_tests.bench.rebooted_daemon`).
    ``program``: a module, with its arguments, that runs the daemon in its place, under the kernel's
    boot id. ``through``: a module, with its arguments, that runs either of them; ``environment``:
    variables to be set besides those of this process.
    """

    def __init__(self, config: Path, folder: Path) -> None:
        self._config = config
        self._notify = folder / "notify"
        self.log = folder / "controller.log"
        self.boots = 0
        self.program: tuple[str, ...] = ()
        self.through: tuple[str, ...] = ()
        self.environment: dict[str, str] = {}
        self._process: Started | None = None

    @property
    def pid(self) -> int | None:
        """Its process, while it runs."""
        return self._process.pid if self._process else None

    def start(self, within_s: float = START_S) -> None:
        """Start it; returns when it is ready.

        Raises:
            DidNotStart: it ended instead, or did not become ready in time and was killed.
        """
        assert self._process is None
        self._notify.unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notified:
            notified.bind(os.fspath(self._notify))
            with self.log.open("ab") as log:
                self._process = start(
                    self._command(),
                    streams=(subprocess.DEVNULL, log.fileno(), log.fileno()),
                    environment=os.environ
                    | self.environment
                    | {"NOTIFY_SOCKET": os.fspath(self._notify)},
                )
            if not self._becomes_ready(notified, within_s):
                ended = self._process.has_ended(0)
                self._process.send_signal(signal.SIGKILL)
                status = self._process.wait()
                self._process = None
                raise DidNotStart(status if ended else None, self.last_words(), within_s)

    def _command(self) -> list[str]:
        return [*self.through, *self._program(), "--config", os.fspath(self._config)]

    def _program(self) -> list[str]:
        if self.program:
            return [*self.program]
        if not self.boots:
            return ["controller.daemon.main"]
        boot_id = str(self._notify.parent / "boot-id")
        return ["hil_tests.bench.rebooted_daemon", boot_id, str(self.boots)]

    def _becomes_ready(self, notified: socket.socket, within_s: float) -> bool:
        """Whether it says READY=1 before it ends."""
        assert self._process
        deadline = time.monotonic() + within_s
        while (left_s := deadline - time.monotonic()) > 0:
            if self._process.has_ended(left_s, besides=notified.fileno()):
                return False
            if select.select([notified], [], [], 0)[0] and b"READY=1" in notified.recv(4096):
                return True
        return False

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

    def kill(self) -> None:
        """SIGKILL: it does not finish what is in hand."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
            self._process = None

    def stop(self) -> int:
        """SIGTERM: it finishes what is in hand; its exit status."""
        assert self._process
        self._process.send_signal(signal.SIGTERM)
        try:
            return self._process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self.kill()
            raise
        finally:
            self._process = None

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
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()
        return "\n".join(lines[-LAST_LINES:])
