"""Live tables of every rule set, by name."""

from __future__ import annotations

from typing import Any

from tests.table.live.driver import MBS, RWS, Live

DIVISION_15, PLUS = "division-15-pontoon", "rws-pontoon-plus-v5"
TRICK = "pontoon-five-card-trick"
EVERY = (RWS, PLUS, MBS, DIVISION_15, TRICK)


def table_of(name: str, **more: Any) -> Live:
    """A started table of those rules, its shoe new."""
    return Live(name, **more)


def between(name: str, wagers: str = "1 main 10", **more: Any) -> Live:
    """A table of those rules with bets open on these wagers (separated by commas)."""
    table = table_of(name, **more)
    table.say("open", *(f"wager {wager.strip()}" for wager in wagers.split(",")))
    return table


def closed(name: str, wagers: str = "1 main 10", **more: Any) -> Live:
    """The same with bets closed."""
    table = between(name, wagers, **more)
    table.say("close")
    return table
