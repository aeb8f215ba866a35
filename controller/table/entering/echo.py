"""What the keypad repeats of a command that it has made: the box, what was done there, the sum.

A key too many or too few makes another command than was meant, and ``OK`` alone would hide it.
"""

from __future__ import annotations

from typing import Final

from controller.game.round.money import brief_amount
from controller.game.round.steps.decisions import Raise
from controller.game.round.steps.jackpot import Nominate
from controller.game.round.steps.step import STAFF, AtBox, parse_seat
from controller.game.round.steps.wagers import Insure, Place
from controller.game.round.wagers import MAIN
from controller.table.command_reading import DealerCommand, TableCommand, WagerCommand
from controller.table.state.entering import ROW_LENGTH
from controller.table.state.table import Table

_SAID: Final = {
    **{verb: verb for verb in ("double", "buy", "insure", "surrender", "split", "stand")},
    **{verb: verb for verb in ("follow", "place", "withdraw", "keep", "absent", "free")},
    "nominate": "to",
    "squeeze": "down",
    "face-up": "face up",
    "reveal": "turned",
}
"""The words for what was done at a box. Of other commands the first row says what came of them."""


def wager_as_it_stands(table: Table, said: str) -> str:
    """``3 PAIR 5``: the wager that ``said``, a command without its amount, has set; empty where it
    is none."""
    verb, *more = said.split()[:3] or [""]
    if verb != "wager" or len(more) < 2:
        return ""
    seat, kind = parse_seat(more[0]), more[1]
    placed = table.betting.sheet.of_box(kind, seat.box)
    stake = placed.get(seat.bettor or "a", 0)
    return of(table, WagerCommand(seat, kind, stake))


def of(table: Table, command: DealerCommand) -> str:
    """``3B PAIR 5``, ``1 DOUBLE 50``, ``3 MAIN OUT``; empty where there is nothing to repeat."""
    match command:
        case WagerCommand():
            side = table.rules.side_wagers.get(command.kind)
            kind = side.short if side else MAIN
            stake = command.stake
            amount = "" if stake is None else "out" if stake == 0 else brief_amount(stake)
            return f"{command.seat} {kind} {amount}".strip().upper()
        case TableCommand() if command.verb in _SAID:
            return f"{command.number} {_SAID[command.verb]}".upper()
        case AtBox() if command.verb in _SAID:
            return _at_box(command).upper()
    return ""


def _at_box(step: AtBox) -> str:
    amount, who, rest = None, str(step.seat), ""
    match step:
        case Raise():
            amount = step.amount
        case Insure():
            amount = step.amount
            who += f"@{step.owner}" if step.owner else ""
        case Nominate():
            rest = str(step.by or STAFF)
        case Place():
            rest = str(step.hand)
    if amount is not None:
        rest = brief_amount(amount)
    room = ROW_LENGTH - len(f"OK {who}  {rest}")  # the sum is never cut
    return " ".join(filter(None, (who, _SAID[step.verb][: max(1, room)], rest)))
