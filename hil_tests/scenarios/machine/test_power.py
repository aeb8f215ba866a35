"""Power cuts and deaths of the controller, in every phase of play.

At every step from the press to the payment, too: nothing acknowledged is lost, nothing is drawn or
paid twice, and the multiplier stays what it was.
"""

from __future__ import annotations

import pytest

from hil_tests.tables.strategy import MID_ROUND, PHASES, POWER_FAILURE, TableStrategy

UNTIL_SHOWN = ("armed", "spinning", "shown")
FROM_PRESS_TO_PAYMENT = (*UNTIL_SHOWN, "showing", "paid")


@pytest.mark.parametrize("phase", PHASES)
def test_the_power_is_cut(phase: str, rig: TableStrategy) -> None:
    rig.reach(phase)
    rig.lose_power()
    rig.play_out()


@pytest.mark.needs_bench("kill")
@pytest.mark.parametrize("phase", PHASES)
def test_the_controller_is_killed(phase: str, rig: TableStrategy) -> None:
    rig.reach(phase)
    rig.bench.kill_controller()
    rig.bench.start_controller()
    assert not rig.recover(), "a start in the same boot of the machine asks nobody"
    rig.play_out()


@pytest.mark.needs_bench("stacked")
@pytest.mark.parametrize("step", FROM_PRESS_TO_PAYMENT)
def test_the_multiplier_is_the_same_after_a_cut(step: str, rig: TableStrategy) -> None:
    """``spinning``: SHOW has been taken; ``shown``: the meter shows, and the table may not know it
    yet; ``paid``: the dealer has just said that the box is paid."""
    unit = rig.dealer.jackpot
    rig.reach("armed" if step in UNTIL_SHOWN else "showing")
    if step != "armed" and step in UNTIL_SHOWN:
        unit.do("press")
        wanted = "spinning" if step == "spinning" else "showing"
        unit.wait_for(lambda look: look["state"] == wanted, what=wanted)
        rig.pressed()
    commanded = unit.look()["commanded"]
    assert bool(commanded) == (step != "armed")
    if step == "paid":
        rig.reach("deciding")
    rig.lose_power()
    state = rig.play_out()
    [paid] = [made for made in state["settlements"] if made["kind"] == "pandemonium"]
    if commanded:
        assert paid["odds"] == f"{commanded}:1"


@pytest.mark.needs_bench("hands", "stacked")
@pytest.mark.parametrize("heard", [False, True], ids=["unheard", "unanswered"])
def test_the_power_is_cut_with_a_press_on_its_way(heard: bool, rig: TableStrategy) -> None:
    """The controller has not heard of the press; or it has, has drawn, and its SHOW is unread."""
    rig.reach("armed")
    unit = rig.dealer.jackpot
    unit.do("hold_back", inward=heard, outward=not heard)
    unit.do("press")
    rig.pressed()
    if heard:
        unit.wait_for(lambda look: "SHOW" in look["held_in"], what="a SHOW that is not read")
    rig.bench.reboot()
    unit.do("let_go", drop=True)
    assert POWER_FAILURE in rig.recover()
    rig.play_out()


@pytest.mark.parametrize("phase", ["betting", "dealing", "armed", "showing", "deciding"])
def test_the_power_is_cut_twice(phase: str, rig: TableStrategy) -> None:
    rig.reach(phase)
    rig.lose_power(times=2)
    rig.play_out()


@pytest.mark.needs_bench("hands")
@pytest.mark.parametrize("device", ["shoe", "jackpot"])
@pytest.mark.parametrize("phase", ["idle", "dealing", "armed", "spinning", "showing", "deciding"])
def test_the_power_of_machine_and_device_is_cut(
    phase: str, device: str, rig: TableStrategy
) -> None:
    rig.reach(phase)
    rig.bench.devices[device].do("power", on=False)
    rig.bench.reboot()
    rig.bench.devices[device].do("power", on=True)
    assert (POWER_FAILURE in rig.recover()) == (phase in MID_ROUND)
    rig.play_out()
