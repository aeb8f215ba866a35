"""Irregularities of the round: they hold play, with the clause and the remedies in words, and the
remedies are commands.

The supervisor may give every remedy; the dealer those that the document leaves to the dealer, to a
player, or to the table itself. Both may report what happened.
"""

from __future__ import annotations

from typing import Final

from controller.game.commands.command import Command
from controller.game.commands.slots import BOX, CARDS
from controller.game.commands.values import Option
from controller.game.round import play
from controller.game.round.irregular.cases import case_of, possible_remedies, remedy_steps
from controller.game.round.irregular.replaying import takes_back
from controller.game.round.refusal import Refused
from controller.game.round.remedies import (
    DRAWN,
    TOGETHER,
    ChooseOption,
    Continue,
    Correct,
    Discard,
    PutsRight,
    Report,
    ReportDrawn,
    Void,
    VoidHand,
)
from controller.game.round.state import Irregularity, Round
from controller.game.round.states import State
from controller.game.rules.cases import DECIDERS, REMEDIES, TRIGGERS, Case
from controller.table.dealing import squeezing
from controller.table.state.holds import Hold
from controller.table.state.parts import Phase
from controller.table.state.table import Table

SUPERVISORS: Final = (Void, VoidHand, Correct)
"""Remedies that the dealer may never give."""

RESUME: Final = Command("resume")
SEEN_TOGETHER: Final = Command("report", trigger=TOGETHER, open=(CARDS.name,))
_AT_EMPTY_BOX: Final = Command("report", trigger="empty-box", open=(BOX.name,))


def cards_that_wait(table: Table) -> list[str]:
    """The cards of the open irregularity."""
    found = table.rnd.irregular.irregularity if table.rnd else None
    if found is None:
        return []
    by_card = {loose.card: loose for loose in table.dealing.drawn}
    return [squeezing.card_text(table, by_card[card]) for card in found.cards]


def remedy_commands(table: Table) -> list[Command]:
    """The remedies of the open irregularity, as commands; after a power cut ``resume`` continues
    play."""
    assert table.rnd
    found = table.rnd.irregular.irregularity
    assert found
    steps = remedy_steps(table.rnd)
    if found.trigger == "power":
        return [RESUME if isinstance(step, Continue) else step.command for step in steps]
    return [*(step.command for step in steps), *_reports(found)]


def _reports(found: Irregularity) -> list[Command]:
    if found.trigger == TOGETHER and len(found.seen) < len(found.cards):
        return [SEEN_TOGETHER]
    if found.trigger == DRAWN:
        return [*([] if found.seen else [ReportDrawn(seen=True).command]), _AT_EMPTY_BOX]
    return []


def dealer_remedy_commands(table: Table) -> list[Command]:
    """The remedies that the dealer may give."""
    if table.hold and table.hold.fault == "overdraw":
        return [Discard().command]
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


def _takes_back(rnd: Round, step: PutsRight) -> bool:
    """Whether the remedy takes back what was settled on cards that were not dealt: then it is the
    supervisor's, like every correction that does."""
    if not rnd.settlements:
        return False
    try:
        return takes_back(rnd, play.take_step(rnd, step))
    except Refused:
        return False


def dealer_may_give(case: Case, step: PutsRight) -> bool:
    """Whether the dealer may give that remedy of a case."""
    if isinstance(step, SUPERVISORS):
        return False
    refuses = isinstance(step, ChooseOption) and step.option is Option.REFUSE
    return case.by != "supervisor" or refuses


def is_dealers_turn(table: Table) -> bool:
    """Whether the table is held only for something that the dealer may correct."""
    standing = table.holds.standing
    return len(standing) == 1 and standing[0].by_dealer and table.entering.pending is None


FAULT_OF: Final = {
    "face-up": "card-face-up",
    "together": "cards-together",
    "foreign": "card-foreign",
    "count": "card-excess",
    "drawn": "card-locked",
    "power": "power-failure",
}
"""Fault codes of the triggers whose code is not their name."""


def noticed(table: Table, trigger: str) -> None:
    """Open an irregularity that nobody reports. A round that is over, which a correction judged
    just before may have brought about, has none; nor has one a second."""
    rnd = table.rnd
    if rnd is not None and not rnd.is_over and rnd.irregular.irregularity is None:
        table.dealing.rnd = play.take_step(rnd, Report(trigger))


def is_open(table: Table) -> bool:
    """Whether the round has an irregularity that waits for its remedy, until it is cleared
    (A-74)."""
    rnd = table.rnd
    if rnd is None or rnd.irregular.irregularity is None:
        return False
    return rnd.state != State.VOID and (table.mid_round or table.phase is Phase.ENDED)


def hold_for_it(table: Table, held: Hold | None, reason: str = "") -> Hold:
    """Hold the table for the open irregularity, or update the hold that there is."""
    assert table.rnd
    found = table.rnd.irregular.irregularity
    assert found
    case = case_of(table.rnd, found)
    if found.trigger == "power":
        reason = f"the box was started anew in the middle of round {table.round_number}"
    if not reason:
        where = f", box {found.box}" if found.box else ""
        cards = f": {' '.join(cards_that_wait(table))}" if found.cards else ""
        reason = f"{TRIGGERS[found.trigger]}{where}{cards}"
    remedies = possible_remedies(table.rnd, found, case)
    if not remedies:
        remedies = ["continue"]
    what = " or ".join(REMEDIES[remedy] for remedy in remedies)
    who = DECIDERS["dealer" if case.by == "table" else case.by]  # the dealer reports what happened
    said = f"{reason} ({case.clause}): {what}; {who} decides"
    fault = FAULT_OF.get(found.trigger, found.trigger)
    if held is not None:
        held.leave_to_dealer(may=bool(dealer_remedy_commands(table)))
        if held.fault != fault or f"({case.clause})" not in held.reason:
            held.replace_reason(fault, said)
        return held
    table.note(said)
    behind = table.holds.take_cards() if table.holds.cards else []
    new = Hold(fault, said, behind, irregular=True, by_dealer=bool(dealer_remedy_commands(table)))
    table.holds.put_first(new)
    table.entering.keypad.hush()
    return new
