"""Whether bets may be opened or closed with the cards as they are."""

from __future__ import annotations

from controller.round.refusal import Refused
from controller.table.shoe import card_sets, shuffling
from controller.table.state.table import Table


def refused(table: Table) -> Refused | None:
    """Why they may not: a shuffle is due, or the set in the shoe is not to be played."""
    return shuffling.refused(table) or card_sets.refused(table)
