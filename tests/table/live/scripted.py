"""A round script dealt at a live table in this process: :class:`hil_tests.tables.scripted` at the
bench of a table that is driven by events. The meter shows what the script says, so that the whole
result can be compared. By ``keyed`` people everything is entered at the keypad."""

from __future__ import annotations

from collections import deque
from decimal import Decimal
from typing import Any, Self, cast

from controller.game.round.results import round_result
from controller.game.round.wagers import Limits
from hil_tests.bench.interface import Bench, Json
from hil_tests.bench.setup import Setup
from hil_tests.benches.in_process import InProcessBench
from hil_tests.people.dealer import Dealer
from hil_tests.people.keying_dealer import KeyingDealer
from hil_tests.tables.scripted import ScriptedTable
from tests.table.live.driver import Live


class LiveScript(ScriptedTable):
    """Such a table whose people do what a script says; nothing is burned."""

    burns = False

    def __init__(self, script: Json, *, keyed: bool = False) -> None:
        self.live = Live(script["rules"], limits=_limits(script))
        setup, multipliers = Setup(script["rules"]), script.get("multipliers", ())
        self.bench = InProcessBench(setup, self.live, multipliers)
        people = KeyingDealer if keyed else Dealer
        super().__init__(people(cast("Bench", self.bench)), script)

    def stack(self, cards: list[str], *, burned: bool) -> None:
        self.bench.cards = deque(cards)

    @classmethod
    def result(cls, script: Json, *, keyed: bool = False) -> tuple[Self, Any]:
        """The table behind the round, and the round's result."""
        table = cls(script, keyed=keyed)
        table.play()
        rnd = table.live.table.rnd
        assert rnd
        return table, round_result(rnd, script["title"])


def _limits(script: Json) -> Limits:
    given = script.get("limits", {})
    cents = {name: int(Decimal(str(value)) * 100) for name, value in given.items()}
    most = cents.get("max", 10_000_000)
    return Limits(
        min=cents.get("min", 100),
        max=most,
        box_max=cents.get("box_max", 3 * most),
        player_max=cents.get("player_max", 0),
    )
