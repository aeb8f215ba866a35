"""The daemon under measurement: a process of its own, and what the kernel says of it."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from hil_tests.bench.logged_program import cpu_s
from proof.torture.long_journal import memory_kib

ROOT = Path(__file__).resolve().parents[2]
IMPORTS = "controller.daemon.main, drivers.table_link.driver, usb.core, usb.backend.libusb1"
"""What a bare interpreter imports to be compared with."""


class Process:
    """A process of Python that is measured."""

    def __init__(self, *arguments: str, log: Path) -> None:
        with log.open("ab") as errors:
            self.started_ns = time.perf_counter_ns()
            self._process = subprocess.Popen(
                [sys.executable, *arguments],
                stdout=subprocess.PIPE,
                stdin=subprocess.PIPE,
                stderr=errors,
                cwd=ROOT,
            )

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def line(self) -> str:
        """The next line it prints, "" when it says nothing within ten seconds."""
        assert self._process.stdout
        ready, _, _ = select.select([self._process.stdout], [], [], 10)
        return self._process.stdout.readline().decode().strip() if ready else ""

    def memory_kib(self) -> int:
        """Its proportional share of memory; of the daemon the kernel tells that to root alone, to
        others all that it has in memory, with what it shares."""
        if os.geteuid() == 0:
            return memory_kib(self._process.pid, "Pss:", "smaps_rollup")
        return self.resident_kib()

    def resident_kib(self) -> int:
        """All that it has in memory, with what it shares."""
        return memory_kib(self._process.pid)

    def processor_s(self) -> float:
        """Processor time used so far, by the process and in its name."""
        return cpu_s(self._process.pid)

    def stop(self, attend: Callable[[float], object] = time.sleep) -> int:
        """End it in good order while ``attend`` serves its devices; its exit status."""
        self._process.send_signal(signal.SIGTERM)
        deadline = time.monotonic() + 10
        while self.running and time.monotonic() < deadline:
            attend(0.01)
        if self.running:
            self._process.kill()
        for stream in (self._process.stdin, self._process.stdout):
            if stream:
                stream.close()
        return self._process.wait()


def bare_interpreter(log: Path) -> tuple[Process, float]:
    """An interpreter that has imported what the daemon imports and waits; and after how many
    seconds it had."""
    code = f"import sys, {IMPORTS}; print('ready', flush=True); sys.stdin.read()"
    process = Process("-c", code, log=log)
    process.line()
    return process, (time.perf_counter_ns() - process.started_ns) / 1e9
