"""The jackpot unit on USB, found by ``setup`` on a bus that is a folder behind pyusb."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hil_tests.bench.simulated_device import SimulatedDevice
from tests.cli.setup.conftest import Box, sets
from tests.cli.setup.ports import environment
from tests.cli.support import ROOT

PATIENCE_S = 20.0
ON_BUS = (sys.executable, "-m", "hil_tests.benches.virtual.on_bus")


def setup(box: Box, *options: str) -> tuple[int, Any]:
    words = ("tests.cli.setup.ports", "setup", *box.options, "--json", "--yes", *options)
    done = subprocess.run(
        [*ON_BUS, str(box.folder / "bus"), *words],
        env=environment(box.ports),
        cwd=ROOT,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
        timeout=60,
    )
    assert "Traceback" not in done.stderr
    return done.returncode, json.loads(done.stdout) if done.stdout else done.stderr


@contextmanager
def unit(bus: Path, serial: str) -> Iterator[None]:
    options = ("--serial", serial)
    with SimulatedDevice.start("jackpot", bus / serial.lower(), *options, line="--usb-port"):
        yield


def test_units_over_pyusb(box: Box) -> None:
    bus = box.folder / "bus"
    bus.mkdir()
    box.plug("shoe", "SHOE0001")
    with unit(bus, "JP-0001"):
        deadline = time.monotonic() + PATIENCE_S
        while True:  # the kernel takes a moment to see what is plugged in
            code, told = setup(box, *sets())
            if code != 2 or time.monotonic() > deadline:
                break
        assert code == 0, told
        assert told["devices"]["jackpot"]["usb"] == "1209:0001:JP-0001"
        assert told["udev"]["names"] == {"shoe": {"old": None, "new": "SHOE0001"}}
        assert {test["name"]: test["ok"] for test in told["tests"]}["jackpot"]
        written = box.config.read_text()
        box.config.write_text(written.replace(":JP-0001", ""))
        assert setup(box)[1]["configuration"]["changed"] is False
    box.config.write_text(written)
    with unit(bus, "JP-0002"):
        while True:
            code, told = setup(box)
            if code == 0 or time.monotonic() > deadline:
                break
        assert code == 0, told
        assert "1209:0001:JP-0002" in box.config.read_text(), "it was exchanged"
        with unit(bus, "JP-0003"):
            while True:
                code, told = setup(box)
                if told["problems"] or time.monotonic() > deadline:
                    break
            assert "another jackpot unit answers at 1209:0001:JP-0003" in told["problems"][0]
            left = "--device=left=1209:0001:JP-0003"
            code, told = setup(box, left)
            assert (code, told["devices"]["left"]["kind"]) == (0, "display")
