"""What is captured while a round is played, at either end of the lines, comes again as it was."""

from __future__ import annotations

from pathlib import Path

from hil_tests.bench.setup import Setup
from hil_tests.benches.virtual.virtual_bench import VirtualBench
from hil_tests.people.dealer import Dealer
from hil_tests.replay import replay
from hil_tests.replay.capturing import a_press, captured, pressed_while_unplugged, write_journal

DEVICES = Setup().devices


def test_at_the_controllers_end_of_a_running_table(tmp_path: Path) -> None:
    whole, journal = tmp_path / "all.jsonl", tmp_path / "journal.jsonl"
    with VirtualBench() as bench:
        dealer = Dealer(bench)
        dealer.wait_for_devices()
        with captured(bench, whole):
            assert bench.control.self_test("jackpot")["well"]
            a_press(dealer)
        bench.stop_controller()
        write_journal(bench.state_directory, journal)
    assert '"SELF_TEST"' in whole.read_text("ascii")
    came = replay(whole, journal=journal)
    assert came.differences == []
    assert came.entries > 15


def test_at_the_devices_ends_from_the_controllers_start(tmp_path: Path) -> None:
    files = {name: tmp_path / f"{name}.jsonl" for name in DEVICES}
    options = {name: ("--capture", str(file)) for name, file in files.items()}
    journal = tmp_path / "journal.jsonl"
    with VirtualBench(Setup(options=options)) as bench:
        dealer = Dealer(bench)
        dealer.wait_for_devices()
        pressed_while_unplugged(dealer)
        bench.stop_controller()
        write_journal(bench.state_directory, journal)
    came = replay(*files.values(), journal=journal)
    assert came.differences == []
    assert came.entries > 15
