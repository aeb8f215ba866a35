"""Every round worked out by hand, dealt at a live table: what a script may say, a dealer may do.

The expectations of tests/rounds were written from the clauses, not from the engine. Here the same
cards leave a shoe and the same things go wrong, and the table must settle the same, with the
multipliers that it drew itself. What stands in the journal afterwards is the same once more.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
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
from hil_tests.tables.scripted import ScriptedTable

ROUNDS = Path(__file__).resolve().parents[2] / "tests" / "rounds"

FINISHED = (
    "the first of the two finishes the dealer's hand, and the round has been settled with it when "
    "the second one comes"
)
THIRD = (
    "the third card leaves while the table is held for the second; the shoe tells that its gate "
    "was locked, and the table that it was drawn in error"
)

NOT_AT_A_LIVE_TABLE: dict[str, str] = {
    "two cards at once on the dealer's hand, none seen: the Pit Manager chooses the first, the "
    "other follows": FINISHED,
    "two cards at once on the dealer's hand, one seen: it goes first, the other follows": FINISHED,
    "two cards at once on the dealer's hand, both seen: the worse one is used, the other "
    "discarded": FINISHED,
    "both seen at the dealer's hand, both complete it: the lower total is used "
    "(5.23.4.5)": FINISHED,
    "both seen at the dealer's hand, a king and a queen do the same: either is used "
    "(5.23.4.5)": FINISHED,
    "A-56: two cards together at the dealer's draw: the supervisor names the first": FINISHED,
    "Plus: two cards at once for the dealer's second card: both discarded, another is "
    "drawn": FINISHED,
    "three cards at once, none seen: the player chooses one, the others follow": THIRD,
    "Plus: three cards at once: the one selected, then the others follow": THIRD,
    "Plus: two cards at once for the dealer: a player takes his bet back before another is "
    "drawn": FINISHED,
    "MBS: three cards at once, all seen: the next player declines the two that are left, both "
    "are burned": THIRD,
    "MBS: two cards at once on the dealer's hand, both seen: one busts him and the other does "
    "not, only the first may be used": FINISHED,
    "MBS: two cards at once on the dealer's hand, both seen: both complete it, only the one "
    "that gives less may be used": FINISHED,
    "MBS: two cards at once on the dealer's ace, both seen: a king would be Pontoon, so the "
    "eight is used and insurance loses": FINISHED,
    "Plus: two cards at once on the dealer's hand: both discarded, two of three players take "
    "their bets back, he draws another": FINISHED,
    "Plus: two cards at once on the dealer's hand: discarded, everybody takes his bet back, he "
    "needs no other": FINISHED,
}
"""Rounds, by their titles, that do not come about at a live table as they are written, and why."""


def _rounds(*, keyed: bool) -> list[Any]:
    """The rounds that end in a result, each with the limits of its table; those of one table stand
    together. What is put right behind a settlement is ``keyed``: keys make the same commands."""
    found = []
    for path in sorted(ROUNDS.glob("*.jsonl")):
        if path.stem.endswith("-corrections") != keyed:
            continue
        lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        found += [line for line in lines if "expect" in line]
    return [_param(line) for line in found if line["script"]["title"] not in NOT_AT_A_LIVE_TABLE]


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
        assert state["settlements"] == expected["settlements"]
        assert state["dealer"] == expected["dealer"]
        assert boxes_of(state) == expected["boxes"]
        table.settled(state)


def test_what_is_left_out_is_there() -> None:
    texts = "".join(path.read_text(encoding="utf-8") for path in ROUNDS.glob("*.jsonl"))
    assert [title for title in NOT_AT_A_LIVE_TABLE if json.dumps(title) not in texts] == []
