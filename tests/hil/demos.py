"""A demo as a visitor starts it, and in a Python that lacks what it needs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from hil_tests.bench.processes import ROOT

StartedDemo = subprocess.Popen[str]


def start_demo(module: str, folder: Path, *options: str) -> StartedDemo:
    """``python -m MODULE``, whose temporary files go into the folder."""
    return subprocess.Popen(
        [sys.executable, "-m", module, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(folder)},
    )


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
