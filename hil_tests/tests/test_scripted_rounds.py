"""Rounds worked out by hand, dealt over real ports: what a script may say, a dealer may do.

The expectations of tests/rounds were written from the clauses, not from the engine. Here the same
cards leave a shoe and the same things go wrong, and the table must settle the same, with the
multipliers that it drew itself. What stands in the journal afterwards is the same once more.

Every round is dealt at a table in one process, too
(``tests/table/live/test_rounds_by_hand.py``). What can differ here is what goes over links and
sockets, so a round is dealt here if it has something that none before it had: a step or the mark of
a card under its document, a kind of wager, an outcome. ``TABLE_ROUNDS=all`` deals them all.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from hil_tests.bench.interface import Json
from hil_tests.leftovers import leaving_nothing
from hil_tests.people.dealer import Dealer
from hil_tests.people.keying_dealer import KeyingDealer
from hil_tests.tables.reused_table import LIMITS, People, ReusedTable, setup_with
from hil_tests.tables.scripted import ScriptedTable
from hil_tests.tables.worked_rounds import assert_as_worked_out, sample, worked_rounds

ALL = os.environ.get("TABLE_ROUNDS") == "all"


def _rounds(*, keyed: bool) -> list[Any]:
    """The rounds that end in a result, each with the limits of its table; those of one table stand
    together. What is put right behind a settlement, or goes wrong twice, is ``keyed``: keys make
    the same commands."""
    found = []
    for name, lines in worked_rounds().items():
        if name.endswith(("-corrections", "-two")) == keyed:
            found += lines
    return [_param(line) for line in (found if ALL else sample(found))]


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
def table(request: pytest.FixtureRequest) -> Iterator[ReusedTable[Dealer]]:
    """A table for all the rounds of a document with the same limits."""
    rules, limits = request.param
    with ReusedTable(setup_with(rules, dict(limits)), Dealer) as table:
        yield table


@pytest.fixture(scope="module")
def keyed_table(request: pytest.FixtureRequest) -> Iterator[ReusedTable[KeyingDealer]]:
    """The same, worked at the keypad alone."""
    rules, limits = request.param
    with ReusedTable(setup_with(rules, dict(limits)), KeyingDealer) as table:
        yield table


@pytest.mark.parametrize(
    ("table", "line"), _rounds(keyed=False), indirect=["table"], scope="module"
)
def test_settles_as_worked_out(table: ReusedTable[Dealer], line: Json) -> None:
    _settles(table, line)


@pytest.mark.parametrize(
    ("keyed_table", "line"), _rounds(keyed=True), indirect=["keyed_table"], scope="module"
)
def test_settles_as_worked_out_from_the_keypad(
    keyed_table: ReusedTable[KeyingDealer], line: Json
) -> None:
    _settles(keyed_table, line)


def _settles(table: ReusedTable[People], line: Json) -> None:
    with table.round() as dealer:
        state = ScriptedTable(dealer, line["script"]).play()
        assert_as_worked_out(line, dealer, state)
        table.clear(state)
