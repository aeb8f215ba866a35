"""What befalls the jackpot unit's bus: stalled endpoints, a second unit; one offer, one draw."""

from __future__ import annotations

import pytest

from hil_tests.conftest import MakeDealer
from hil_tests.rig.strategy import TableStrategy
from hil_tests.shoe_hand import WAIT_S

OURS, ANOTHER = "JP-OURS", "JP-ANOTHER"

PHASES = ("idle", "armed", "spinning", "showing")


@pytest.mark.needs_bench("stall")
@pytest.mark.parametrize("phase", PHASES)
def test_an_endpoint_stalls_and_is_cleared(phase: str, rig: TableStrategy) -> None:
    rig.reach(phase)
    unit = rig.dealer.jackpot
    before = unit.do("line")["halts_cleared"]
    unit.do("stall")
    rig.dealer.wait_until(
        lambda _: unit.do("line")["halts_cleared"] > before, f"a cleared halt within {WAIT_S} s"
    )
    rig.recover("jackpot")
    rig.play_out()


@pytest.mark.needs_bench("second-unit")
def test_a_second_unit_is_left_alone(table: MakeDealer) -> None:
    """The configuration names one by its serial number: the other is never opened, not even while
    the one that is meant is away."""
    dealer = table(unit_serial=OURS, options={"jackpot": ("--serial", OURS)}, spin_ms=500)
    second = dealer.bench.add_device("second", "--serial", ANOTHER, kind="jackpot")
    rig = TableStrategy(dealer.bench)
    rig.reach("armed")
    rig.unplug("jackpot")
    reason = rig.dealer.wait_until(
        lambda state: ANOTHER in (state["devices"]["jackpot"]["reason"] or ""), "its name"
    )
    assert OURS in reason["devices"]["jackpot"]["reason"]
    rig.plug("jackpot")
    rig.recover("jackpot")
    rig.play_out()
    seen = second.look()
    assert (seen["served"], seen["acted"], seen["presses"]) == (False, {}, 0)


@pytest.mark.needs_bench("second-unit")
def test_one_of_two_units_alike_is_not_guessed(table: MakeDealer) -> None:
    """With no serial number configured the unit in use stays in use; once it is lost, nobody can
    say which of two is meant, and the table says so."""
    dealer = table(spin_ms=500)
    rig = TableStrategy(dealer.bench)
    rig.reach("armed")
    dealer.bench.add_device("second", "--serial", ANOTHER, kind="jackpot")
    dealer.jackpot.do("restart")
    rig.recover("jackpot")
    dealer.bench.kill_controller()
    dealer.bench.start_controller()
    state = rig.dealer.wait_until(
        lambda state: "2 USB units" in (state["devices"]["jackpot"]["reason"] or ""), "the doubt"
    )
    assert state["devices"]["jackpot"]["link"] == "down"
    dealer.bench.remove_device("second")
    rig.recover()
    rig.play_out()
