"""One process owns state, socket and ports; a second says who holds them, and ends with 2."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from hil_tests.bench.controller_process import ControllerProcess, DidNotStart
from hil_tests.benches.virtual.virtual_bench import VirtualBench
from hil_tests.people.dealer import Dealer

OTHERS = {
    "state": {"control.sock": "other.sock"},
    "socket": {'"state"': '"other-state"'},
    "port": {'"state"': '"other-state"', "control.sock": "other.sock"},
}
"""What the second table's configuration has of its own, by what it shares with the first."""


@pytest.mark.parametrize("shared", list(OTHERS))
def test_a_second_controller_says_who_was_first(
    shared: str, bench: VirtualBench, dealer: Dealer, tmp_path: Path
) -> None:
    text = (bench.folder / "table.toml").read_text(encoding="utf-8")
    for old, new in OTHERS[shared].items():
        text = text.replace(old, new)
    config = bench.folder / "second.toml"
    config.write_text(text, encoding="utf-8")
    second = ControllerProcess(config, tmp_path)
    with pytest.raises(DidNotStart) as told:
        second.start()
    assert told.value.status == 2
    names = {"state": str(bench.state_directory), "socket": str(bench.socket), "port": "devices."}
    assert names[shared] in told.value.log
    if shared != "port":
        assert str(bench.controller.pid) in told.value.log
    dealer.open_bets()  # the first has not been disturbed
    dealer.wager(1, main=100)


def test_what_a_killed_controller_left_is_taken_over(dealer: Dealer) -> None:
    dealer.open_bets()
    dealer.start_anew()
    assert dealer.state == "betting"


def test_state_taken_elsewhere_plays_on(bench: VirtualBench, dealer: Dealer) -> None:
    dealer.open_bets()
    dealer.wager(1, main=100)
    assert bench.stop_controller() == 0
    away = bench.folder / "away"
    shutil.copytree(bench.state_directory, away)
    shutil.rmtree(bench.state_directory)
    shutil.move(away, bench.state_directory)
    bench.start_controller()
    dealer.wait_for_devices()
    assert dealer.status["boxes"]["1"]["wagers"] == {"a": {"main": "100.00"}}


def test_one_that_is_not_ready_in_time_is_killed_and_called_late(tmp_path: Path) -> None:
    config = tmp_path / "table.toml"
    config.write_text("", encoding="utf-8")
    slow = ControllerProcess(config, tmp_path)
    with pytest.raises(DidNotStart, match=r"not ready within 0\.001 s") as told:
        slow.start(0.001)
    assert told.value.status is None
    assert slow.was_killed()
