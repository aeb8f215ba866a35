"""What is done to a device is a step of the report; looks are none."""

from __future__ import annotations

from pathlib import Path

from hil_tests.bench.simulated_device import SimulatedDevice
from hil_tests.bench.steps import STEPS


def test_acts_are_noted_with_the_devices_name(tmp_path: Path) -> None:
    STEPS.begin_scenario()
    with SimulatedDevice.start("keypad", tmp_path / "keypad") as device:
        device.name = "keypad"
        device.look()
        device.do("power", on=False)
        device.do("power", on=True)
    assert [entered.what for entered in STEPS.done] == [
        "keypad: power on False",
        "keypad: power on True",
    ]
    assert not any(entered.failed for entered in STEPS.done)
