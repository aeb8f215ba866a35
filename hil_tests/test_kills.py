"""Killed at any instruction: no card lost, none twice, no second draw, the meter true.

The controller dies at least fifty times in play, at least thirty of them with an event
unacknowledged, a command outstanding or the meter spinning; each time it is only started again.
``TABLE_KILLS_SEED`` takes another course through the moments.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from pathlib import Path

import pytest

from hil_tests.bench import MBS, RWS, Json, Setup
from hil_tests.demo.checks import card_name, export, tablectl
from hil_tests.killing import COMMAND, EVENT, SPIN, KilledTable
from hil_tests.players import Anything
from hil_tests.playing import play_on
from hil_tests.pty_bench import PtyBench

KILLS = 27
IN_DOUBT = 18
SPINS = 4
MOST_ROUNDS = 24
CHANCE = 0.35
SPIN_MS = 250
DEALS = ("A 9 {} K 7", "Q A {} A J", "8 K {} 8 A", "5 5 {} 6 5")
"""The initial deals for boxes 1 and 3 and the dealer between them: most have a Pontoon; the cards
behind them are shuffled."""


@pytest.mark.parametrize("rules", [MBS, RWS])
def test_killed_in_play(rules: str, capsys: pytest.CaptureFixture[str]) -> None:
    seed = int(os.environ.get("TABLE_KILLS_SEED", "20261120"))
    source = random.Random(seed)
    with PtyBench(Setup(rules=rules, seed=seed % 9999, spin_ms=SPIN_MS)) as bench:
        table = KilledTable(bench, source, CHANCE)
        table.dealer.wait_for_devices()
        rounds = 0
        while table.kills < KILLS or table.in_doubt < IN_DOUBT or table.kinds[SPIN] < SPINS:
            assert rounds < MOST_ROUNDS, f"seed {seed}: {table.moments}"
            _round(table, source)
            rounds += 1
        with capsys.disabled():
            print("\n" + _account(seed, rules, rounds, table))
        shoe = bench.devices["shoe"].look()
        unit = bench.devices["jackpot"].look()
        assert bench.stop_controller() == 0
        _compare(table, shoe, unit, export(bench.state_directory))
        _is_well(bench.state_directory)


def _round(table: KilledTable, source: random.Random) -> None:
    dealer = table.dealer
    ranks = source.choice(DEALS).format(source.choice("A279K"))
    dealer.stack(" ".join(rank + source.choice("CDHS") for rank in ranks.split()))
    dealer.open_bets()
    dealer.wager(1, main=100, pair=10, pandemonium=5)
    dealer.wager("1b", main=50)
    dealer.wager(3, main=20, pandemonium=1)
    dealer.no_more_bets()
    state = play_on(table, Anything(source))
    assert state["settlements"] == dealer.record.expected()["settlements"], dealer.record.script()
    dealer.next()


def _compare(table: KilledTable, shoe: Json, unit: Json, entries: list[Json]) -> None:
    """The journal against what the devices themselves have counted."""
    cards = [card_name(entry) for entry in entries if entry["type"] == "CARD"]
    assert cards == table.cards
    assert len(cards) == shoe["drawn"]
    drawn = [entry for entry in entries if entry["type"] == "draw"]
    pressed = [entry["offer_id"] for entry in entries if entry["type"] == "PRESS"]
    assert [entry["offer"] for entry in drawn] == pressed == unit["pressed"]
    assert [entry["multiplier"] for entry in drawn] == table.shown
    numbers = Counter(
        (entry["device"], entry["session"], entry["event_no"])
        for entry in entries
        if "event_no" in entry
    )
    assert max(numbers.values()) == 1


def _is_well(state: Path) -> None:
    verified = tablectl("journal", "verify", "--state", str(state))
    assert verified.returncode == 0, verified.stdout + verified.stderr


def _account(seed: int, rules: str, rounds: int, table: KilledTable) -> str:
    """What the closing note quotes."""
    head = (
        f"{table.kills} kills in {rounds} rounds of {rules} (seed {seed}), {table.in_doubt} of "
        f"them with {EVENT}, {COMMAND} or {SPIN}; "
        f"{len(table.cards)} cards, {len(table.shown)} draws"
    )
    kinds = [f"  {count:3} with {kind}" for kind, count in sorted(table.kinds.items())]
    moments = [f"      {count:3} {moment}" for moment, count in sorted(table.moments.items())]
    return "\n".join([head, *kinds, *moments])
