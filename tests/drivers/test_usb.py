"""The USB carrier against real libusb: the cases of ``usb_cases`` in a mocked bus's client."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


@pytest.mark.needs("umockdev")
def test_usb_cases_over_libusb(tmp_path: Path) -> None:
    hands = tmp_path / "hands"
    emulator = ["umockdev-wrapper", "/usr/bin/python3", str(HERE / "usb_emulator.py"), str(hands)]
    client = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-s"]
    environment = os.environ | {"TABLE_TEST_HANDS": str(hands), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [*emulator, "--", *client, str(HERE / "usb_cases.py")],
        cwd=HERE.parents[1],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout
