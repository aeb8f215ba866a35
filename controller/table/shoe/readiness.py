"""Whether the present cards permit opening or closing bets."""

from __future__ import annotations

from controller.game.round.refusal import Refused
from controller.table.shoe import card_sets, shuffling
from controller.table.state.table import Table


def refused(table: Table) -> Refused | None:
    """The reason against it: a shuffle is due, or the set in the shoe is blocked; None where there
    is none."""
    return shuffling.refused(table) or card_sets.refused(table)
