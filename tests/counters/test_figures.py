"""Figures: what each settlement adds, over every round that was worked out by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from controller.counters.figures import SUMS, Figures, Money, weights_text
from controller.game.round.model import Settlement

ROUNDS = Path(__file__).resolve().parents[1] / "rounds"


def settled(path: Path) -> Iterator[tuple[str, list[Settlement]]]:
    """Title and settlements of every round of that file that comes to a result. The engine settles
    them so: ``tests/rounds/test_rounds.py``."""
    for text in path.read_text("utf-8").splitlines():
        line: Any = json.loads(text)
        told = line["expect"]["settlements"] if "expect" in line else []
        if told:
            yield line["script"]["title"], [Settlement(**{**each, **_cents(each)}) for each in told]


def _cents(told: dict[str, Any]) -> dict[str, int | None]:
    return {
        key: None if told[key] is None else int(Decimal(told[key]) * 100)
        for key in ("stake", "net")
    }


@pytest.mark.parametrize("path", sorted(ROUNDS.glob("*.jsonl")), ids=lambda path: path.stem)
def test_money_balances(path: Path) -> None:
    """Whatever was wagered was paid or is held, and what was staked was wagered or given back."""
    for title, settlements in settled(path):
        figures = Figures()
        figures.settle(settlements)
        for kind, money in figures.money.items():
            told = [s for s in settlements if s.kind == kind and s.net is not None]
            assert money.house_win == -sum(s.net or 0 for s in told), title
            assert money.wagered == money.paid + money.house_win, title
            if kind not in SUMS:
                count = sum(s.kind == kind for s in settlements)
                assert money.wagers + money.returned == count, title
                staked = sum(s.stake or 0 for s in told)
                assert money.wagered + money.given_back == staked, title
        made = sum(money.wagers + money.returned for money in figures.money.values())
        assert made == sum(s.kind not in SUMS for s in settlements), title


def settlement(outcome: str, stake: int | None, net: int | None, kind: str = "main") -> Settlement:
    return Settlement(1, "a", 1, kind, stake, outcome, None, net, "1.1")


@pytest.mark.parametrize(
    ("each", "money"),
    [
        (settlement("win", 1000, 1500), Money(1, 0, 1000, 2500)),
        (settlement("lose", 1000, -1000), Money(1, 0, 1000, 0)),
        (settlement("push", 1000, 0), Money(1, 0, 1000, 1000)),
        (settlement("surrendered", 1000, -500), Money(1, 0, 1000, 500)),
        (settlement("withdrawn", 1000, -1000), Money(1, 0, 1000, 0)),
        (settlement("returned", 1000, 0), Money(returned=1, given_back=1000)),
        (settlement("returned", None, None), Money(returned=1)),
        (settlement("win", None, None), Money(1, 1)),
        (settlement("win", 1000, 100_000, "super_bonus"), Money(paid=100_000)),
        (settlement("win", None, None, "super_bonus_share"), Money(untold=1)),
    ],
)
def test_what_a_settlement_adds(each: Settlement, money: Money) -> None:
    figures = Figures()
    figures.settle([each])
    assert figures.money == {each.kind: money}
    figures.settle([each])
    twice = Money()
    twice.add(money)
    twice.add(money)
    assert figures.money == {each.kind: twice}


def test_every_figure_is_added() -> None:
    """One of each, so that a new figure that :meth:`Figures.add` forgets is seen."""
    one = Figures(
        **{f.name: 1 for f in fields(Figures) if f.type == "int"},
        money={"main": Money(1, 1, 1, 1, 1, 1)},
        draws={"25=1": {25: 1}},
        voids={"Sue": 1},
        voids_after_draw={"Sue": 1},
        corrections={"Sue": 1},
        orders={"void": {"Sue": 1}},
    )
    both = Figures()
    both.add(one)
    assert both == one
    both.add(one)
    assert both.rounds == both.jams == both.refusals == 2
    assert both.money["main"] == Money(2, 2, 2, 2, 2, 2)
    assert both.draws == {"25=1": {25: 2}}
    assert both.orders == {"void": {"Sue": 2}}
    assert one.money["main"] == Money(1, 1, 1, 1, 1, 1)


def test_weights_are_spelled_in_their_order() -> None:
    assert weights_text(((100, 4), (25, 96))) == "100=4 25=96"
    assert weights_text(()) == ""
