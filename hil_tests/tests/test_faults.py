"""Faults at a whole table: covers, buttons, exchanged units, second controllers, storms.

Each is said under its code of the catalogue and with a next step, stays over a restart, and when it
is over play goes on where it was.
"""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.control.client import RefusedByController
from controller.faults.catalogue import CATALOGUE
from controller.journal.reader import JournalReader
from hil_tests.bench.controller_process import ControllerProcess
from hil_tests.benches.virtual.virtual_bench import VirtualBench
from hil_tests.people.dealer import Dealer
from hil_tests.people.jackpot_button import wait_until_held
from hil_tests.people.playing import basic, play_to_end
from hil_tests.tables.strategy import CARDS

GARBAGE = (
    b"\x00" * 512,
    b"GET / HTTP/1.1\r\n\r\n",
    b"{" * 4000 + b"\n",
    b'{"request": 7}\n',
    b"\xff\n",
)
MOST_LOG_BYTES = 60_000


def _held_for(dealer: Dealer, fault: str) -> str:
    """Wait until it is held for that; its reason."""
    held = wait_until_held(dealer, fault)
    assert held["next_step"] == CATALOGUE[fault].next_step
    return str(held["reason"])


def _goes_on(dealer: Dealer) -> None:
    dealer.wait_until(lambda told: told["held"] is None, "play")


@pytest.fixture
def round_on(dealer: Dealer) -> Iterator[Dealer]:
    """Bets are closed and three cards are dealt; afterwards the round is played to its end."""
    dealer.bet_on(CARDS, {1: {"main": 100}, 3: {"main": 50}})
    for _ in range(3):
        dealer.card()
    yield dealer
    state = play_to_end(dealer, basic)
    assert state["settlements"] == dealer.record.expected()["settlements"]


def test_an_open_cover_holds_the_round_over_a_power_cut(
    round_on: Dealer, bench: VirtualBench
) -> None:
    before = round_on.state
    round_on.jackpot.do("cover", open=True)
    _held_for(round_on, "cover-open")
    assert round_on.state == f"held.{before}"
    with pytest.raises(RefusedByController, match="still"):
        bench.control.supervisor("resume", by="Sue", why="in a hurry")
    round_on.start_anew()
    _held_for(round_on, "cover-open")
    round_on.jackpot.do("cover", open=False)
    _goes_on(round_on)
    assert round_on.state == before


def test_a_stuck_button_is_shown_until_it_is_free(round_on: Dealer) -> None:
    round_on.jackpot.do("hold")
    round_on.wait_until(lambda told: "button-stuck" in told["conditions"], "a stuck button")
    assert "the jackpot button is stuck: free it" in round_on.status["prompt"]
    assert round_on.status["held"] is None
    round_on.jackpot.do("release")
    round_on.wait_until(lambda told: "button-stuck" not in told["conditions"], "a free button")


def test_another_jackpot_unit_in_mid_round_is_named_and_waits(
    round_on: Dealer, bench: VirtualBench
) -> None:
    bench.remove_device("jackpot")
    bench.add_device("jackpot", "--serial", "OTHER-9", "--memory", str(bench.folder / "other"))
    assert "serial OTHER-9" in _held_for(round_on, "device-replaced")
    bench.control.supervisor("resume", by="Sue", why="exchanged by the technician")
    _goes_on(round_on)


def test_events_that_another_controller_acknowledged_are_missed(
    dealer: Dealer, bench: VirtualBench, tmp_path: Path
) -> None:
    assert bench.stop_controller() == 0
    text = (bench.folder / "table.toml").read_text(encoding="utf-8")
    config = bench.folder / "second.toml"
    for old, new in (('"state"', '"other-state"'), ("control.sock", "other.sock")):
        text = text.replace(old, new)
    config.write_text(text, encoding="utf-8")
    second = ControllerProcess(config, tmp_path)
    second.start()
    try:
        bench.devices["shoe"].do("lid", open=True)
        bench.devices["shoe"].do("lid", open=False)
        bench.devices["shoe"].wait_for(lambda shoe: not shoe["unacked"])
    finally:
        second.stop()
    bench.start_controller()
    assert "card shoe: events" in _held_for(dealer, "journal-cut")
    with pytest.raises(RefusedByController, match="resume needs who and why: --by NAME --why TEXT"):
        bench.control.supervisor("resume")
    bench.control.supervisor("resume", by="Sue", why="the second controller is gone")
    _goes_on(dealer)


def test_a_device_that_flaps_loses_nothing_and_drowns_nothing(
    round_on: Dealer, bench: VirtualBench
) -> None:
    shoe = bench.devices["shoe"]
    for _ in range(200):
        shoe.do("unplug")
        shoe.do("plug")
    round_on.wait_for_devices("shoe")
    with JournalReader(bench.state_directory) as reader:
        links = [entry for entry in reader.iterate() if entry.type == "link"]
    assert len(links) < 2 * 200
    assert bench.controller.log.stat().st_size < MOST_LOG_BYTES


def test_clients_that_send_garbage_drown_neither_log_nor_journal(
    round_on: Dealer, bench: VirtualBench
) -> None:
    with JournalReader(bench.state_directory) as reader:
        before = sum(1 for _ in reader.iterate())
    for number in range(500):
        with socket.socket(socket.AF_UNIX) as client, contextlib.suppress(OSError):
            client.connect(str(bench.socket))
            client.sendall(GARBAGE[number % len(GARBAGE)])
    assert round_on.status["held"] is None
    with JournalReader(bench.state_directory) as reader:
        after = sum(1 for _ in reader.iterate())
    assert after - before < 20
    assert bench.controller.log.stat().st_size < MOST_LOG_BYTES
