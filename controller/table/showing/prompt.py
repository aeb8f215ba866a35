"""What is awaited, and how screen, keypad and the shoe's lamp show it.

All of it is derived here from one state, so that the parts agree:

- ``awaiting``: ``supervisor`` while held; ``device`` while the table waits for a lock, a device
  that play needs, or the meter; ``press`` for the button; ``dealer`` where the dealer may choose,
  even where a card would count as a hit; ``card`` where nothing else is possible.
- The lamp is green if and only if a card may leave; red and blinking when held, red when a device
  is missing, amber while waiting for the dealer, off between rounds.
- The texts are in :mod:`~.words`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from controller.forms.json_values import JsonObject
from controller.game.commands.command import Command
from controller.game.round.irregular.options import supervisors_options
from controller.game.round.states import State
from controller.table.entering.commands import (
    MissingDevice,
    dealer_commands,
    may_choose,
    needed_device,
)
from controller.table.entering.supervising import supervisor_commands
from controller.table.holds import conditions
from controller.table.showing.notices import notices
from controller.table.showing.prompt_text import PromptText
from controller.table.showing.status_fields import Asks
from controller.table.showing.wants import AMBER, GREEN, HOLD_LAMP, OFF, RED
from controller.table.showing.words import awaited_text
from controller.table.state.course import Phase
from controller.table.state.holds import as_told
from controller.table.state.table import Table


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is ``said``, with what it adds for everybody; ``awaiting`` as in the status; ``signal``
    colour and blink of the shoe's lamp."""

    said: PromptText
    awaiting: str
    signal: tuple[int, int]

    @property
    def asks(self) -> Asks:
        """It as a code, with the values that its text varies by."""
        said = self.said
        return {"code": said.code, "values": {"supervisor_may": [], "notices": [], **said.values}}


def prompt(table: Table, commands: list[Command] | None = None) -> Prompt:
    """What is awaited now; ``commands`` are the dealer's, where they have been found already."""
    if commands is None:
        commands = dealer_commands(table)
    if table.hold:
        dealer = may_choose(commands)
        return Prompt(_held_text(table, commands), "dealer" if dealer else "supervisor", (RED, 1))
    if missing := needed_device(table):
        return Prompt(_not_ready(table, missing), "device", (RED, 0))
    if table.entering.pending:
        text = "Wait: the card shoe is being locked for the last entry."
        return Prompt(PromptText("wait-shoe", text, "WAIT: SHOE"), "device", (AMBER, 0))
    if table.entering.leftover and table.card_expected:
        text = "Wait: the card shoe is being locked for the round that is void."
        return Prompt(PromptText("wait-shoe-void", text, "WAIT: SHOE"), "device", (AMBER, 0))
    said, told = awaited_text(table, commands), notices(table)
    others = list(map(str, supervisors_options(table.rnd))) if table.rnd else []
    more = f" The supervisor may: {', '.join(others)}." if others else ""
    more += f" ({'; '.join(one.text for one in told)})" if told else ""
    values = {**said.values, "supervisor_may": others, "notices": [one.as_value() for one in told]}
    said = replace(said, text=said.text + more, values=values)
    return Prompt(said, _awaiting(table, commands), _lamp(table))


def _held_text(table: Table, commands: list[Command]) -> PromptText:
    """Why the table is held, in words, is in the status too, as is who may do what."""
    may = list(map(str, supervisor_commands(table)))
    can, own = ", ".join(may), ", ".join(map(str, commands))
    text = f"Held: {table.reason}."
    text += f" The supervisor may: {can}." if can else f" {conditions.what_ends(table)}"
    text += f" You may: {own}." if own else ""
    short = "HELD: SEE SCREEN" if may_choose(commands) else "HELD: SUPERVISOR"
    faults = [held.fault for held in as_told(table.holds.standing)]
    values = {"faults": faults, "supervisor_may": may}
    return PromptText("held", text, short, HOLD_LAMP, values)


def _not_ready(table: Table, missing: MissingDevice) -> PromptText:
    may = [str(order) for order in supervisor_commands(table) if order.verb == "pay"]
    more = f" The supervisor may: {may[0]}." if may else ""
    text = f"Held until it is back: {missing.why}.{more}"
    values: JsonObject = {
        "device": missing.device,
        "fault": missing.fault,
        "trouble": missing.trouble,
        "discards": missing.discards or None,
        "supervisor_may": may,
    }
    short = f"{missing.device.upper()} NOT READY"
    return PromptText("device-not-ready", text, short, HOLD_LAMP, values)


def _awaiting(table: Table, commands: list[Command]) -> str:
    state = table.state
    if table.rnd and table.rnd.irregular.edits:
        return "dealer" if may_choose(commands) else "supervisor"  # who may only take it back
    if state == State.JACKPOT_ARMED:
        return "press"
    if state == State.JACKPOT_DRAWING:
        return "device"
    if may_choose(commands):
        return "dealer"
    if table.mid_round or table.gate_open_for:  # between rounds a burn card
        return "card"
    if table.phase is Phase.CLOSED or table.in_service:
        return "supervisor"
    return "device"  # a shuffled shoe is to be loaded


def _lamp(table: Table) -> tuple[int, int]:
    if table.gate_open_for:
        return GREEN, 0
    return (AMBER, 0) if table.mid_round else (OFF, 0)
