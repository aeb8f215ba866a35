"""Wagers above a box's maximum that were noticed too late: they play for less.

Capped: no wager counts for more than the maximum (MBS 5.27). Pro rata: all of them together do not,
each in proportion, but nobody below the table's minimum, and a wager that was below it plays as it
was placed (RWS Pontoon Plus 5.1.1, 5.1.2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.table.irregularity import Irregularity
from controller.table.model import Refused

if TYPE_CHECKING:
    from controller.table.round_state import RoundState


def limit(rnd: RoundState, found: Irregularity, how: str) -> None:
    """Have the open wagers on the box play within its maximum.

    Raises:
        Refused: they are not above it, or their amounts are not known.
    """
    box, most = rnd.boxes[found.box], found.amount or 0
    placed = {bettor: stake for bettor, stake in box.main.items() if stake is not None}
    total = sum(placed.values())
    above = max(placed.values(), default=0) if how == "cap" else total
    if len(placed) < len(box.main) or above <= most:
        raise Refused(
            f"the wagers on box {found.box} are not known to be above its maximum",
            short="NOT ABOVE IT",
        )
    for bettor, stake in placed.items():
        plays = min(stake, most) if how == "cap" else _share(rnd, stake, most, total)
        for hand in box.hands:
            bet = hand.bets.get(bettor)
            if bet and bet.open:
                bet.stake = plays


def _share(rnd: RoundState, stake: int, most: int, total: int) -> int:
    """The part of a wager within the maximum, in an even number of cents."""
    least = rnd.limits.min
    if stake < least:
        return stake
    return max(stake * most // total // 2 * 2, min(stake, least))
