"""Holds play for an irregularity of the round, with the clause and the remedies in words."""

from __future__ import annotations

from typing import Final

from controller.game.round import play
from controller.game.round.irregular.cases import case_of, possible_remedies
from controller.game.round.remedies import Report
from controller.game.round.states import State
from controller.game.rules.cases import DECIDERS, REMEDIES, TRIGGERS
from controller.table.dealing.deciders import cards_that_wait, dealer_remedy_commands
from controller.table.state.course import Phase
from controller.table.state.holds import Hold
from controller.table.state.loose import LooseCard
from controller.table.state.table import Table

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


def hold_behind(table: Table, cards: list[LooseCard], reason: str) -> None:
    """Hold the table for the irregularity, with the reason in the table's words; the cards that
    left the shoe after it wait."""
    hold_for_it(table, None, reason).replace_cards(cards)


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
