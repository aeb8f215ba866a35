"""Programs of this project as processes of their own, each with a log that can be waited for."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from hil_tests.bench import processes

PATIENCE_S: Final = 60.0
LAST_BYTES: Final = 8000
_STEP_S: Final = 0.02
LISTENS: Final = "answers at "


def until(true: Callable[[], bool], what: str, patience_s: float = PATIENCE_S) -> None:
    """Wait for it.

    Raises:
        TimeoutError: it has not come; ``what`` names it.
    """
    end = time.monotonic() + patience_s
    while not true():
        if time.monotonic() > end:
            raise TimeoutError(f"{what}: not within {patience_s:g} s")
        threading.Event().wait(_STEP_S)


def free_port() -> int:
    """A port of this machine that nobody has now."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        return port


class LoggedProgram:
    """``python -m COMMAND``, which logs to the file at ``log``; one process at a time."""

    def __init__(self, command: tuple[str, ...], log: Path) -> None:
        self._command = command
        self._process: processes.Started | None = None
        self.log = log
        self.cpu_s = 0.0
        """The processor's time of those that have ended."""

    def start(self) -> None:
        """Start it."""
        self._start_process(self._command)

    def _start_process(
        self, command: tuple[str, ...], variables: Mapping[str, str] | None = None
    ) -> processes.Started:
        assert self._process is None
        with self.log.open("ab") as log:
            self._process = processes.start(
                command,
                streams=(subprocess.DEVNULL, log.fileno(), log.fileno()),
                environment=os.environ | (variables or {}),
            )
        return self._process

    def run_to_end(self) -> str:
        """Start it and wait for its end; what it has printed.

        Raises:
            ChildProcessError: it ended with another status than 0.
        """
        self.start()
        assert self._process
        status, self._process = self._process.wait(PATIENCE_S), None
        if status:
            raise ChildProcessError(
                f"{' '.join(self._command)} ended with {status}:\n{self.log_end}"
            )
        return self.log_end

    def until_said(self, words: str) -> None:
        """Wait until this process has logged that.

        Raises:
            ChildProcessError: it has ended. TimeoutError.
        """
        self.lives()
        until(lambda: self.lives() and words in self.log_end, f"{self.log}: {words!r}")

    def lives(self) -> bool:
        """It runs.

        Raises:
            ChildProcessError: it has ended by itself.
        """
        assert self._process
        if self._process.has_ended(0):
            raise ChildProcessError(f"{' '.join(self._command)} has ended:\n{self.log_end}")
        return True

    @property
    def log_end(self) -> str:
        """The end of its log."""
        with self.log.open("rb") as log:
            log.seek(max(0, self.log.stat().st_size - LAST_BYTES))
            return log.read().decode("utf-8", errors="replace")

    def stop(self) -> int:
        """SIGTERM; its exit status."""
        return self._end_by_signal(signal.SIGTERM)

    def kill(self) -> None:
        """SIGKILL, where it runs."""
        if self._process is not None:
            self._end_by_signal(signal.SIGKILL)

    def send(self, number: signal.Signals) -> None:
        """Send it a signal that does not end it."""
        assert self._process
        self._process.send_signal(number)

    @property
    def pid(self) -> int:
        """Of its process."""
        assert self._process is not None
        assert self._process.pid is not None
        return self._process.pid

    def used_s(self) -> float:
        """The processor's time that it has had, in all its processes."""
        return self.cpu_s + (0.0 if self._process is None else cpu_s(self._process.pid or 0))

    def _end_by_signal(self, how: signal.Signals, patience_s: float = PATIENCE_S) -> int:
        assert self._process
        self.cpu_s = self.used_s()
        self._process.send_signal(how)
        status = self._process.wait(patience_s)
        self._process = None
        return status


def cpu_s(pid: int) -> float:
    """The processor's time that a process has had, user and system, in seconds; 0: it is gone."""
    try:
        told = Path(f"/proc/{pid}/stat").read_text("ascii", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    after_name = told.rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")
