"""Whether counters add up with the rounds that they count."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import fields
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from controller.counters.balance import Balance, differing
from controller.counters.counting import Counters
from controller.counters.figures import SUMS, Figures, Money, weights_text
from controller.game.round.model import Settlement
from controller.table.apply import apply
from controller.table.events.event import Event
from controller.table.events.reading import read_event
from controller.table.state.table import Table
from tests.table.live.driver import Live, dealt

WAGERS = "1 main 10, 1 pandemonium 5"


class Watched:
    """A live table's events played again, with counters and their balance looked at after each."""

    def __init__(self) -> None:
        self.table, self.counters, self.balance = Table(), Counters(), Balance()
        self.played = 0
        self.found: list[list[str]] = []

    def follow(self, table: Live, *, counting: bool = True) -> None:
        """Play what has happened since; ``counting`` off: draws and presses are not counted."""
        for line in table.events[self.played :]:
            event = read_event(**json.loads(line))
            outcome = apply(self.table, event)
            if counting or event.type not in ("draw", "PRESS"):
                self.counters.count_event(event, outcome, self.table)
            if (found := self.balance.discrepancies(self.counters, self.table)) is not None:
                self.found.append(found)
        self.played = len(table.events)


def won() -> Live:
    """A Pandemonium wager of 5 dollars that has won at 25x, the round not over yet."""
    table = dealt("AC 8D KC", WAGERS)
    table.win(25)
    return table


def finish(table: Live) -> None:
    while table.state != "settled":
        table.enter("done") if table.state.startswith("jackpot") else table.deal("9D")


def test_a_round_that_adds_up() -> None:
    table, watched = won(), Watched()
    finish(table)
    watched.follow(table)
    assert watched.found == [[]]
    table.say("next")
    watched.follow(table)
    table.say("undo")
    watched.follow(table)
    assert watched.found == [[]]


def test_a_round_that_was_void_says_nothing() -> None:
    table, watched = won(), Watched()
    table.order("void")
    watched.follow(table)
    assert watched.found == []


def test_a_draw_that_was_not_counted() -> None:
    table, watched = dealt("AC 8D KC", WAGERS), Watched()
    watched.follow(table)
    table.win(25)
    finish(table)
    watched.follow(table, counting=False)
    assert watched.found == [["draws of 25x: 0 counted, 1 in the round, 1 too few"]]


def count_a_draw(counters: Counters) -> None:
    [drawn] = counters.kept.total.draws.values()
    drawn[100] = 2


def lose_a_press(counters: Counters) -> None:
    counters.kept.total.presses -= 1


def pay_twice(counters: Counters) -> None:
    counters.kept.last.money["pandemonium"].paid *= 2


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (count_a_draw, "draws of 100x: 2 counted, 0 in the round, 2 too many"),
        (lose_a_press, "draws: 1 counted, 0 by presses of the button, 1 too many"),
        (
            pay_twice,
            "paid to Pandemonium wagers: 26000 counted, 13000 in the round, 13000 too many",
        ),
    ],
)
def test_a_figure_that_does_not_add_up(spoil: Callable[[Counters], None], told: str) -> None:
    table, watched = won(), Watched()
    watched.follow(table)
    real = watched.counters.count_event

    def take(event: Event, *rest: object) -> None:
        real(event, *rest)  # type: ignore[arg-type]
        if watched.table.rnd and watched.table.rnd.state == "settled":
            spoil(watched.counters)

    watched.counters.count_event = take  # type: ignore[method-assign,assignment]
    finish(table)
    watched.follow(table)
    assert told in watched.found[0]


def test_a_multiplier_paid_that_was_not_drawn() -> None:
    table, watched = won(), Watched()
    watched.follow(table)
    watched.table.jackpot.draws[0]["multiplier"] = 100
    finish(table)
    watched.follow(table)
    assert "boxes paid 25x: 1 counted, 0 by the draws, 1 too many" in watched.found[0]


def test_what_was_wrong_before_is_told_once() -> None:
    table, watched = won(), Watched()
    watched.follow(table)
    watched.counters.kept.total.presses -= 1
    finish(table)
    watched.follow(table)
    table.play("next", "open", "wager 1 main 10", "close", "KC 8D 5C 9D")
    watched.follow(table)
    assert [len(found) for found in watched.found] == [1, 0]


def test_figures_that_differ_are_named_with_the_difference() -> None:
    table, watched, other = won(), Watched(), Watched()
    finish(table)
    watched.follow(table)
    other.follow(table)
    assert differing(watched.counters, other.counters) == []
    other.counters.kept.total.presses += 2
    [told] = differing(watched.counters, other.counters)
    assert told == "total presses: 1 counted, 3 by the journal, 2 too few"
    other.counters.kept.total.orders["void"] = {f"name {number}": 1 for number in range(9)}
    told = differing(watched.counters, other.counters)[-1]
    assert told == "5 figures more"


# Figures: what each settlement adds, over every round that was worked out by hand ----------------


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
