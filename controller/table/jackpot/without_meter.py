"""A drawn multiplier that the meter does not report: what a supervisor may do about it.

The drawn multiplier counts, whatever happens to the meter; no person can give another one. ``seen
N`` confirms that a person has read it off the meter, which was commanded to show it and does not
report it. ``pay N`` has it paid from the controller's own screen, where the meter does not show it
and will not soon. The status still shows that the meter has reported nothing.
"""

from __future__ import annotations

from controller.game.commands.command import Command
from controller.game.round import play
from controller.game.round.refusal import Refused
from controller.table.jackpot.unit import (
    METER_FAULTS,
    end_meter_holds,
    is_accepted,
    waits_for_meter,
)
from controller.table.state.table import Table


def meter_commands(table: Table) -> list[Command]:
    """The permitted ones of these commands, with the multiplier that was drawn."""
    verbs = [("seen", _owes_report(table)), ("pay", _payable(table))]
    return [Command(verb, number=_drawn(table)) for verb, permitted in verbs if permitted]


def multiplier_seen(table: Table, multiplier: int) -> None:
    """``seen N``: a person has seen the meter show the multiplier.

    Raises:
        Refused: the meter owes no report, or this is not the drawn multiplier.
    """
    if not _owes_report(table):
        raise Refused(
            "there is no multiplier that the meter was to report and has not",
            short="NO REPORT IS DUE",
        )
    _go_on(table, multiplier)


def pay(table: Table, multiplier: int) -> None:
    """``pay N``: the multiplier is paid from the controller's own screen.

    Raises:
        Refused: no multiplier waits to be paid, or this is not the drawn one.
    """
    if not _payable(table):
        raise Refused(
            "no drawn multiplier waits to be paid from the controller's screen",
            short="NOTHING TO PAY",
        )
    _go_on(table, multiplier)


def _owes_report(table: Table) -> bool:
    """Whether the table is held for a report of the meter, wrong or missing."""
    return waits_for_meter(table) and table.holds.has(*METER_FAULTS)


def _payable(table: Table) -> bool:
    """Whether the meter does not show the drawn multiplier, and will not soon."""
    refuses = table.holds.has("device-refuses", device="jackpot")
    gone = not table.is_up("jackpot") or not is_accepted(table)
    return _owes_report(table) or (waits_for_meter(table) and (refuses or gone))


def _drawn(table: Table) -> int:
    """The multiplier; 0: none is drawn."""
    return (table.jackpot.offer.multiplier or 0) if table.jackpot.offer else 0


def _go_on(table: Table, multiplier: int) -> None:
    assert table.jackpot.offer
    assert table.rnd
    if multiplier != _drawn(table):
        raise Refused(
            f"box {table.jackpot.offer.box} drew {_drawn(table)}x, not {multiplier}x",
            short="NOT WHAT IT DREW",
        )
    table.dealing.update(play.show_multiplier(table.rnd))
    end_meter_holds(table)
