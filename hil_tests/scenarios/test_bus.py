"""What happens to the jackpot unit's bus: an endpoint stalls, a transfer is cut off, a second unit
comes; one offer, one draw."""

from __future__ import annotations

import pytest

from hil_tests.people.shoe_hand import WAIT_S
from hil_tests.rig.opening import MakeDealer
from hil_tests.tables.strategy import TableStrategy

OURS, ANOTHER = "JP-OURS", "JP-ANOTHER"

PHASES = ("idle", "armed", "spinning", "showing")


@pytest.mark.needs_bench("stall")
@pytest.mark.parametrize(
    "endpoint", ["in", pytest.param("out", marks=pytest.mark.needs_bench("stall-out")), "both"]
)
@pytest.mark.parametrize("phase", PHASES)
def test_an_endpoint_stalls_and_is_cleared(phase: str, endpoint: str, rig: TableStrategy) -> None:
    rig.reach(phase)
    unit = rig.dealer.jackpot
    before = unit.do("line")["halts_cleared"]
    unit.do("stall", endpoint=endpoint)
    rig.dealer.wait_until(
        lambda _: unit.do("line")["halts_cleared"] > before, f"a cleared halt within {WAIT_S} s"
    )
    rig.recover("jackpot")
    rig.play_out()


@pytest.mark.needs_bench("hands")
@pytest.mark.parametrize("way", ["in", "out"])
@pytest.mark.parametrize("phase", PHASES)
def test_unplugged_in_the_middle_of_a_transfer(phase: str, way: str, rig: TableStrategy) -> None:
    """The next packet to the host, or to the unit, is cut off: while it spins that may be the one
    that reports the meter."""
    rig.reach(phase)
    rig.dealer.jackpot.do("unplug", after_packets=0, way=way)
    rig.dealer.wait_until_lost("jackpot")
    rig.dealer.plug("jackpot")
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
    rig.dealer.unplug("jackpot")
    reason = rig.dealer.wait_until(
        lambda state: ANOTHER in (state["devices"]["jackpot"]["reason"] or ""), "its name"
    )
    assert OURS in reason["devices"]["jackpot"]["reason"]
    rig.dealer.plug("jackpot")
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
