"""Every round worked out by hand, dealt at a live table: what a script may say, a dealer may do.

The expectations of tests/rounds were written from the clauses, not from the engine. Here the same
cards leave a shoe, and the table must settle the same, with the multipliers that it drew itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hil_tests.bench import MBS, RWS, Setup
from hil_tests.dealer import Dealer
from hil_tests.pty_bench import PtyBench
from hil_tests.record import result_of
from hil_tests.scripted import ScriptedTable

ROUNDS = Path(__file__).resolve().parent.parent / "tests" / "rounds"
ANY = (1, 100_000)


def _rounds(rules: str) -> list[Any]:
    lines = (ROUNDS / f"{rules}.jsonl").read_text(encoding="utf-8").splitlines()
    found = [json.loads(line) for line in lines]
    return [pytest.param(r, id=r["script"]["title"]) for r in found if _playable(r)]


def _playable(line: dict[str, Any]) -> bool:
    """Whether the round ends in settlements, with sums that a table has coins for."""
    sums = [value for wager in line["script"]["wagers"] for value in wager.values()]
    whole = all(isinstance(value, int | str) for value in sums)
    return "expect" in line and "missing" not in line and "limits" not in line["script"] and whole


def _table(rules: str) -> Iterator[Dealer]:
    setup = Setup(rules=rules, limits=ANY, side_limits=ANY, spin_ms=0)
    with PtyBench(setup) as bench:
        dealer = Dealer(bench)
        dealer.wait_for_devices()
        assert dealer.state == "idle"  # the connection is made here, not within a test
        yield dealer


@pytest.fixture(scope="module")
def mbs() -> Iterator[Dealer]:
    yield from _table(MBS)


@pytest.fixture(scope="module")
def rws() -> Iterator[Dealer]:
    yield from _table(RWS)


@pytest.mark.parametrize("line", _rounds(MBS))
def test_mbs(mbs: Dealer, line: dict[str, Any]) -> None:
    _settles_as_worked_out(mbs, line)


@pytest.mark.parametrize("line", _rounds(RWS))
def test_rws(rws: Dealer, line: dict[str, Any]) -> None:
    _settles_as_worked_out(rws, line)


def _settles_as_worked_out(dealer: Dealer, line: dict[str, Any]) -> None:
    script = line["script"]
    state = ScriptedTable(dealer, script).play()
    drawn = dealer.record.multipliers
    expected = line["expect"]
    if drawn:
        expected = result_of({**script, "multipliers": drawn})
    assert state["settlements"] == expected["settlements"]
    assert dealer.record.expected()["settlements"] == expected["settlements"]
    dealer.next()
