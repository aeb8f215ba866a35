"""The dealer's commands at the live table: what is permitted now, what each does, and the device
that play needs before any.

Commands between rounds are in :mod:`controller.table.betting` and the files of the shoe; a step of
a round gives a new round, which replaces the old one unless the step is refused. The effect of a
command can be taken back (:mod:`~.undo`) until something follows that cannot.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cache

from controller.forms.json_values import JsonObject
from controller.game.commands.command import Command
from controller.game.commands.slots import BOX, WAGERED
from controller.game.commands.verbs import CORRECTIONS, Fact, Family
from controller.game.round.irregular.options import supervisors_options
from controller.game.round.permitted import permitted_steps
from controller.game.round.remedies import PutsRight, Report, step_of
from controller.game.round.states import State
from controller.game.round.steps import Done, Step
from controller.game.round.wagers import MAIN
from controller.table import sequence
from controller.table.betting import bets, opening
from controller.table.dealing import correcting, deciders, irregularities, putting_right, squeezing
from controller.table.entering import undo
from controller.table.jackpot import unit
from controller.table.shoe import burning, cutting, shuffling
from controller.table.state.course import Phase
from controller.table.state.device import Device
from controller.table.state.table import Table
from drivers.vocabulary import SHOE_FAULT, SHOE_LID_OPEN

OPEN, CLOSE, NEXT, UNDO = map(Command, ("open", "close", "next", "undo"))
BURN, INSPECTED, DONE = map(Command, ("burn", "inspected", "done"))


@cache
def _wager(kind: str) -> Command:
    return Command("wager", kind=kind, open=(BOX.name, WAGERED.name))


@cache
def _shuffle(number: int) -> Command:
    return Command("shuffle", number=number)


def dealer_commands(table: Table) -> list[Command]:
    """The dealer's commands that are permitted now."""
    if table.in_service:
        return []
    taken_back = [UNDO] if undo.takes_back_report(table) else []
    if deciders.is_dealers_turn(table):
        return [*deciders.dealer_remedy_commands(table), *taken_back]
    if table.hold or table.entering.pending:
        return taken_back
    commands = [_shuffle(number) for number in shuffling.sets_to_shuffle(table)]
    if table.gate_cards and table.devices["shoe"].trouble():
        return commands  # it is not known whether a card is on its way
    if table.entering.saved or (table.rnd and table.rnd.irregular.edits):
        commands.insert(0, UNDO)
    return [*_of_phase(table), *commands]


def _of_phase(table: Table) -> list[Command]:
    opens = [] if shuffling.cards_refused(table) else [OPEN]
    burns = [BURN] if burning.may_burn(table) else []
    match table.phase:
        case Phase.CLOSED:
            return [] if opening.DEALER in table.course.checked else [INSPECTED]
        case Phase.IDLE:
            return [*opens, *burns]
        case Phase.BETTING:
            closing = [] if bets.close_refused(table) else [CLOSE]
            wagers = map(_wager, _kinds(table))
            return [*wagers, *closing, *squeezing.squeeze_commands(table), *burns]
        case Phase.PLAYING:
            assert table.rnd
            if table.rnd.irregular.edits:
                return [] if correcting.refused(table, by_dealer=True) else [DONE]
            squeezes = squeezing.squeeze_commands(table)
            if table.dealing.kept:
                return squeezes
            others = supervisors_options(table.rnd)
            steps = (step for step in permitted_steps(table.rnd) if step not in others)
            return [*squeezes, *(step.offered for step in steps)]
    return [NEXT, *opens]


def _kinds(table: Table) -> list[str]:
    side_wagers = table.rules.side_wagers.items()
    sides = [kind for kind, rule in side_wagers if not rule.at_button or not unit.trouble(table)]
    return [MAIN, *sides]


def carry_out(table: Table, command: Command) -> None:
    """Carry out a command; one that is refused changes nothing."""
    step = step_of(command) if command.row.part in (Family.PLAY, Family.WRONG) else None
    edits = correcting.ended_by(table, command.verb, step)
    said = replace(command, amount=None) if command.verb == "wager" else command
    with undo.all_or_nothing(table, said) as before:
        ends_it = bool(edits) and command == DONE
        if ends_it:
            table.dealing.end_correction()
        if edits:
            correcting.judge(table, by_dealer=True)
        can_be_taken_back = not ends_it and _apply(table, command, step) and not edits
    correcting.count_again(table, edits)
    if can_be_taken_back:
        undo.remember(table, before)
    elif command != UNDO:
        table.entering.forget_saved()
    table.entering.notice = ""
    table.outcome.carried_out.append(command)


def _apply(table: Table, command: Command, step: Step | None) -> bool:
    """Carry out the command; whether its effect can be taken back."""
    if step is not None:
        return _step(table, step)
    match command.verb:
        case "wager":
            assert command.seat
            bets.wager(table, command.seat, command.kind, command.amount)
        case "open":
            bets.open_bets(table)
        case "close":
            bets.close_bets(table)
        case "next":
            bets.next_round(table)
        case "burn":
            burning.ask_for_burn(table)
        case "squeeze":
            squeezing.squeeze(table, command.box, granted=not command.ends)
        case "undo":
            undo.take_back(table)
        case "shuffle":
            shuffling.start(table, command.number)
        case "inspected":
            opening.inspected(table)
        case _:
            assert command.verb == "reveal"
            squeezing.reveal(table, command.box)
    return Fact.FINAL not in command.row.facts


def _step(table: Table, step: Step) -> bool:
    """Carry out a step; whether it can be taken back: nothing was paid on it, and it is not a
    remedy. A report can be, while it waits for its remedy."""
    rnd = table.rnd
    later = rnd is not None and not table.mid_round
    if isinstance(step, PutsRight) and (table.mid_round or table.hold or later):
        right = rnd is None or rnd.irregular.irregularity is None
        putting_right.dealer_step(table, step)
        waits = right and irregularities.is_open(table)
        reports = isinstance(step, Report) and waits
        return not table.hold and (step.verb in CORRECTIONS or reports)
    sequence.check(table, "step", step)
    if refused := squeezing.refused(table):
        raise refused
    assert rnd
    after = putting_right.decide(table, rnd, step)
    if isinstance(step, Done):
        table.dealing.settle_up()
    table.dealing.update(after)
    paid = len(after.settlements) > len(rnd.settlements)
    return not paid and rnd.state != State.JACKPOT_PAYING


def may_choose(commands: Iterable[Command]) -> bool:
    """Whether a dealer with these commands may do anything but wait for a card."""
    return any(Fact.POSSIBLE not in command.row.facts for command in commands)


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
