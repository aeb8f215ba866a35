"""The technician's command, run as he would run it: a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence

from hil_tests.bench.controller_process import ROOT

TABLECTL_S = 60.0


def tablectl(
    *arguments: str, through: Sequence[str] = (), environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the technician's command; ``through`` and ``environment`` as for
    :class:`hil_tests.bench.controller_process.ControllerProcess`."""
    return subprocess.run(
        [sys.executable, "-m", *through, "controller.cli.main", *arguments],
        env=os.environ | (environment or {}),
        capture_output=True,
        text=True,
        check=False,
        timeout=TABLECTL_S,
        cwd=ROOT,
    )
