"""What the dealer may say now, and what it does: entries of the live table.

Entries between rounds are in :mod:`~.betting` and the files of the shoe; a step of a round is tried
on a copy, which takes the round's place when nothing refuses it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from controller.round.permitted import permitted as permitted_in_round
from controller.round.refusal import Refused
from controller.round.steps.irregular import FORMS
from controller.round.steps.step import Step
from controller.table.betting import opening, rounds
from controller.table.dealing import deciders, putting_right, squeezing
from controller.table.entering import undo
from controller.table.entering.entries import Entry, TableEntry, WagerEntry
from controller.table.shoe import burning, shuffling

if TYPE_CHECKING:
    from controller.table.table import Table


def permitted(table: Table) -> list[str]:
    """The dealer's commands that may be given now, as templates."""
    if deciders.is_dealers_turn(table):
        return deciders.dealers(table)
    if table.hold or table.pending:
        return []
    commands = _shuffles(table)
    if table.gate_cards and table.devices["shoe"].trouble():
        return commands  # whether a card is on its way is not known
    if table.saved:
        commands.insert(0, "undo")
    return [*_of_phase(table), *commands]


def _of_phase(table: Table) -> list[str]:
    match table.phase:
        case "closed":
            return [] if opening.DEALER in table.checked else ["inspected"]
        case "idle":
            return [*_opening(table), *_burn(table)]
        case "betting":
            closing = [] if rounds.close_refused(table) else ["close"]
            wagers = [f"wager BOX {kind} AMOUNT" for kind in _kinds(table)]
            return [*wagers, *closing, *squeezing.permitted(table), *_burn(table)]
        case "playing":
            assert table.rnd
            squeezes = squeezing.permitted(table)
            return squeezes if table.kept else [*squeezes, *permitted_in_round(table.rnd)]
    return ["next", *_opening(table)]


def _opening(table: Table) -> list[str]:
    return [] if opening.refused(table) else ["open"]


def _burn(table: Table) -> list[str]:
    return ["burn"] if burning.may_burn(table) else []


def _kinds(table: Table) -> list[str]:
    side_kinds = table.rules.betting.side_wagers.value
    return [
        kind
        for kind in ("main", *side_kinds)
        if kind != "pandemonium" or not rounds.jackpot_trouble(table)
    ]


def _shuffles(table: Table) -> list[str]:
    return [f"shuffle {number}" for number in shuffling.permitted(table)]


def enter(table: Table, entry: Entry) -> None:
    """Carry out an entry, or refuse it and change nothing."""
    match entry:
        case WagerEntry():
            rounds.wager(table, entry)
        case TableEntry(verb="open"):
            rounds.open_bets(table)
        case TableEntry(verb="close"):
            rounds.close_bets(table)
        case TableEntry(verb="next"):
            rounds.next_round(table)
        case TableEntry(verb="undo"):
            undo.take_back(table)
        case TableEntry(verb="shuffle"):
            shuffling.start(table, entry.number)
        case TableEntry(verb="burn"):
            burning.ask(table)
        case TableEntry(verb="inspected"):
            opening.inspected(table)
        case TableEntry(verb="squeeze" | "face-up"):
            squeezing.squeeze(table, entry.number, granted=entry.verb == "squeeze")
        case TableEntry(verb="reveal"):
            squeezing.reveal(table, entry.number)
        case Step():
            _step(table, entry)
    table.notice = ""


def _not_now(table: Table) -> str:
    first = {"idle": "OPEN BETS: O", "betting": "CLOSE BETS: N", "closed": "TABLE IS CLOSED"}
    return first.get(table.phase, "ROUND IS OVER")


def _step(table: Table, step: Step) -> None:
    if step.verb in FORMS and (table.mid_round or table.hold):
        putting_right.dealer_step(table, step)
        return
    if not table.mid_round or table.rnd is None:
        raise Refused(f"{step} is not permitted now ({table.state})", table.clause, _not_now(table))
    if refused := squeezing.refused(table):
        raise refused
    trial = putting_right.decide(table, table.rnd, step)
    paid = len(trial.settlements) > len(table.rnd.settlements)
    said_paid = table.rnd.state == "jackpot.paying"
    table.save(str(step))
    if paid or said_paid:
        table.saved = None
    table.rnd = trial
