"""The refusal of a step that is out of place in this state: the clause that forbids it, and why."""

from __future__ import annotations

from typing import Final

from controller.game.round import steps
from controller.game.round.seats import over_because
from controller.game.round.state import Round
from controller.game.rules.cards import RANKS


def out_of_place(rnd: Round, step: steps.Step) -> str:
    """The clause that forbids a step which does not belong to the state: the clause that says when
    it is offered, where the document has one; else the clause that governs the state."""
    rules = rnd.rules
    match step:
        case steps.Insure() if rules.insurance:
            opens = rnd.dealer and RANKS[rnd.dealer[0].rank - 1] in (
                rules.insurance.dealer_first.value
            )
            return (rules.insurance.until if opens else rules.insurance.dealer_first).clause
        case steps.Surrender():
            box = rnd.boxes.get(step.seat.box)
            after_split = box is not None and len(box.hands) > 1
            rule = rules.surrender.after_split if after_split else rules.surrender.dealer_first
            return rule.clause
        case steps.Withdraw() | steps.Keep() if rules.double:
            return rules.double.withdraw_below.clause
        case steps.Follow() | steps.Place():
            return rules.split.others.clause
        case steps.Press() | steps.Nominate() if rules.pandemonium:
            return rules.pandemonium.order.clause
    return (over_because(rnd, step.seat.box) if isinstance(step, steps.AtBox) else "") or rnd.clause


PLACES: Final = {
    "deal": "DEAL FIRST",
    "jackpot": "BUTTON FIRST",
    "offers": "OFFERS FIRST",
    "play": "HAND FIRST",
    "dealer": "DEALER'S CARDS",
}
"""What comes first, by the family of the state."""
MISSED: Final[dict[type[steps.Step], str]] = {
    steps.Press: "NO BUTTON NOW",
    steps.Nominate: "NO BUTTON NOW",
    steps.Withdraw: "NOTHING DOUBLED",
    steps.Keep: "NOTHING DOUBLED",
    steps.Follow: "NOTHING SPLIT",
}
"""Why it is too early or too late for a step."""


def short_out_of_place(rnd: Round, step: steps.Step) -> str:
    """Why a step does not belong to the state, for a keypad's row: its time is over, or what comes
    first."""
    family, _, _ = rnd.state.partition(".")
    if isinstance(step, steps.Insure | steps.Surrender) and family in ("play", "dealer"):
        return "OFFERS ARE OVER"
    return MISSED.get(type(step)) or PLACES.get(family, "ROUND IS OVER")
