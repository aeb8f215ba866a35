"""The most that the main wagers on one box may sum to (``Limits.box_max``).

The seated player comes first (RWS Pontoon Plus 5.1): his wager is taken although those of ``b``
and ``c`` are then too much, and theirs go back before bets are closed, ``c`` before ``b``. A wager
whose amount was not entered counts for nothing here. What a single wager may be is checked in
:mod:`~.wagers`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from controller.game.money import Stake, brief_amount, write_amount
from controller.game.round.refusal import Refused
from controller.game.round.wagers import MAIN, Limits, Sheet
from controller.game.rules.schema import RuleSet

SEATED = "a"


def check_added(
    rules: RuleSet, limits: Limits, sheet: Sheet, box: int, bettor: str, stake: Stake
) -> None:
    """Check that the main wager may be placed beside the others on the box. One that becomes less,
    or is the seated player's, may.

    Raises:
        Refused: the box would exceed its maximum.
    """
    placed = sheet.of_box(MAIN, box)
    over = _over(limits, {**placed, bettor: stake})
    if not over or bettor == SEATED or (stake or 0) <= (placed.get(bettor) or 0):
        return
    raise Refused(
        f"main wager of {write_amount(stake)} of {box}{bettor}: box {box} would be "
        f"{write_amount(over)} above its maximum of {write_amount(limits.box_max)}",
        rules.betting.box_max.clause,
        short=f"{brief_amount(over)} TOO MUCH"[:16],
        code="above-box-maximum",
    )


def check_boxes(rules: RuleSet, limits: Limits, sheet: Sheet) -> None:
    """Check that no box exceeds its maximum.

    Raises:
        Refused: one does; the refusal names who takes how much back.
    """
    found = excess(limits, sheet)
    if found is None:
        return
    box, over, back = found
    last, amount = next(iter(back.items()))
    what = " and ".join(f"{write_amount(part)} of {box}{b}" for b, part in back.items())
    raise Refused(
        f"main wagers on box {box} are {write_amount(over)} above its maximum of "
        f"{write_amount(limits.box_max)}: {what} must be taken back",
        rules.betting.box_max.clause,
        short=f"{box}{last.upper()}: {brief_amount(amount)} LESS"[:16],
        code="box-exceeds-maximum",
    )


class Excess(NamedTuple):
    """A ``box`` whose main wagers are by ``over`` above its maximum, and who takes what ``back``,
    the one furthest from the dealer first."""

    box: int
    over: int
    back: dict[str, int]


def excess(limits: Limits, sheet: Sheet) -> Excess | None:
    """The first box that exceeds its maximum; None where none does."""
    for box in sorted(sheet.wagers[MAIN]):
        main = sheet.of_box(MAIN, box)
        if over := _over(limits, main):
            return Excess(box, over, _back(main, over))
    return None


def _over(limits: Limits, main: Mapping[str, Stake]) -> int:
    """By how much they exceed the maximum of a box."""
    if not limits.box_max:
        return 0
    return max(0, sum(stake or 0 for stake in main.values()) - limits.box_max)


def _back(main: Mapping[str, Stake], over: int) -> dict[str, int]:
    """How much of that each takes back."""
    back = {}
    for bettor, stake in reversed(list(main.items())):
        if part := min(stake or 0, over):
            back[bettor] = part
            over -= part
    return back
