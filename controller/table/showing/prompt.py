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

from dataclasses import dataclass

from controller.round.irregular.options import supervisors_options
from controller.table.dealing import face_down
from controller.table.entering.commands import dealer_commands
from controller.table.entering.needs import may_choose, needed_device
from controller.table.entering.supervisors_list import supervisor_commands
from controller.table.holds import conditions
from controller.table.shoe import burning, card_sets, cutting, shuffling
from controller.table.showing.wants import AMBER, GREEN, HOLD_LAMP, OFF, RED
from controller.table.showing.words import say
from controller.table.state.course import Phase
from controller.table.state.table import Table


@dataclass(frozen=True, slots=True)
class Prompt:
    """``text`` for a screen, ``short`` for the keypad's first row; ``awaiting`` as in the status;
    ``signal`` colour and blink of the shoe's lamp; ``lamps`` of the keypad."""

    text: str
    short: str
    awaiting: str
    signal: tuple[int, int]
    lamps: int = 0


def prompt(table: Table, commands: list[str] | None = None) -> Prompt:
    """What is awaited now; ``commands`` are the dealer's, where they have been found already."""
    if commands is None:
        commands = dealer_commands(table)
    if table.hold:
        can = ", ".join(supervisor_commands(table))
        own = ", ".join(commands)
        text = f"Held: {table.reason}."
        text += f" The supervisor may: {can}." if can else f" {conditions.what_ends(table)}"
        text += f" You may: {own}." if own else ""
        if may_choose(commands):
            return Prompt(text, "HELD: SEE SCREEN", "dealer", (RED, 1), HOLD_LAMP)
        return Prompt(text, "HELD: SUPERVISOR", "supervisor", (RED, 1), HOLD_LAMP)
    missing = needed_device(table)
    if missing:
        paying = next(
            (order for order in supervisor_commands(table) if order.startswith("pay")), ""
        )
        more = f" The supervisor may: {paying}." if paying else ""
        text = f"Held until it is back: {missing.why}.{more}"
        return Prompt(text, f"{missing.device.upper()} NOT READY", "device", (RED, 0), HOLD_LAMP)
    if table.entering.pending:
        text = "Wait: the card shoe is being locked for the last entry."
        return Prompt(text, "WAIT: SHOE", "device", (AMBER, 0))
    if table.entering.leftover and table.card_expected:
        text = "Wait: the card shoe is being locked for the round that is void."
        return Prompt(text, "WAIT: SHOE", "device", (AMBER, 0))
    said = say(table, commands)
    others = supervisors_options(table.rnd) if table.rnd else []
    more = f" The supervisor may: {', '.join(others)}." if others else ""
    awaiting = _awaiting(table, commands)
    return Prompt(said.text + more + _notices(table), said.short, awaiting, _lamp(table), said.lit)


def _notices(table: Table) -> str:
    notices = [table.entering.notice] if table.entering.notice else []
    notices += conditions.notices(table)
    if table.shoe.cutting_card and not table.mid_round and not table.shoe.book.doubt:
        notices.append("the cutting card has come: shuffle")
    elif refused := shuffling.refused(table):
        notices.append(refused.reason)
    if cuts := cutting.notice(table):
        notices.append(cuts)
    if refused := card_sets.refused(table):
        notices.append(refused.reason)
    if burn := burning.notice(table):
        notices.append(burn)
    if table.card_expected and (box := face_down.next_down(table)):
        notices.append(f"box {box} squeezes: face down")
    shoe = table.devices.get("shoe")
    if table.card_expected and shoe and not shoe.can_give:
        notices.append("the card shoe is empty")
    return f" ({'; '.join(notices)})" if notices else ""


def _awaiting(table: Table, commands: list[str]) -> str:
    state = table.state
    if table.rnd and table.rnd.edits:
        return "dealer" if may_choose(commands) else "supervisor"  # who may only take it back
    if state == "jackpot.armed":
        return "press"
    if state == "jackpot.drawing":
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
