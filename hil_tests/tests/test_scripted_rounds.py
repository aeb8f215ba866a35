"""Rounds worked out by hand, dealt over real ports: what a script may say, a dealer may do.

The expectations of tests/rounds were written from the clauses, not from the engine. Here the same
cards leave a shoe and the same things go wrong, and the table must settle the same, with the
multipliers that it drew itself. What stands in the journal afterwards is the same once more.

Every round is dealt at a table in one process (``tests/table/live/test_rounds_by_hand.py``). What
can differ here is what goes over links and sockets, so a round is dealt here if it has something
that none before it had: a step or the mark of a card under its document, a kind of wager, an
outcome. ``TABLE_ROUNDS=all`` deals them all.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Hashable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hil_tests.bench.interface import Json
from hil_tests.leftovers import leaving_nothing
from hil_tests.people.keying_dealer import KeyingDealer
from hil_tests.people.record import result_of
from hil_tests.tables.lying import boxes_of
from hil_tests.tables.reused_table import LIMITS, ReusedTable
from hil_tests.tables.scripted import ScriptedTable, as_it_stands

ROUNDS = Path(__file__).resolve().parents[2] / "tests" / "rounds"
ALL = os.environ.get("TABLE_ROUNDS") == "all"
WORD = re.compile(r"(?<!\S)[a-z][a-z-]*(?!\S)")
MARK = re.compile(r"[^0-9A-Z ]")


def _rounds(*, keyed: bool) -> list[Any]:
    """The rounds that end in a result, each with the limits of its table; those of one table stand
    together. What is put right behind a settlement, or goes wrong twice, is ``keyed``: keys make
    the same commands."""
    found = []
    for path in sorted(ROUNDS.glob("*.jsonl")):
        if path.stem.endswith(("-corrections", "-two")) != keyed:
            continue
        lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        found += [line for line in lines if "expect" in line]
    return [_param(line) for line in (found if ALL else _sample(found))]


def _sample(rounds: list[Json]) -> list[Json]:
    """Those that together go every way over link and socket, in their order; the richest are taken
    first."""
    known: set[Hashable] = set()
    taken = []
    for line in sorted(rounds, key=lambda line: -len(_ways(line))):
        if not _ways(line) <= known:
            known |= _ways(line)
            taken.append(line)
    return sorted(taken, key=rounds.index)


def _ways(line: Json) -> set[Hashable]:
    """What of a round is a message of its own, or an answer."""
    script, expected = line["script"], line["expect"]
    rules = script["rules"]
    return {
        *((rules, *WORD.findall(step)) for step in script["steps"]),
        *((rules, mark) for mark in MARK.findall(script["shoe"])),
        *((rules, key) for wager in script["wagers"] for key in wager),
        *((told["kind"], told["outcome"]) for told in expected["settlements"]),
        (rules, expected["outcome"]),
    }


def _param(line: Json) -> Any:
    script = line["script"]
    key = _key(script["rules"], tuple({**LIMITS, **script.get("limits", {})}.items()))
    return pytest.param(key, line, id=f"{script['rules']}: {script['title']}")


@cache
def _key(*key: object) -> object:
    """Always the same object for the same table: pytest asks for no less."""
    return key


@pytest.fixture(autouse=True)
def _nothing_left_behind() -> None:
    """The tables stay from round to round, with a new daemon after every power cut."""


@pytest.fixture(scope="module", autouse=True)
def _nothing_left_in_the_end() -> Iterator[None]:
    with leaving_nothing():
        yield


@pytest.fixture(scope="module")
def table(request: pytest.FixtureRequest) -> Iterator[ReusedTable]:
    """A table for all the rounds of a document with the same limits."""
    rules, limits = request.param
    with ReusedTable(rules, dict(limits)) as table:
        yield table


@pytest.fixture(scope="module")
def keyed_table(request: pytest.FixtureRequest) -> Iterator[ReusedTable]:
    """The same, worked at the keypad alone."""
    rules, limits = request.param
    with ReusedTable(rules, dict(limits), KeyingDealer) as table:
        yield table


@pytest.mark.parametrize(
    ("table", "line"), _rounds(keyed=False), indirect=["table"], scope="module"
)
def test_settles_as_worked_out(table: ReusedTable, line: Json) -> None:
    _settles(table, line)


@pytest.mark.parametrize(
    ("keyed_table", "line"), _rounds(keyed=True), indirect=["keyed_table"], scope="module"
)
def test_settles_as_worked_out_from_the_keypad(keyed_table: ReusedTable, line: Json) -> None:
    _settles(keyed_table, line)


def _settles(table: ReusedTable, line: Json) -> None:
    script, expected = line["script"], line["expect"]
    with table.round() as dealer:
        state = ScriptedTable(dealer, script).play()
        drawn = dealer.record.multipliers
        if drawn:
            expected = result_of({**script, "multipliers": drawn})
        assert state["state"] == expected["outcome"]
        settled = as_it_stands(script, state["settlements"])
        assert settled == as_it_stands(script, expected["settlements"])
        assert state["dealer"] == expected["dealer"]
        assert boxes_of(state) == expected["boxes"]
        table.settled(state)
