"""The device that play needs now and that cannot work: play waits until it is back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from controller.table.entering.commands import dealer_commands
from controller.table.shoe import cutting
from controller.table.state.table import Table

NO_CHOICE: Final = frozenset({"hit", "undo", "shuffle", "squeeze"})
"""Commands that are possible where there is no choice: a hit only announces a card."""


@dataclass(frozen=True, slots=True)
class Missing:
    """A device that play needs now and that cannot work: its name, the fault's code, and the
    reason."""

    device: str
    fault: str
    why: str


def needed_device(table: Table) -> Missing | None:
    """The device that play waits for; None where there is none."""
    rnd = table.rnd
    if not table.mid_round or rnd is None:
        return None
    if table.card_expected:
        shoe = table.devices["shoe"]
        if trouble := shoe.trouble():
            return Missing("shoe", "shoe-down", trouble)
        waits = shoe.can_give or table.entering.pending
        if not waits and not may_choose(dealer_commands(table)):
            return Missing("shoe", "shoe-empty", _empty(table))
    if rnd.state in ("jackpot.armed", "jackpot.drawing") and not table.is_up("jackpot"):
        unit = table.devices.get("jackpot")
        why = unit.trouble() if unit else "this table has no jackpot unit"
        return Missing("jackpot", "jackpot-down", why)
    return None


def _empty(table: Table) -> str:
    if table.dealing.reshuffled != table.round_number:
        return "the card shoe is empty and a card is due"
    said = cutting.of_discards(table)
    return f"the discards go back into the empty card shoe{f': {said}' if said else ''}"


def may_choose(commands: list[str]) -> bool:
    """Whether a dealer with these commands may do anything but wait for a card."""
    return any(command.split()[0] not in NO_CHOICE for command in commands)
