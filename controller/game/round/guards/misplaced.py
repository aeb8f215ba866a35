"""The refusal of a step that is out of place in this state: the clause that forbids it, and why."""

from __future__ import annotations

from typing import Final

from controller.game.round.seats import over_because
from controller.game.round.state import Round
from controller.game.round.steps.decisions import Surrender
from controller.game.round.steps.jackpot import Nominate, Press
from controller.game.round.steps.step import AtBox, Step
from controller.game.round.steps.wagers import Follow, Insure, Keep, Place, Withdraw
from controller.game.rules.cards import RANKS


def out_of_place(rnd: Round, step: Step) -> str:
    """The clause that forbids a step which does not belong to the state: the clause that says when
    it is offered, where the document has one; else the clause that governs the state."""
    rules = rnd.rules
    match step:
        case Insure() if rules.insurance:
            opens = rnd.dealer and RANKS[rnd.dealer[0].rank - 1] in (
                rules.insurance.dealer_first.value
            )
            return (rules.insurance.until if opens else rules.insurance.dealer_first).clause
        case Surrender():
            box = rnd.boxes.get(step.seat.box)
            after_split = box is not None and len(box.hands) > 1
            rule = rules.surrender.after_split if after_split else rules.surrender.dealer_first
            return rule.clause
        case Withdraw() | Keep() if rules.double:
            return rules.double.withdraw_below.clause
        case Follow() | Place():
            return rules.split.others.clause
        case Press() | Nominate() if rules.pandemonium:
            return rules.pandemonium.order.clause
    return (over_because(rnd, step.seat.box) if isinstance(step, AtBox) else "") or rnd.clause


PLACES: Final = {
    "deal": "DEAL FIRST",
    "jackpot": "BUTTON FIRST",
    "offers": "OFFERS FIRST",
    "play": "HAND FIRST",
    "dealer": "DEALER'S CARDS",
}
"""What comes first, by the family of the state."""
MISSED: Final[dict[type[Step], str]] = {
    Press: "NO BUTTON NOW",
    Nominate: "NO BUTTON NOW",
    Withdraw: "NOTHING DOUBLED",
    Keep: "NOTHING DOUBLED",
    Follow: "NOTHING SPLIT",
}
"""Why it is too early or too late for a step."""


def short_out_of_place(rnd: Round, step: Step) -> str:
    """Why a step does not belong to the state, for a keypad's row: its time is over, or what comes
    first."""
    family, _, _ = rnd.state.partition(".")
    if isinstance(step, Insure | Surrender) and family in ("play", "dealer"):
        return "OFFERS ARE OVER"
    return MISSED.get(type(step)) or PLACES.get(family, "ROUND IS OVER")
