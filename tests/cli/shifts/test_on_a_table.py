"""``shift report`` at a real daemon with simulated devices: running, stopped, started again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from hil_tests.benches.virtual.virtual_bench import VirtualBench
from hil_tests.people.dealer import Dealer


@pytest.fixture
def bench() -> Iterator[VirtualBench]:
    with VirtualBench() as bench:
        Dealer(bench).wait_for_devices()
        yield bench


def report(bench: VirtualBench, *more: str) -> Any:
    ran = bench.tablectl("shift", "report", "--json", *more)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def order(bench: VirtualBench, command: str, by: str) -> None:
    ran = bench.tablectl("supervisor", command, "--by", by, "--why", "seen")
    assert ran.returncode == 0, ran.stderr


def a_round(dealer: Dealer) -> None:
    """Box 1 with 50, which stands on what comes."""
    dealer.open_bets()
    dealer.wager(1, main=50)
    dealer.no_more_bets()
    dealer.deal()
    while dealer.state != "settled":
        if dealer.state == "play.decide":
            dealer.stand(1)
        elif dealer.state == "offers.open":
            dealer.end_offer()
        else:
            dealer.dealers_hand()
    dealer.next()


def a_void_round(dealer: Dealer, bench: VirtualBench) -> None:
    """Bets are closed and a card was drawn; then it is void."""
    dealer.open_bets()
    dealer.wager(1, main=50)
    dealer.no_more_bets()
    dealer.card()
    order(bench, "void", "Eva")
    dealer.next()


def test_a_running_table_and_a_stopped_one(bench: VirtualBench, tmp_path: Path) -> None:
    dealer = Dealer(bench)
    begun = datetime.now(UTC)
    a_round(dealer)
    order(bench, "shift", "Ida")
    a_round(dealer)
    a_round(dealer)
    a_void_round(dealer, bench)
    present = report(bench)
    assert (present["shift"]["number"], present["shift"]["by"]) == (1, "Ida")
    assert present["shift"]["until"] is None
    since = datetime.fromisoformat(present["shift"]["since"])
    assert begun <= since + timedelta(milliseconds=1) <= datetime.now(UTC)
    assert (present["rounds"], present["void"], present["voids"]) == (2, 1, {"Eva": 1})
    assert present["rounds_per_hour"] > 0
    assert present["shoes"] == 0
    first = report(bench, "--shift", "0")
    assert (first["rounds"], first["shoes"]) == (1, 1)
    counters = json.loads(bench.tablectl("counters", "--json").stdout)
    assert present["money"] == counters["shift"]["money"]
    assert first["rounds"] + present["rounds"] == counters["total"]["rounds"]
    assert first["cards"] + present["cards"] == counters["total"]["cards"]
    whole = counters["shift"]["sum"]
    share = 100 * float(whole["held"]) / float(whole["wagered"])
    assert present["hold"] == pytest.approx(share, abs=0.01)
    ran = bench.tablectl("shift", "report", "--shift", "2")
    assert (ran.returncode, "there was no shift 2" in ran.stderr) == (2, True)
    assert bench.tablectl("shift", "report", "--day", "2001-01-01").returncode == 2

    with bench.connect() as client:  # as a supervisor who may not read the files
        assert client.request("shift", which="present") == present
        assert client.request("shift", which="0") == first

    bench.stop_controller()
    stopped = ("--state", str(bench.state_directory))
    page = tmp_path / "shift.html"
    again = report(bench, *stopped, "--html", str(page))
    for name in ("rounds", "money", "hold", "draws", "cards", "shoes", "voids"):
        assert again[name] == present[name]
    assert "Shift 1, begun by Ida" in page.read_text("utf-8")
    assert report(bench, *stopped, "--shift", "0")["money"] == first["money"]

    bench.start_controller()
    dealer = Dealer(bench)
    dealer.wait_for_devices()
    a_round(dealer)
    assert report(bench)["rounds"] == 3  # a restart begins no shift
