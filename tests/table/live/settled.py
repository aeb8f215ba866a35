"""Whether a round that is over has settled everything."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from typing import Any

from controller.game.round import play
from controller.game.round.result_fields import SettlementResult
from controller.game.round.results import net_of
from controller.table.state.table import Table
from tests.table.live.driver import Live


def settled_in_full(table: Table) -> None:
    """Every wager of the round has been settled once, and its net follows from its outcome."""
    assert table.rnd is not None
    made = [settlement.as_result() for settlement in table.rnd.settlements]
    wagers = [one for one in made if one["kind"] not in ("super_bonus", "super_bonus_share")]
    single = Counter(
        (one["box"], one["bettor"], one["hand"], one["kind"])
        for one in wagers
        if one["kind"] != "insurance"
    )
    due: Counter[tuple[Any, ...]] = Counter()
    for box in table.rnd.boxes.values():
        for kind, placed in box.sides.items():
            due.update((box.number, bettor, 1, kind) for bettor in placed)
        for hand in box.hands:
            for bettor, bet in hand.bets.items():
                kind = "main" if bet.original else "split"
                assert not bet.open
                due[box.number, bettor, hand.number, kind] += 1
                due[box.number, bettor, hand.number, "double"] += bet.doubled
                due[box.number, bettor, hand.number, "buy"] += len(bet.buys)
    assert single == +due
    dropped = [sum_ for *_, sum_ in table.rnd.irregular.dropped_insurance if sum_ != 0]
    insured = len(table.rnd.insurance) + len(dropped)
    assert sum(one["kind"] == "insurance" for one in made) == insured
    for one in wagers:
        _check_net(one)


def _check_net(one: SettlementResult) -> None:
    if one["stake"] is None:
        assert one["net"] is None
        return
    assert one["net"] is not None
    stake, net = Decimal(one["stake"]), Decimal(one["net"])
    match one["outcome"]:
        case "win":
            to, by = map(int, str(one["odds"]).split(":"))
            assert net * by == stake * to
        case "lose" | "withdrawn":
            assert net == -stake
        case "surrendered":
            assert net * 2 == -stake
        case _:
            assert net == 0


def net(table: Live) -> dict[str, str | None]:
    """What the round has come to, by bettor."""
    return {f"{one['box']}{one['bettor']}": one["net"] for one in table.status()["account"]}


def same_again(table: Live) -> None:
    """The round comes out the same when it is played again from its inputs."""
    assert table.table.rnd
    assert net_of(play.play_again(table.table.rnd, table.table.rnd.log)) == net_of(table.table.rnd)
