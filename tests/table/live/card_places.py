"""The hands of a round as a reader of the journal finds them: from ``to`` and ``hands`` alone."""

from __future__ import annotations

from typing import Any

from controller.game.rules.cards import Card
from controller.table.dealing.card_places import hands, lay_of
from controller.table.outcome import Outcome
from controller.table.state.table import Table

Lie = dict[str, str]
"""Cards by place, as text."""


def follow(lie: Lie, kind: str, body: dict[str, Any], outcome: Outcome) -> Lie:
    """The hands behind an entry."""
    after = outcome.as_body()
    found = {} if "round" in after else dict(lie)
    if kind == "CARD":
        to = str(after["to"])
        if to != "out":
            card = str(Card(body["rank"], body["suit"]))
            found[to] = f"{found.get(to, '')} {card}".strip()
    else:
        assert ("to" in after) == (kind == "supervisor" and body["command"].startswith("card "))
    told = after.get("hands", {})
    assert isinstance(told, dict)
    return {place: cards for place, cards in {**found, **told}.items() if cards}


def check(lie: Lie, table: Table) -> None:
    """What was told is what lies there."""
    if table.rnd is not None:
        lies = hands(lay_of(table))
        there = {place: " ".join(map(str, cards)) for place, cards in lies.items() if cards}
        assert lie == there
