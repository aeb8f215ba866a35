"""What happens to the machine, and not to the table: its clock, its sockets, its standing still."""

from __future__ import annotations

import pytest

from hil_tests.benches.vm.machine_bench import vm_of
from hil_tests.tables.strategy import TableStrategy

IN_PLAY = ("idle", "dealing", "armed", "spinning", "deciding")
DAY_S = 86_400.0


@pytest.mark.needs_bench("clock")
@pytest.mark.parametrize("by_s", [-DAY_S, -2.0, 3600.0, 400 * DAY_S])
def test_the_clock_is_set_in_the_middle_of_a_round(by_s: float, rig: TableStrategy) -> None:
    """Events are in order by sequence and monotonic clock; the wall clock is a remark."""
    rig.reach("dealing")
    vm_of(rig.bench).step_clock(by_s)
    try:
        rig.reach("showing")
        rig.recover()
        rig.play_out()
    finally:
        vm_of(rig.bench).step_clock(-by_s)


@pytest.mark.needs_bench("freeze")
@pytest.mark.parametrize("phase", IN_PLAY)
def test_the_machine_stands_still_for_longer_than_its_devices_wait(
    phase: str, rig: TableStrategy
) -> None:
    """A device that hears nothing for two seconds locks by itself; when the machine goes on, so
    does the round."""
    rig.reach(phase)
    bench = vm_of(rig.bench)
    bench.freeze()
    try:
        for device in bench.devices.values():
            device.wait_for(lambda look: not look["served"], what="a device without its controller")
    finally:
        bench.thaw()
    rig.recover()
    rig.play_out()


@pytest.mark.needs_bench("watchdog")
@pytest.mark.parametrize("phase", IN_PLAY)
def test_a_controller_that_stands_still_is_started_again(phase: str, rig: TableStrategy) -> None:
    rig.reach(phase)
    vm_of(rig.bench).hang_controller()
    rig.recover()
    rig.play_out()


@pytest.mark.needs_bench("swap-ports")
@pytest.mark.parametrize("phase", IN_PLAY)
def test_adapters_are_exchanged_between_sockets(phase: str, rig: TableStrategy) -> None:
    """What is plugged in where is told by the adapters' serial numbers, not by the socket."""
    rig.reach(phase)
    rig.bench.swap_ports("shoe", "keypad")
    rig.dealer.plug("shoe", "keypad")
    rig.recover()
    rig.play_out()
