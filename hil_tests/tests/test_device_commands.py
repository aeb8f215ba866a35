"""What a technician does with devices of a real daemon: self-tests, a look at a live line."""

from __future__ import annotations

import json
import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest

from hil_tests.bench.processes import tablectl as run_tablectl
from hil_tests.bench.setup import DEVICES, Setup
from hil_tests.benches.virtual.virtual_bench import VirtualBench
from hil_tests.people.dealer import Dealer

LONGEST_S = 60.0


def tablectl(*argv: object) -> subprocess.CompletedProcess[str]:
    return run_tablectl(*map(str, argv))


def messages(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("ascii").splitlines()]


@pytest.mark.parametrize("name", DEVICES)
def test_every_device_tests_itself_and_play_goes_on(
    bench: VirtualBench, dealer: Dealer, name: str
) -> None:
    socket = ("--socket", bench.socket)
    passed = tablectl(*socket, "devices", "test", name)
    assert (passed.returncode, passed.stderr) == (0, "")
    assert passed.stdout.startswith(f"{name}: well, 7 tests\n")
    assert "passed in 0.1 s" in passed.stdout
    dealer.stack("9S 8H 9D 9C")
    dealer.open_bets()
    refused = tablectl(*socket, "devices", "test", name)
    assert refused.returncode == 3
    assert "between rounds" in refused.stderr
    dealer.wager(1, main=100)
    dealer.no_more_bets()
    dealer.deal()
    assert tablectl(*socket, "devices", "test", name).returncode == 3
    assert dealer.status["boxes"]["1"]["hands"][0]["total"] == 18


def test_a_device_with_a_fault_fails_its_test(bench: VirtualBench, dealer: Dealer) -> None:
    dealer.jackpot.do("cover", open=True)
    ran = tablectl("--socket", bench.socket, "devices", "test", "jackpot", "--json")
    told = json.loads(ran.stdout)
    assert (ran.returncode, told["well"], told["failed"]) == (1, False, [6])
    failed = {test["name"]: test["what"] for test in told["tests"] if not test["ok"]}
    assert failed.keys() == {"self-test", "faults"}
    assert "cover open" in failed["faults"]


def test_the_line_of_a_live_shoe_is_captured_while_a_round_is_played(
    bench: VirtualBench, dealer: Dealer, tmp_path: Path
) -> None:
    out = tmp_path / "shoe.jsonl"
    command = ("--socket", bench.socket, "devices", "capture", "shoe", "--seconds", 3)
    ran: list[subprocess.CompletedProcess[str]] = []
    capture = threading.Thread(target=lambda: ran.append(tablectl(*command, "--out", out)))
    capture.start()
    try:
        while capture.is_alive() and not (out.exists() and out.stat().st_size):
            capture.join(0.05)  # until it has begun to write
        dealer.deal_round("9S 8H 9D 9C", {1: {"main": 100}})
    finally:
        capture.join(LONGEST_S)
    assert ran[0].returncode == 0, ran[0].stderr
    head, *seen, end = messages(out)
    assert (head["capture"], list(head["devices"])) == (2, ["shoe"])
    assert end["end"] == {"messages": len(seen), "dropped": 0}
    cards = {m["fields"]["event_no"]: m for m in seen if m["message"] == "CARD"}  # some come twice
    assert [(m["fields"]["rank"], m["dir"]) for m in cards.values()] == [
        (9, "in"),
        (8, "in"),
        (9, "in"),
    ]
    names = [(m["dir"], m["message"]) for m in seen]
    assert ("out", "GATE") in names
    assert ("in", "GATE answer") in names
    assert names.index(("in", "CARD")) < names.index(("out", "EVENT_ACK"))
    times = [m["at_ns"] for m in seen]
    assert times == sorted(times)
    assert "<- CARD" in ran[0].stdout


def test_a_port_without_a_daemon_is_told_directly_and_one_with_it_is_left_alone() -> None:
    bench = VirtualBench(Setup(devices=("shoe", "jackpot")))
    try:
        bench.add_device("jackpot")
        bench.add_device("shoe")
        ran = tablectl("devices", "test", "--port", bench.port("jackpot"))
        assert ran.returncode == 0, ran.stderr
        assert "jackpot" in ran.stdout
        assert "passed" in ran.stdout
        bench.start_controller()
        Dealer(bench).wait_for_devices()
        busy = tablectl("devices", "test", "--port", bench.port("jackpot"))
        assert busy.returncode == 3
        assert tablectl("--socket", bench.socket, "devices", "test", "jackpot").returncode == 0
    finally:
        bench.close()
