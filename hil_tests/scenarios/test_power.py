"""Power cuts and deaths of the controller, in every phase of play.

At every step from the press to the payment, too: nothing acknowledged is lost, nothing is drawn or
paid twice, and the multiplier stays what it was.
"""

from __future__ import annotations

import pytest

from hil_tests.rig.strategy import PHASES, TableStrategy

UNTIL_SHOWN = ("armed", "pressed", "spinning", "shown")
FROM_PRESS_TO_PAYMENT = (*UNTIL_SHOWN, "showing", "paid")


@pytest.mark.parametrize("phase", PHASES)
def test_the_power_is_cut(phase: str, rig: TableStrategy) -> None:
    rig.reach(phase)
    rig.bench.reboot()
    rig.recover()
    rig.play_out()


@pytest.mark.needs_bench("kill")
@pytest.mark.parametrize("phase", PHASES)
def test_the_controller_is_killed(phase: str, rig: TableStrategy) -> None:
    rig.reach(phase)
    rig.bench.kill_controller()
    rig.bench.start_controller()
    rig.recover()
    rig.play_out()


@pytest.mark.needs_bench("stacked")
@pytest.mark.parametrize("step", FROM_PRESS_TO_PAYMENT)
def test_the_multiplier_is_the_same_after_a_cut(step: str, rig: TableStrategy) -> None:
    """``pressed``: before anybody can have heard of the press; ``shown``: the meter shows, and the
    table may not know it yet; ``paid``: the dealer has just said that the box is paid."""
    place = FROM_PRESS_TO_PAYMENT.index(step)
    rig.reach("armed" if step in UNTIL_SHOWN else "showing")
    unit = rig.dealer.jackpot
    if step in UNTIL_SHOWN and step != "armed":
        unit.do("press")
        if step != "pressed":
            wanted = "spinning" if step == "spinning" else "showing"
            unit.wait_for(lambda look: look["state"] == wanted, what=wanted)
        rig.pressed()
    before = unit.look()["shown"]
    if step == "paid":
        rig.reach("deciding")
    rig.bench.reboot()
    rig.recover()
    state = rig.play_out()
    [paid] = [made for made in state["settlements"] if made["kind"] == "pandemonium"]
    if before:
        assert paid["odds"] == f"{before}:1"
    assert bool(before) == (place >= FROM_PRESS_TO_PAYMENT.index("shown"))


@pytest.mark.parametrize("phase", ["betting", "dealing", "armed", "showing", "deciding"])
def test_the_power_is_cut_twice(phase: str, rig: TableStrategy) -> None:
    rig.reach(phase)
    rig.bench.reboot()
    rig.bench.reboot()
    rig.recover()
    rig.play_out()


@pytest.mark.needs_bench("hands")
@pytest.mark.parametrize("device", ["shoe", "jackpot"])
@pytest.mark.parametrize("phase", ["idle", "dealing", "armed", "spinning", "showing", "deciding"])
def test_the_power_of_box_and_device_is_cut(phase: str, device: str, rig: TableStrategy) -> None:
    rig.reach(phase)
    rig.dealer.bench.devices[device].do("power", on=False)
    rig.bench.reboot()
    rig.dealer.bench.devices[device].do("power", on=True)
    rig.recover()
    rig.play_out()
