"""A demo as a visitor starts it, and in a Python that lacks what it needs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hil_tests.bench.processes import ROOT

StartedDemo = subprocess.Popen[str]


ENDS_S = 60.0


@contextmanager
def start_demo(module: str, folder: Path, *options: str) -> Iterator[StartedDemo]:
    """``python -m MODULE``, whose temporary files go into the folder; where the block has not ended
    it, as a test does that fails, it is interrupted."""
    with subprocess.Popen(
        [sys.executable, "-m", module, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(folder)},
    ) as demo:
        try:
            yield demo
        finally:
            if demo.poll() is None:
                demo.send_signal(signal.SIGINT)
                _until_ended(demo)


def _until_ended(demo: StartedDemo) -> None:
    try:
        demo.communicate(timeout=ENDS_S)
    except subprocess.TimeoutExpired:
        demo.kill()


def told_by(script: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """What a Python that runs the script says at its end; its files likewise."""
    return subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(folder)},
    )
