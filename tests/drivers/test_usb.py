"""The USB carrier: the cases of ``usb_cases`` in a process whose bus is a folder of units, behind a
backend of pyusb, which is as strict as libusb. Real libusb and a real kernel are the bench ``vm``.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
PYTEST = ["pytest", "-q", "-p", "no:cacheprovider", "-s", "--maxfail=3"]
CASES = [*PYTEST, str(HERE / "usb_cases.py")]
DENIED = [*PYTEST, str(HERE / "usb_denied_case.py")]
LIMIT_S = 180


def passes(command: list[str], bus: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "hil_tests.benches.virtual.on_bus", str(bus), *command],
        cwd=HERE.parents[1],
        env=os.environ | {"TABLE_TEST_BUS": str(bus), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout


def test_usb_cases_over_pyusb(tmp_path: Path) -> None:
    passes(CASES, tmp_path)


def test_a_unit_that_may_not_be_opened(tmp_path: Path) -> None:
    passes(DENIED, tmp_path)
