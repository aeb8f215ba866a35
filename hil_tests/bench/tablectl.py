"""The technician's command, run as he would run it: a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from tempfile import TemporaryFile

from hil_tests.bench.processes import start

TABLECTL_S = 60.0


def tablectl(
    *arguments: str, through: Sequence[str] = (), environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the technician's command; ``through`` and ``environment`` as for
    :class:`hil_tests.bench.controller_process.ControllerProcess`."""
    command = [*through, "controller.cli.main", *arguments]
    with TemporaryFile() as output, TemporaryFile() as errors:
        process = start(
            command,
            streams=(subprocess.DEVNULL, output.fileno(), errors.fileno()),
            environment=os.environ | (environment or {}),
        )
        try:
            status = process.wait(TABLECTL_S)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            raise
        for stream in (output, errors):
            stream.seek(0)
        return subprocess.CompletedProcess(
            command, status, output.read().decode(), errors.read().decode()
        )
