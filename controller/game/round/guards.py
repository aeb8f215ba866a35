"""Guards of the players' decisions: one function for each step, which names the clause that forbids
it; and what is said of a step that is out of place in the round's state.

A guard looks at the round and the step and raises :class:`Refused` or returns; it changes nothing.
Before that, :func:`controller.game.round.draft.check` has checked that the step belongs to the
round's state. Guards of amounts are in :mod:`~.amounts`, those of offers in :mod:`~.offers`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from controller.game.round import hands, steps
from controller.game.round.amounts import check_buy, check_double, check_free
from controller.game.round.offers import check_insure, check_surrender
from controller.game.round.refusal import Refused, refusal_of
from controller.game.round.state import Round
from controller.game.round.steps import Step
from controller.game.rules.cards import RANKS, same_rank, same_value


def check_hit(rnd: Round, step: steps.Hit | steps.Absent) -> None:
    """Check ``hit``: below 21, not on a doubled hand or a split ace (those take no decision at
    all); and ``absent``: the bettor who decides for the box in turn is not there."""
    hands.decided_by(rnd, step.seat)


def check_stand(rnd: Round, step: steps.Stand) -> None:
    """Check ``stand``: from the document's least total."""
    hand = hands.decided_by(rnd, step.seat)
    least = rnd.rules.stand.minimum
    if hand.total < least.value:
        raise Refused(
            f"box {hand.box} has {hand.total} and must draw to at least {least.value}",
            least.clause,
            short=f"{hand.total}, NEEDS {least.value}",
            code="must-draw",
        )


def check_split(rnd: Round, step: steps.Split) -> None:
    """Check ``split``: two cards of equal value or rank, within the number of hands; aces once."""
    hand = hands.decided_by(rnd, step.seat)
    rule = rnd.rules.split
    equal = same_value if rule.match.value == "value" else same_rank
    if len(hand.cards) != 2 or not equal(hand.cards):
        raise Refused(
            f"box {hand.box} has not two cards of equal {rule.match.value} to split",
            rule.match.clause,
            short=f"NOT EQUAL {rule.match.value.upper()}",
            code="not-equal",
        )
    if len(rnd.boxes[hand.box].hands) >= rule.hands_max.value:
        raise Refused(
            f"box {hand.box} already has {rule.hands_max.value} hands",
            rule.hands_max.clause,
            short=f"{rule.hands_max.value} HANDS IS MOST",
            code="most-hands",
        )
    hands.own_bet(rnd, hand, "split")


def check_follow(rnd: Round, step: steps.Follow | steps.Place) -> None:
    """Check ``follow``: a standing bettor adds a wager to the hand just formed by a split."""
    others = rnd.rules.split.others
    if others.value == "nobody_else":
        raise Refused("nobody else may add to a split", others.clause, short="NOT PLAYED HERE")
    box = hands.box_of(rnd, step.seat)
    bettor = step.seat.bettor or hands.controller_of(rnd, box)
    hands.check_present(rnd, box, bettor)
    if rnd.turn is None or rnd.turn[0] != box.number or bettor not in rnd.may_follow:
        raise Refused(
            f"{step.seat} has no wager on the hand just split, or has added to it already",
            rnd.rules.split.others.clause,
            short="MAY NOT ADD",
        )


def check_place(rnd: Round, step: steps.Place) -> None:
    """Check ``place``: a standing bettor chooses one of the hands just formed for one wager."""
    check_follow(rnd, step)
    hand = rnd.turn_hand
    formed = (hand.number, max(other.number for other in rnd.boxes[hand.box].hands))
    if step.hand not in formed:
        raise Refused(
            f"hand {step.hand} of box {hand.box} is none of the two just formed: expected "
            f"{formed[0]} or {formed[1]}",
            rnd.rules.split.others.clause,
            short=f"HAND {formed[0]} OR {formed[1]}",
            code="which-of-two",
        )


def check_withdraw(rnd: Round, step: steps.Withdraw | steps.Keep) -> None:
    """Check ``withdraw`` and ``keep`` of the doubled part: every bettor who doubled, once."""
    assert rnd.rules.double
    if not hands.bet_in_turn(rnd, step.seat, "doubled").may_withdraw:
        raise Refused(
            f"{step.seat} has no doubled part to withdraw or keep",
            rnd.rules.double.withdraw_below.clause,
            short="NOTHING DOUBLED",
        )


def check_nominate(rnd: Round, step: steps.Nominate) -> None:
    """Check ``nominate``: one who wins nothing at the button in this round presses instead."""
    rule, kind = rnd.rules.pandemonium, rnd.rules.button_wager
    assert rule
    assert kind
    check_press(rnd, step)
    if step.by is None:
        return
    box = hands.box_of(rnd, step.by)
    bettor = step.by.bettor or "a"
    if bettor not in box.bettors:
        raise Refused(f"{step.by} is not in the round", rule.nominee.clause, short="NO SUCH BETTOR")
    # A wager that was given back after an irregularity wins nothing.
    if box.hands[0].is_pontoon and bettor in box.side(kind):
        raise Refused(
            f"{step.by} has a winning {rnd.rules.side_wagers[kind].name} wager",
            rule.nominee.clause,
            short="HE WINS TOO",
        )


def check_press(rnd: Round, step: steps.Press | steps.Nominate) -> None:
    """Check ``press``: by the box that has the button."""
    hands.box_of(rnd, step.seat)
    assert rnd.rules.pandemonium
    if step.seat.box != rnd.armed:
        raise Refused(
            f"the button is offered to box {rnd.armed}, not box {step.seat.box}",
            rnd.rules.pandemonium.order.clause,
            short=f"BUTTON: BOX {rnd.armed}",
            code="another-box-has-it",
        )


CHECKS: Final[dict[type[steps.Step], Callable[[Round, Any], None]]] = {
    steps.Hit: check_hit,
    steps.Stand: check_stand,
    steps.Split: check_split,
    steps.Double: check_double,
    steps.Follow: check_follow,
    steps.Place: check_place,
    steps.Free: check_free,
    steps.Buy: check_buy,
    steps.Absent: check_hit,
    steps.Withdraw: check_withdraw,
    steps.Keep: check_withdraw,
    steps.Surrender: check_surrender,
    steps.Insure: check_insure,
    steps.Nominate: check_nominate,
    steps.Press: check_press,
    steps.Done: lambda *_: None,  # its state alone permits it
}
"""The guard of every step that these rounds know."""


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
    return (
        hands.over_because(rnd, step.seat.box) if isinstance(step, steps.AtBox) else ""
    ) or rnd.clause


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
    """Why a step does not belong to the state, for a keypad: it is over, or what comes first."""
    family, _, _ = rnd.state.partition(".")
    if isinstance(step, steps.Insure | steps.Surrender) and family in ("play", "dealer"):
        return "OFFERS ARE OVER"
    return MISSED.get(type(step)) or PLACES.get(family, "ROUND IS OVER")


def may(rnd: Round, step: Step) -> bool:
    """Whether the guard of ``step`` permits it."""
    return refusal_of(CHECKS[type(step)], rnd, step) is None
