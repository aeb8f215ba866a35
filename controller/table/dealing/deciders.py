"""Who may correct an irregularity, and how: the remedies as commands.

The supervisor may give every remedy; the dealer those that the document leaves to the dealer, to a
player, or to the table itself. Both may report what happened.
"""

from __future__ import annotations

from typing import Final

from controller.game.commands.command import Command
from controller.game.commands.slots import BOX, CARDS
from controller.game.commands.values import Option
from controller.game.commands.verbs import Family
from controller.game.round import play, remedies
from controller.game.round.irregular.cases import case_of, remedy_steps
from controller.game.round.irregular.replaying import takes_back
from controller.game.round.refusal import Refused
from controller.game.round.state import Irregularity, Round
from controller.game.rules.schema import Case
from controller.table.dealing import face_down
from controller.table.state.table import Table

SUPERVISORS: Final = (remedies.Void, remedies.VoidHand, remedies.Correct)
"""Remedies that the dealer may never give."""

RESUME: Final = Command("resume")
SEEN_TOGETHER: Final = Command("report", trigger=remedies.TOGETHER, open=(CARDS.name,))
_AT_EMPTY_BOX: Final = Command("report", trigger="empty-box", open=(BOX.name,))


def cards_that_wait(table: Table) -> list[str]:
    """The cards of the open irregularity."""
    found = table.rnd.irregular.irregularity if table.rnd else None
    if found is None:
        return []
    by_card = {loose.card: loose for loose in table.dealing.drawn}
    return [face_down.card_text(table, by_card[card]) for card in found.cards]


def remedy_commands(table: Table) -> list[Command]:
    """The remedies of the open irregularity, as commands; after a power cut ``resume`` continues
    play."""
    assert table.rnd
    found = table.rnd.irregular.irregularity
    assert found
    steps = remedy_steps(table.rnd)
    if found.trigger == "power":
        return [RESUME if isinstance(step, remedies.Continue) else step.command for step in steps]
    return [*(step.command for step in steps), *_reports(found)]


def _reports(found: Irregularity) -> list[Command]:
    """What may still be reported about the irregularity."""
    if found.trigger == remedies.TOGETHER and len(found.seen) < len(found.cards):
        return [SEEN_TOGETHER]
    if found.trigger == remedies.DRAWN:
        return [*([] if found.seen else [remedies.ReportDrawn(seen=True).command]), _AT_EMPTY_BOX]
    return []


def dealer_remedy_commands(table: Table) -> list[Command]:
    """The remedies that the dealer may give."""
    if table.hold and table.hold.fault == "overdraw":
        return [remedies.Discard().command]
    assert table.rnd
    found = table.rnd.irregular.irregularity
    assert found
    case = case_of(table.rnd, found)
    steps = [
        step
        for step in remedy_steps(table.rnd)
        if dealer_may_give(case, step) and not _takes_back(table.rnd, step)
    ]
    return [*(step.command for step in steps), *_reports(found)] if steps else []


def _takes_back(rnd: Round, step: remedies.PutsRight) -> bool:
    """Whether the remedy takes back what was settled on cards that were not dealt: then it is the
    supervisor's, like every correction that does."""
    if not rnd.settlements:
        return False
    try:
        return takes_back(rnd, play.take_step(rnd, step))
    except Refused:
        return False


def dealer_may_give(case: Case, step: remedies.PutsRight) -> bool:
    """Whether the dealer may give that remedy of a case."""
    if isinstance(step, SUPERVISORS):
        return False
    refuses = isinstance(step, remedies.ChooseOption) and step.option is Option.REFUSE
    return case.by != "supervisor" or refuses


def is_dealers_turn(table: Table) -> bool:
    """Whether the table is held only for something that the dealer may correct."""
    return (
        len(table.holds.standing) == 1
        and table.holds.standing[0].by_dealer
        and table.entering.pending is None
    )


def dealer_may_enter(table: Table, command: Command) -> bool:
    """Whether the dealer may make that command although the table is held."""
    return is_dealers_turn(table) and command.row.part is Family.WRONG
