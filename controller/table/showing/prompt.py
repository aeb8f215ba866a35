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

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from controller.forms.json_values import JsonObject
from controller.game.commands.command import Command
from controller.game.round.irregular.options import supervisors_options
from controller.game.round.states import State
from controller.table import holds
from controller.table.dealing import squeezing
from controller.table.entering.commands import dealer_commands, may_choose
from controller.table.entering.fence import MissingDevice, needed_device
from controller.table.entering.supervising import supervisor_commands
from controller.table.shoe import card_sets, cutting, shuffling
from controller.table.showing.prompt_text import AMBER, GREEN, HOLD_LAMP, OFF, RED, PromptText
from controller.table.showing.status_fields import Asks
from controller.table.showing.words import awaited_text
from controller.table.state.holds import as_told
from controller.table.state.parts import Phase
from controller.table.state.table import Table

NoticeCode = Literal[
    "burn-first-card",
    "condition",
    "cut",
    "cutting-card",
    "device-reports",
    "device-told",
    "face-down",
    "not-burned",
    "set-is-blocked",
    "shoe-empty",
    "shuffle-first",
    "super-bonus",
]
"""What can be said, one meaning each."""


@dataclass(frozen=True, slots=True)
class Notice:
    """``code`` is what is meant, ``values`` what the ``text`` varies by."""

    code: NoticeCode
    text: str
    values: JsonObject = field(default_factory=dict)


def notices(table: Table) -> list[Notice]:
    """All that is to be said now, in the order in which it is said."""
    about = (_of_conditions, _of_the_round, _of_cards, _of_the_next_card)
    return [notice for of in about for notice in of(table)]


def _of_conditions(table: Table) -> Iterator[Notice]:
    if said := table.entering.notice:
        yield Notice("device-told", said, {"text": said})
    for text, values in holds.notices(table):
        yield Notice("condition", text, values)
    for device in table.devices.values():
        if said := holds.reported(device):
            yield Notice("device-reports", said, {"device": device.name})


def _of_the_round(table: Table) -> Iterator[Notice]:
    bonus = table.rules.super_bonus
    if table.rnd is None or bonus is None or bonus.paid.value == "with_the_hand":
        return
    if boxes := sorted({box for box, _ in table.rnd.super_bonus}):
        clause = bonus.paid.clause
        where = f"{'box' if len(boxes) == 1 else 'boxes'} {', '.join(map(str, boxes))}"
        text = f"{where}: the supervisor sees the cards, then the Super Bonus is paid, {clause}"
        yield Notice("super-bonus", text, {"boxes": [*boxes], "clause": clause})


def _of_cards(table: Table) -> Iterator[Notice]:
    shoe = table.shoe
    if shoe.cutting_card and not table.mid_round and not shoe.book.doubt:
        yield Notice("cutting-card", "the cutting card has come: shuffle")
    elif refused := shuffling.refused(table):
        due = {"why": shuffling.why_due(table), "clear_set": shuffling.set_to_clear(table)}
        yield Notice("shuffle-first", refused.reason, due)
    if cut := cutting.cut(table):
        values = {"box": cut.box or None, "clauses": list(cut.clauses)}
        yield Notice("cut", cutting.in_words(cut), values)
    if refused := card_sets.refused(table):
        number = shoe.sets.in_shoe
        assert number
        blocked = {"set": number, "why": shoe.sets.blocked[number]}
        yield Notice("set-is-blocked", refused.reason, blocked)
    clause = table.rules.shoe.burn.clause
    if shuffling.may_burn(table):
        text = f"a new shoe: burn its first card, {clause}"
        yield Notice("burn-first-card", text, {"clause": clause})
    elif shuffling.burn_due(table) and table.mid_round:
        text = f"the first card was not burned: undo, then burn, {clause}"
        yield Notice("not-burned", text, {"clause": clause})


def _of_the_next_card(table: Table) -> Iterator[Notice]:
    if not table.card_expected:
        return
    if box := squeezing.next_down(table):
        yield Notice("face-down", f"box {box} squeezes: face down", {"box": box})
    shoe = table.devices.get("shoe")
    if shoe and not shoe.can_give:
        yield Notice("shoe-empty", "the card shoe is empty")


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
    coded = [{"code": one.code, "values": one.values} for one in told]
    values = {**said.values, "supervisor_may": others, "notices": coded}
    said = replace(said, text=said.text + more, values=values)
    green, waits = table.gate_open_for, AMBER if table.mid_round else OFF
    return Prompt(said, _awaiting(table, commands), (GREEN if green else waits, 0))


def _held_text(table: Table, commands: list[Command]) -> PromptText:
    """Why the table is held, in words, is in the status too, as is who may do what."""
    may = list(map(str, supervisor_commands(table)))
    can, own = ", ".join(may), ", ".join(map(str, commands))
    text = f"Held: {table.reason}."
    text += f" The supervisor may: {can}." if can else f" {holds.what_ends(table)}"
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
    if table.corrections:
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
