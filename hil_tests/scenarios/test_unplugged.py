"""Every device unplugged in every phase of play and put back: the round comes to what it was."""

from __future__ import annotations

import pytest

from hil_tests.bench.description import DEVICES
from hil_tests.tables.strategy import PHASES, TableStrategy


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("device", DEVICES)
def test_unplugged_and_put_back(device: str, phase: str, rig: TableStrategy) -> None:
    rig.reach(phase)
    rig.dealer.unplug(device)
    rig.dealer.plug(device)
    rig.recover(device)
    rig.play_out()


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.needs_bench("hands")
def test_every_device_unplugged_at_once(phase: str, rig: TableStrategy) -> None:
    rig.reach(phase)
    rig.dealer.unplug(*rig.bench.devices)
    rig.dealer.plug(*rig.bench.devices)
    rig.recover()
    rig.play_out()
