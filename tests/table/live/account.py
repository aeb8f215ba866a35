"""What the table says that it owes, held against what it has told since bets were opened."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal

from controller.game.round.result_fields import SettlementResult
from controller.game.round.results import net_of
from controller.table.showing.status import told_account
from controller.table.state.table import Table


def check_account(table: Table, told: Iterable[SettlementResult]) -> None:
    """At every moment ``net`` is the sum of what was told, and ``now`` of what is owed; at the end
    it is the result's."""
    if table.rnd is None:
        return
    owed = [one.as_result() for one in table.dealing.owed]
    accounts = told_account(table)
    for one in accounts:
        who = one["box"], one["bettor"]
        assert one["net"] == _sum(told, who), (one, list(told))
        assert one["now"] == _sum(owed, who), (one, owed)
    nets = {f"{one['box']}{one['bettor']}": one["net"] for one in accounts}
    assert net_of(table.rnd).items() <= nets.items()
    unasked = table.rnd.irregular.irregularity  # what becomes of its wager is still to be said
    if table.rnd.is_over and not table.rnd.irregular.edits and not unasked:
        assert all(one["at_stake"] in ("0.00", None) for one in accounts), accounts


def _sum(told: Iterable[SettlementResult], who: tuple[int, str]) -> str | None:
    nets = [one["net"] for one in told if (one["box"], one["bettor"]) == who]
    known = [Decimal(net) for net in nets if net is not None]
    return f"{sum(known, Decimal(0)):.2f}" if len(known) == len(nets) else None
