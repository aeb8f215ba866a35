"""The USB carrier on buses of its own: the cases of ``usb_cases`` in a process that has that bus.

A folder of units is behind a backend of pyusb, which can refuse even root, or on an emulated
kernel: real libusb, and real parsing of what udev and sysfs tell.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hil_tests.benches.usb.usb_bench import KernelBus

HERE = Path(__file__).parent
PYTEST = ["pytest", "-q", "-p", "no:cacheprovider", "-s", "--maxfail=3"]
CASES = [*PYTEST, str(HERE / "usb_cases.py")]
DENIED = [*PYTEST, str(HERE / "usb_denied_case.py")]
LIMIT_S = 180


def passes(command: list[str], bus: Path, environment: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=HERE.parents[1],
        env=os.environ | {"TABLE_TEST_BUS": str(bus), "PYTHONDONTWRITEBYTECODE": "1"} | environment,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout


def test_a_unit_that_may_not_be_opened(tmp_path: Path) -> None:
    passes(["hil_tests.benches.virtual.on_bus", str(tmp_path), *DENIED], tmp_path, {})


@pytest.mark.needs("umockdev")
def test_usb_cases_over_libusb(tmp_path: Path) -> None:
    with KernelBus(tmp_path) as bus:
        passes(CASES, tmp_path, bus.environment)
