"""The keypad's two rows: what is awaited, and what was keyed or came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.table.model import BETTORS
from controller.table.prompt import Prompt, needed_device
from controller.table.wants import ROW_LENGTH

if TYPE_CHECKING:
    from controller.table.table import Table


def rows(table: Table, said: Prompt) -> tuple[str, str]:
    """What the keypad shows. The second row answers the last key; with nothing to answer it says
    why the table is held."""
    second = table.keypad.says or _keyed(table) or _why_held(table)
    return _row(said.short), _row(second)


def _keyed(table: Table) -> str:
    pad = table.keypad
    if pad.keyed == "B":
        return "BOX ?"
    chosen = ""
    if pad.seat:
        bettor = f".{BETTORS.index(pad.seat.bettor) + 1}" if pad.seat.bettor else ""
        chosen = f"BOX {pad.seat.box}{bettor}"
    keyed = "" if pad.keyed.startswith("B") else pad.keyed
    return f"{chosen} {keyed}".strip()


def _why_held(table: Table) -> str:
    missing = needed_device(table)
    fault = table.hold.fault if table.hold else missing.fault if missing else ""
    return fault.replace("-", " ")


def _row(text: str) -> str:
    plain = text.upper().encode("ascii", "replace").decode("ascii")
    return plain[:ROW_LENGTH]
