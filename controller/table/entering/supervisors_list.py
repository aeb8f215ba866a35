"""What a supervisor may say now."""

from __future__ import annotations

from controller.game.round.irregular.options import supervisors_options
from controller.table.dealing import correcting, deciders, irregularities, laying_aside
from controller.table.dealing.examining import EXCESS_FAULT, FOREIGN_FAULT, UNREAD_FAULT
from controller.table.entering import voiding
from controller.table.holds import conditions
from controller.table.jackpot import without_meter
from controller.table.service import mode
from controller.table.shoe import shuffling
from controller.table.state.holds import Hold
from controller.table.state.table import Table


def supervisor_commands(table: Table) -> list[str]:
    """The supervisor's commands permitted now, with values filled in where only one fits."""
    if table.in_service:
        return [mode.OFF]
    if table.entering.void_asked is not None:
        return voiding.answers(table)
    found: list[str] = []
    hold = table.hold
    if hold and hold.fault == "overdraw":
        return ["discard"]
    if irregularities.is_open(table):
        found += deciders.remedy_commands(table)
    elif hold and hold.cards:
        if hold.fault == UNREAD_FAULT:
            found.append("card CARD")
        elif hold.fault not in (FOREIGN_FAULT, EXCESS_FAULT):
            if table.card_expected:
                found.append("use")
            found.append("discard")
        elif not table.mid_round or laying_aside.may_put_away(table, hold.cards[0]):
            found.append("discard")
    elif any(may_end(table, held) for held in table.holds.standing):
        found.append("resume")
    if table.rnd and table.rnd.irregular.options and not table.hold:
        found += supervisors_options(table.rnd)
    if table.rnd and table.rnd.irregular.edits and not correcting.refused(table, by_dealer=False):
        found.append("done")
    found += without_meter.meter_commands(table)
    if voiding.is_possible(table) and not irregularities.is_open(table):
        found.append("void")
    return found


def commands_about_shoe(table: Table) -> list[str]:
    """What a supervisor may say of cards that are kept out of play, also while the table is held:
    it ends no hold."""
    if table.in_service or table.entering.void_asked is not None:
        return []
    plays_on = ["play-on"] if shuffling.may_play_on(table) else []
    return [*plays_on, *(f"clear-set {number}" for number in sorted(table.shoe.sets.blocked))]


def commands_text(table: Table) -> str:
    """The same as a text, to be told in a refusal."""
    return ", ".join(supervisor_commands(table)) or "nothing"


def may_end(table: Table, held: Hold) -> bool:
    """Whether ``resume`` may end that hold."""
    return not (held.irregular or held.cards or conditions.uncured(table, held))
