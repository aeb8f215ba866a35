"""The device that play needs now and that cannot work: play waits until it is back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from controller.forms.json_values import JsonObject
from controller.game.round.states import State
from controller.table.entering.commands import dealer_commands
from controller.table.shoe import cutting
from controller.table.state.device import Device
from controller.table.state.table import Table
from drivers.vocabulary import SHOE_FAULT, SHOE_LID_OPEN

NO_CHOICE: Final = frozenset({"hit", "undo", "shuffle", "squeeze"})
"""Commands that are possible where there is no choice: a hit only announces a card."""


@dataclass(frozen=True, slots=True)
class MissingDevice:
    """A device that play needs now and that cannot work: its name, the fault's code, and the
    reason, as a code and in words; ``discards`` says for programs how they are shuffled and cut
    that go back into an empty shoe."""

    device: str
    fault: str
    trouble: str
    why: str
    discards: JsonObject = field(default_factory=dict)


def needed_device(table: Table) -> MissingDevice | None:
    """The device that play waits for; None where there is none."""
    rnd = table.rnd
    if not table.mid_round or rnd is None:
        return None
    if table.card_expected:
        shoe = table.devices["shoe"]
        if trouble := shoe.trouble():
            return MissingDevice("shoe", "shoe-down", _trouble(shoe), trouble)
        waits = shoe.can_give or table.entering.pending
        if not waits and not may_choose(dealer_commands(table)):
            return _empty(table)
    if rnd.state in (State.JACKPOT_ARMED, State.JACKPOT_DRAWING) and not table.is_up("jackpot"):
        unit = table.devices.get("jackpot")
        why = unit.trouble() if unit else "this table has no jackpot unit"
        return MissingDevice("jackpot", "jackpot-down", _trouble(unit), why)
    return None


def _trouble(device: Device | None) -> str:
    """Why it cannot work, as a code."""
    if device is None or not device.up:
        return "not-connected" if device else "missing"
    return {SHOE_LID_OPEN: "lid-open", SHOE_FAULT: "fault"}.get(device.state or 0, "unknown")


def _empty(table: Table) -> MissingDevice:
    if table.dealing.reshuffled != table.round_number:
        why = "the card shoe is empty and a card is due"
        return MissingDevice("shoe", "shoe-empty", "empty", why)
    why, discards = "the discards go back into the empty card shoe", cutting.of_discards(table)
    if discards is None:
        return MissingDevice("shoe", "shoe-empty", "discards-go-back", why)
    why = f"{why}: {discards.text}"
    return MissingDevice("shoe", "shoe-empty", "discards-go-back", why, discards.values)


def may_choose(commands: list[str]) -> bool:
    """Whether a dealer with these commands may do anything but wait for a card."""
    return any(command.split()[0] not in NO_CHOICE for command in commands)
