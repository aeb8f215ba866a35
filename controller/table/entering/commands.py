"""The dealer's entries at the live table: what is permitted now, and what each does.

Entries between rounds are in :mod:`controller.table.betting` and the files of the shoe; a step of a
round gives a new round, which replaces the old one unless the step is refused. The effect of an
entry can be taken back (:mod:`~.undo`) until something follows that cannot.
"""

from __future__ import annotations

from controller.round.permitted import permitted as permitted_in_round
from controller.round.steps.irregular import FORMS
from controller.round.steps.step import Step
from controller.round.wagers import MAIN
from controller.table import sequence
from controller.table.betting import opening, rounds
from controller.table.dealing import deciders, putting_right, squeezing
from controller.table.entering import undo
from controller.table.entries import Entry, TableEntry, WagerEntry
from controller.table.jackpot import unit
from controller.table.shoe import burning, readiness, shuffling
from controller.table.state.course import Phase
from controller.table.state.table import Table


def permitted(table: Table) -> list[str]:
    """The dealer's commands that are permitted now, as templates."""
    if deciders.is_dealers_turn(table):
        return deciders.dealer_remedy_commands(table)
    if table.hold or table.entering.pending:
        return []
    commands = [f"shuffle {number}" for number in shuffling.permitted(table)]
    if table.gate_cards and table.devices["shoe"].trouble():
        return commands  # it is not known whether a card is on its way
    if table.entering.saved:
        commands.insert(0, "undo")
    return [*_of_phase(table), *commands]


def _of_phase(table: Table) -> list[str]:
    opens = [] if readiness.refused(table) else ["open"]
    burns = ["burn"] if burning.may_burn(table) else []
    match table.phase:
        case Phase.CLOSED:
            return [] if opening.DEALER in table.course.checked else ["inspected"]
        case Phase.IDLE:
            return [*opens, *burns]
        case Phase.BETTING:
            closing = [] if rounds.close_refused(table) else ["close"]
            wagers = [f"wager BOX {kind} AMOUNT" for kind in _kinds(table)]
            return [*wagers, *closing, *squeezing.permitted(table), *burns]
        case Phase.PLAYING:
            assert table.rnd
            squeezes = squeezing.permitted(table)
            return squeezes if table.dealing.kept else [*squeezes, *permitted_in_round(table.rnd)]
        case Phase.ENDED:
            return ["next", *opens]


def _kinds(table: Table) -> list[str]:
    side_wagers = table.rules.side_wagers.items()
    sides = [kind for kind, rule in side_wagers if not rule.at_button or not unit.trouble(table)]
    return [MAIN, *sides]


def enter(table: Table, entry: Entry) -> None:
    """Carry out an entry; one that is refused changes nothing."""
    before = undo.save(table, _said(entry))
    table.entering.saved = before if _carry_out(table, entry) else None
    table.entering.notice = ""


def _said(entry: Entry) -> str:
    """The entry's text for the message that it was taken back."""
    match entry:
        case WagerEntry():
            return f"wager {entry.seat} {entry.kind}"
        case TableEntry(verb="squeeze"):
            return f"squeeze {entry.number}"
        case TableEntry(verb="face-up"):
            return f"squeeze {entry.number} 0"
        case TableEntry():
            return entry.verb
    return str(entry)


def _carry_out(table: Table, entry: Entry) -> bool:
    """Carry out the entry; whether its effect can be taken back."""
    match entry:
        case WagerEntry():
            rounds.wager(table, entry)
        case TableEntry(verb="open"):
            rounds.open_bets(table)
        case TableEntry(verb="close"):
            rounds.close_bets(table)
        case TableEntry(verb="next"):
            rounds.next_round(table)
        case TableEntry(verb="burn"):
            burning.ask(table)
        case TableEntry(verb="squeeze" | "face-up"):
            squeezing.squeeze(table, entry.number, granted=entry.verb == "squeeze")
        case Step():
            return _step(table, entry)
        case _:
            _for_good(table, entry)
            return False
    return True


def _for_good(table: Table, entry: TableEntry) -> None:
    """Carry out an entry that cannot be taken back."""
    match entry.verb:
        case "undo":
            undo.take_back(table)
        case "shuffle":
            shuffling.start(table, entry.number)
        case "inspected":
            opening.inspected(table)
        case "reveal":
            squeezing.reveal(table, entry.number)


def _step(table: Table, step: Step) -> bool:
    """Carry out a step; whether it can be taken back: nothing was paid on it, and it is not a
    remedy."""
    if step.verb in FORMS and (table.mid_round or table.hold):
        putting_right.dealer_step(table, step)
        return False
    sequence.check(table, "step", step)
    if refused := squeezing.refused(table):
        raise refused
    rnd = table.rnd
    assert rnd
    after = putting_right.decide(table, rnd, step)
    table.dealing.update(after)
    paid = len(after.settlements) > len(rnd.settlements)
    return not paid and rnd.state != "jackpot.paying"
