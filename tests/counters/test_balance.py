"""Whether counters add up with the rounds that they count."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from controller.counters.balance import Balance, differing
from controller.counters.counting import Counters
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
