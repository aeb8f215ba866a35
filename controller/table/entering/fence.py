"""The gate's fence: a dealer's command applies only to the hand that the dealer saw.

While the shoe may give a card, a command waits until the gate is known to be locked and every card
drawn before is taken; then it is carried out or refused. A decision on a hand that such a card has
changed is refused: it was made on another hand; so is whatever was entered for the table as it was
seen. Keys pressed meanwhile are processed afterwards, unless the command was refused: they assumed
that it was accepted.

Two commands need not wait, because the next card's destination stays as it is: ``hit``, which only
announces a card, and ``shuffle``, which concerns the other set. While a card is due and the shoe's
link is down, only ``shuffle`` is taken: it is not known what has left the shoe.

A void round ends without a command. The gate may still be open for it: until it is known to be
locked, what leaves the shoe is that round's (``leftover``), and nothing is dealt in
the next.

What play waits for otherwise is a device that it needs (:func:`needed_device`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from controller.forms.json_values import JsonObject
from controller.game.commands.command import Command
from controller.game.commands.values import brief_amount
from controller.game.commands.verbs import Family
from controller.game.round.refusal import Refused
from controller.game.round.states import State
from controller.game.round.wagers import MAIN
from controller.table.dealing import irregularities, squeezing
from controller.table.entering import commands
from controller.table.entering.commands import dealer_commands, may_choose
from controller.table.events.of_controller import GateLocked
from controller.table.outcome import CommandResult
from controller.table.shoe import cutting
from controller.table.state.device import Device
from controller.table.state.entering import ROW_LENGTH, Leftover, Pending
from controller.table.state.table import Table
from drivers.vocabulary import SHOE_FAULT, SHOE_LID_OPEN


def take_command(
    table: Table, command: Command, *, from_keypad: bool = False, as_seen: bool = False
) -> None:
    """Process a command now, or keep it pending until the gate is locked; Refused where it is not
    permitted. ``as_seen``: it is for the table as it is now, whatever it does."""
    if device := command.row.device:
        said = f"{command.verb}: only {device} gives it at a live table"
        raise Refused(said, short="ONLY THE DEVICE")
    takes_back = command == commands.UNDO and commands.takes_back_report(table)
    his = irregularities.is_dealers_turn(table) and command.row.part is Family.WRONG
    if table.hold and not (takes_back or his):
        raise _held_refusal(table)
    if table.entering.pending:
        said = "the entry before this one still waits for the card shoe"
        raise Refused(said, short="WAIT: SHOE", code="wait-shoe")
    if table.gate_cards and command.verb != "shuffle":
        if trouble := table.devices["shoe"].trouble():
            said = f"{trouble}; until it is back a card may still be on its way"
            raise Refused(said, short="SHOE NOT READY")
        if command.verb != "hit":
            number = _count(table)
            cards = table.shoe.cards_seen
            seen = table.rnd if as_seen else None
            table.entering.pending = Pending(number, command, from_keypad, cards, seen, as_seen)
            table.outcome.entry = number
            return
    answer = table.entering.keypad.says
    commands.carry_out(table, command)
    if not from_keypad:
        table.changed_elsewhere(answer)
    table.outcome.answered.append(CommandResult(_count(table)))


def _count(table: Table) -> int:
    table.entering.entries += 1
    return table.entering.entries


def _held_refusal(table: Table) -> Refused:
    return Refused(f"the table is held: {table.reason}", short="HELD: SUPERVISOR")


def gate(table: Table, event: GateLocked) -> None:
    """The gate is locked for the command of that number (missing in journals of early versions). A
    lock for an earlier command is ignored: the gate may have been opened since."""
    pending = table.entering.pending
    if pending is not None and event.entry in (None, pending.number):
        pending.locked_at = event.last_event
    leftover = table.entering.leftover
    if leftover is not None and event.entry == leftover.number:
        leftover.locked_at = event.last_event


def _is_locked(table: Table, waits: Pending | Leftover | None) -> bool:
    """Whether the gate is locked for it and all earlier events are taken."""
    if waits is None or waits.locked_at is None:
        return False
    return table.devices["shoe"].last_event >= waits.locked_at


def process_pending(table: Table) -> None:
    """Process the pending command once the gate is locked and all earlier events are taken."""
    if _is_locked(table, table.entering.leftover):
        table.entering.leftover = None
    pending = table.entering.pending
    if pending is None or not _is_locked(table, pending):
        return
    table.entering.pending = None
    said, answer = commands.said_last(table), table.entering.keypad.says
    try:
        if table.hold:
            raise _held_refusal(table)
        if table.shoe.cards_seen != pending.cards and (
            pending.as_seen or pending.entry.row.part in (Family.PLAY, Family.WRONG)
        ):
            why = "left the shoe before it: decide on the hand as it is now"
            raise Refused(f"{squeezing.last_drawn(table)} {why}", short="CARD CAME FIRST")
        now = (table.entering.entries, table.rnd)
        if pending.as_seen and now != (pending.number, pending.rnd):
            raise Refused("the table has changed before the shoe was locked", code="changed")
        commands.carry_out(table, pending.entry)
    except Refused as refused:
        table.answer(pending, refused)
    else:
        table.answer(pending, None)
        if not pending.from_keypad:
            table.changed_elsewhere(answer)
        else:
            table.entering.keypad.tell_result(None, echo_of(table, pending.entry))
        if pending.entry == commands.UNDO and pending.from_keypad:
            table.entering.keypad.says = commands.keypad_row(str(said))


def echo_of(table: Table, command: Command) -> str:
    """What the keypad repeats of a command that it has made: ``3B PAIR 5``, ``1 DOUBLE 50``, ``3
    MAIN OUT``; empty where the first row says what came of it. A key too many or too few makes
    another command than was meant, and ``OK`` alone would hide it."""
    if command.verb == "wager":
        side, stake = table.rules.side_wagers.get(command.kind), command.amount
        amount = "" if stake is None else "out" if stake == 0 else brief_amount(stake)
        return f"{command.seat} {side.short if side else MAIN} {amount}".strip().upper()
    if not (echo := "face up" if command.ends else command.row.echo):
        return ""
    who, *more = map(command.word, command.slots)
    rest = "" if command.ends else " ".join(more).removesuffix(".00")
    room = ROW_LENGTH - len(f"OK {who}  {rest}")  # the sum is never cut
    return " ".join(filter(None, (who, echo[: max(1, room)], rest))).upper()


def wager_as_it_stands(table: Table, said: Command | None) -> str:
    """``3 PAIR 5``: the wager that ``said``, a command without its amount, has set; empty where it
    is none."""
    if said is None or said.verb != "wager":
        return ""
    assert said.seat
    placed = table.betting.sheet.of_box(said.kind, said.seat.box)
    return echo_of(table, replace(said, amount=placed.get(said.seat.bettor or "a", 0)))


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
        jackpot = table.devices.get("jackpot")
        why = jackpot.trouble() if jackpot else "this table has no jackpot unit"
        return MissingDevice("jackpot", "jackpot-down", _trouble(jackpot), why)
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
