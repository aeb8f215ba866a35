"""The dealer's commands at the live table: what is permitted now, and what each does.

Commands between rounds are in :mod:`controller.table.betting` and the files of the shoe; a step of
a round gives a new round, which replaces the old one unless the step is refused. The effect of a
commands can be taken back (:mod:`~.undo`) until something follows that cannot.
"""

from __future__ import annotations

from typing import Final

from controller.game.round.irregular.options import supervisors_options
from controller.game.round.permitted import permitted as permitted_templates
from controller.game.round.states import State
from controller.game.round.steps.dealers import Done
from controller.game.round.steps.remedies import Correction
from controller.game.round.steps.reports import Report
from controller.game.round.steps.step import PutsRight, Step
from controller.game.round.wagers import MAIN
from controller.table import sequence
from controller.table.betting import opening, rounds
from controller.table.command_reading import DealerCommand, TableCommand, WagerCommand
from controller.table.dealing import correcting, deciders, irregularities, putting_right, squeezing
from controller.table.entering import undo
from controller.table.jackpot import unit
from controller.table.shoe import burning, shuffling
from controller.table.state.course import Phase
from controller.table.state.table import Table

UNDO: Final = TableCommand("undo")


def dealer_commands(table: Table) -> list[str]:
    """The dealer's commands that are permitted now, as templates."""
    if table.in_service:
        return []
    taken_back = ["undo"] if undo.takes_back_report(table) else []
    if deciders.is_dealers_turn(table):
        return [*deciders.dealer_remedy_commands(table), *taken_back]
    if table.hold or table.entering.pending:
        return taken_back
    commands = [f"shuffle {number}" for number in shuffling.sets_to_shuffle(table)]
    if table.gate_cards and table.devices["shoe"].trouble():
        return commands  # it is not known whether a card is on its way
    if table.entering.saved or (table.rnd and table.rnd.irregular.edits):
        commands.insert(0, "undo")
    return [*_of_phase(table), *commands]


def _of_phase(table: Table) -> list[str]:
    opens = [] if shuffling.cards_refused(table) else ["open"]
    burns = ["burn"] if burning.may_burn(table) else []
    match table.phase:
        case Phase.CLOSED:
            return [] if opening.DEALER in table.course.checked else ["inspected"]
        case Phase.IDLE:
            return [*opens, *burns]
        case Phase.BETTING:
            closing = [] if rounds.close_refused(table) else ["close"]
            wagers = [f"wager BOX {kind} AMOUNT" for kind in _kinds(table)]
            return [*wagers, *closing, *squeezing.squeeze_commands(table), *burns]
        case Phase.PLAYING:
            assert table.rnd
            if table.rnd.irregular.edits:
                return [] if correcting.refused(table, by_dealer=True) else ["done"]
            squeezes = squeezing.squeeze_commands(table)
            if table.dealing.kept:
                return squeezes
            others = supervisors_options(table.rnd)
            steps = permitted_templates(table.rnd)
            return [*squeezes, *(step for step in steps if step not in others)]
    return ["next", *opens]


def _kinds(table: Table) -> list[str]:
    side_wagers = table.rules.side_wagers.items()
    sides = [kind for kind, rule in side_wagers if not rule.at_button or not unit.trouble(table)]
    return [MAIN, *sides]


def carry_out(table: Table, command: DealerCommand) -> None:
    """Carry out a command; one that is refused changes nothing."""
    edits = correcting.ended_by(table, command)
    with undo.whole(table, _text_of(command)) as before:
        ends_it = bool(edits) and command == Done()
        if ends_it:
            table.dealing.end_correction()
        if edits:
            correcting.judge(table, by_dealer=True)
        can_be_taken_back = not ends_it and _apply(table, command) and not edits
    correcting.count_again(table, edits)
    if can_be_taken_back:
        undo.remember(table, before)
    elif command != UNDO:
        table.entering.forget_saved()
    table.entering.notice = ""
    table.outcome.carried_out.append(str(command))


def _text_of(command: DealerCommand) -> str:
    """The command's text for the message that it was taken back."""
    match command:
        case WagerCommand():
            return f"wager {command.seat} {command.kind}"
        case TableCommand(verb="squeeze"):
            return f"squeeze {command.number}"
        case TableCommand(verb="face-up"):
            return f"squeeze {command.number} 0"
        case TableCommand():
            return command.verb
    return str(command)


def _apply(table: Table, command: DealerCommand) -> bool:
    """Carry out the command; whether its effect can be taken back."""
    match command:
        case WagerCommand():
            rounds.wager(table, command)
        case TableCommand(verb="open"):
            rounds.open_bets(table)
        case TableCommand(verb="close"):
            rounds.close_bets(table)
        case TableCommand(verb="next"):
            rounds.next_round(table)
        case TableCommand(verb="burn"):
            burning.ask(table)
        case TableCommand(verb="squeeze" | "face-up"):
            squeezing.squeeze(table, command.number, granted=command.verb == "squeeze")
        case Step():
            return _step(table, command)
        case _:
            _apply_irreversibly(table, command)
            return False
    return True


def _apply_irreversibly(table: Table, command: TableCommand) -> None:
    """Carry out a command that cannot be taken back."""
    match command.verb:
        case "undo":
            undo.take_back(table)
        case "shuffle":
            shuffling.start(table, command.number)
        case "inspected":
            opening.inspected(table)
        case _:
            assert command.verb == "reveal"
            squeezing.reveal(table, command.number)


def _step(table: Table, step: Step) -> bool:
    """Carry out a step; whether it can be taken back: nothing was paid on it, and it is not a
    remedy. A report can be, while it waits for its remedy."""
    rnd = table.rnd
    later = rnd is not None and not table.mid_round
    if isinstance(step, PutsRight) and (table.mid_round or table.hold or later):
        right = rnd is None or rnd.irregular.irregularity is None
        putting_right.dealer_step(table, step)
        waits = right and irregularities.is_open(table)
        return not table.hold and (
            isinstance(step, Correction) or (isinstance(step, Report) and waits)
        )
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
