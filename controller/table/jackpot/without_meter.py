"""A drawn multiplier that the meter does not report: what a supervisor may do about it.

The multiplier drawn counts, whatever becomes of the meter; nobody can give another one. ``seen N``
says that somebody has read it off the meter, which was told to show it and does not say so. ``pay
N`` has it paid from the box's own screen, where the meter does not show it and will not soon. The
status goes on saying that the meter has reported nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.round.play import show
from controller.round.refusal import Refused
from controller.table.jackpot.unit import (
    METER_FAULTS,
    end_meter_holds,
    is_accepted,
    waits_for_meter,
)

if TYPE_CHECKING:
    from controller.table.table import Table


def remedies(table: Table) -> list[str]:
    """Those of these commands that are permitted now, with the multiplier that was drawn."""
    verbs = [("seen", _owes_report(table)), ("pay", _payable(table))]
    return [f"{verb} {_drawn(table)}" for verb, permitted in verbs if permitted]


def seen(table: Table, multiplier: int) -> None:
    """The meter was seen to show it.

    Raises:
        Refused: it owes no report, or this is not what was drawn.
    """
    if not _owes_report(table):
        raise Refused(
            "there is no multiplier that the meter was to report and has not",
            short="NO REPORT IS DUE",
        )
    _go_on(table, multiplier)


def pay(table: Table, multiplier: int) -> None:
    """It is paid from the box's own screen.

    Raises:
        Refused: none waits for that, or this is not what was drawn.
    """
    if not _payable(table):
        raise Refused(
            "no drawn multiplier waits to be paid from the box's screen", short="NOTHING TO PAY"
        )
    _go_on(table, multiplier)


def _owes_report(table: Table) -> bool:
    """Whether the table is held for what the meter reports, or does not."""
    return waits_for_meter(table) and any(hold.fault in METER_FAULTS for hold in table.holds)


def _payable(table: Table) -> bool:
    """Whether the meter does not show what was drawn, and will not soon."""
    refuses = any(
        (held.fault, held.device) == ("device-refuses", "jackpot") for held in table.holds
    )
    gone = not table.is_up("jackpot") or not is_accepted(table)
    return _owes_report(table) or (waits_for_meter(table) and (refuses or gone))


def _drawn(table: Table) -> int | None:
    return table.offer.multiplier if table.offer else None


def _go_on(table: Table, multiplier: int) -> None:
    assert table.offer
    assert table.rnd
    if multiplier != _drawn(table):
        raise Refused(
            f"box {table.offer.box} drew {_drawn(table)}x, not {multiplier}x",
            short="NOT WHAT IT DREW",
        )
    table.rnd = show(table.rnd)
    end_meter_holds(table)
