"""Whether a step may be taken: one function for each, with the clause that forbids it.

A guard looks at the round and the step and raises :class:`Refused` or returns; it changes nothing.
That the step belongs to the round's state is checked before (:meth:`Round.step`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from controller.rules.cards import RANKS
from controller.rules.hands import same_value
from controller.table.model import BETTORS, Bet, Box, Hand, Refused
from controller.table.money import Stake, brief_amount, write_amount
from controller.table.steps import Seat, Step

if TYPE_CHECKING:
    from controller.table.round_state import RoundState


def box_of(rnd: RoundState, seat: Seat) -> Box:
    """The box of ``seat``, which must be in the round."""
    box = rnd.boxes.get(seat.box)
    if box is None:
        raise Refused(f"box {seat.box} is not in the round", short=f"NO BOX {seat.box} IN PLAY")
    if seat.bettor is not None and seat.bettor not in box.bettors:
        raise Refused(
            f"{seat} is not in the round: there is no such bettor on box {seat.box}",
            short="NO SUCH BETTOR",
        )
    return box


def controller_of(rnd: RoundState, box: Box) -> str:
    """Who decides for the box: the seated bettor; without one (or when he has surrendered), as
    the document says. Surrendered bettors decide nothing."""
    hand = box.hands[0]
    standing = [b for b in BETTORS if b in box.main and not hand.bets[b].surrendered]
    if not standing:
        return next(b for b in BETTORS if b in box.main)
    if "a" in box.main or rnd.rules.betting.control.value == "nearest_dealer":
        return standing[0]
    return max(standing, key=lambda bettor: box.main[bettor] or 0)


def _hand_in_turn(rnd: RoundState, seat: Seat) -> Hand:
    """The hand in turn, which must be of that box and the seat in control of it."""
    box = box_of(rnd, seat)
    hand = rnd.hand_in_turn
    if hand is None or hand.box != seat.box:
        whose = f"box {hand.box} is in turn" if hand else "no player's hand is in turn"
        raise Refused(
            f"box {seat.box} is not in turn: {whose}",
            rnd.rules.deal.play_order.clause,
            short=f"BOX {hand.box}'S TURN" if hand else "NO HAND IN TURN",
        )
    control = controller_of(rnd, box)
    if seat.bettor not in (None, control):
        raise Refused(
            f"{seat} does not decide for box {seat.box}: {seat.box}{control} does",
            rnd.rules.betting.control.clause,
            short="NOT HIS DECISION",
        )
    return hand


def check_hit(rnd: RoundState, step: Step) -> None:
    """Hit: below 21, not on a doubled hand or a split ace (those take no decision at all)."""
    assert step.seat
    _hand_in_turn(rnd, step.seat)


def check_stand(rnd: RoundState, step: Step) -> None:
    """Stand: from the document's least total."""
    assert step.seat
    hand = _hand_in_turn(rnd, step.seat)
    least = rnd.rules.stand.minimum
    if hand.total < least.value:
        raise Refused(
            f"box {hand.box} has {hand.total} and must draw to at least {least.value}",
            least.clause,
            short=f"{hand.total}, NEEDS {least.value}",
        )


def check_split(rnd: RoundState, step: Step) -> None:
    """Split: two cards of equal value, within the number of hands; aces once."""
    assert step.seat
    hand = _hand_in_turn(rnd, step.seat)
    rule = rnd.rules.split
    if len(hand.cards) != 2 or not same_value(hand.cards):
        raise Refused(
            f"box {hand.box} has not two cards of equal value to split",
            rule.match.clause,
            short="NOT EQUAL VALUE",
        )
    if len(rnd.boxes[hand.box].hands) >= rule.hands_max.value:
        raise Refused(
            f"box {hand.box} already has {rule.hands_max.value} hands",
            rule.hands_max.clause,
            short=f"{rule.hands_max.value} HANDS IS MOST",
        )


def check_double(rnd: RoundState, step: Step) -> None:
    """Double down by who controls the box; or, before the card, by a standing bettor."""
    assert step.seat
    if rnd.state == "play.double_card":
        bet = _co_bet(rnd, step.seat, "doubled")
        hand = rnd.hand_in_turn
        assert hand
        if bet.doubled:
            raise Refused(
                f"{step.seat} has already doubled",
                rnd.rules.double.others.clause,
                short="DOUBLED ALREADY",
            )
    else:
        box = box_of(rnd, step.seat)
        control = controller_of(rnd, box)
        if rnd.turn and rnd.turn[0] == box.number and step.seat.bettor not in (None, control):
            raise Refused(
                f"{step.seat} may double only after {box.number}{control}, who decides",
                rnd.rules.double.others.clause,
                short="AFTER THE SEATED",
            )
        hand = _hand_in_turn(rnd, step.seat)
        bet = hand.bets[control]
        if len(hand.cards) != 2:
            raise Refused(
                f"box {hand.box} has {len(hand.cards)} cards: only the first two may be doubled",
                rnd.rules.double.cards.clause,
                short="ONLY ON 2 CARDS",
            )
    _check_double_amount(rnd, bet, step)


def _check_double_amount(rnd: RoundState, bet: Bet, step: Step) -> None:
    rule = rnd.rules.double
    if step.amount is None or bet.stake is None:
        return
    least = rnd.limits.min if rule.minimum.value == "table_minimum" else rnd.limits.increment
    if step.amount < least:
        raise Refused(
            f"double of {write_amount(step.amount)}: at least {write_amount(least)}",
            rule.minimum.clause,
            short=f"LEAST {brief_amount(least)}",
        )
    if step.amount > bet.stake:
        raise Refused(
            f"double of {write_amount(step.amount)}: at most the original wager of "
            f"{write_amount(bet.stake)}",
            rule.maximum.clause,
            short=f"MOST {brief_amount(bet.stake)}",
        )


def _co_bet(rnd: RoundState, seat: Seat, what: str) -> Bet:
    """The wager on the hand in turn of a standing bettor, who must be named."""
    box = box_of(rnd, seat)
    hand = rnd.hand_in_turn
    if hand is None or hand.box != seat.box:
        raise Refused(
            f"box {seat.box} is not the one being {what}",
            rnd.rules.deal.play_order.clause,
            short="NOT THAT BOX",
        )
    bettor = seat.bettor or controller_of(rnd, box)
    bet = hand.bets.get(bettor)
    if bet is None or not bet.open or bet.surrendered:
        raise Refused(f"{seat} has no wager on the hand being {what}", short="NO WAGER HERE")
    return bet


def check_follow(rnd: RoundState, step: Step) -> None:
    """A standing bettor adds a wager to the hand just formed by a split."""
    assert step.seat
    box = box_of(rnd, step.seat)
    bettor = step.seat.bettor or controller_of(rnd, box)
    if rnd.turn is None or rnd.turn[0] != box.number or bettor not in rnd.may_follow:
        raise Refused(
            f"{step.seat} has no wager on the hand just split, or has added to it already",
            rnd.rules.split.others.clause,
            short="MAY NOT ADD",
        )


def check_withdraw(rnd: RoundState, step: Step) -> None:
    """Withdraw (or keep) the doubled part: each who doubled, once."""
    assert step.seat
    if not _co_bet(rnd, step.seat, "doubled").may_withdraw:
        raise Refused(
            f"{step.seat} has no doubled part to withdraw or keep",
            rnd.rules.double.withdraw_below.clause,
            short="NOTHING DOUBLED",
        )


def _own_bet(rnd: RoundState, seat: Seat, what: str) -> Bet:
    """The main wager of ``seat`` (bettor a where no letter stands) on the hand as dealt."""
    box = box_of(rnd, seat)
    bet = box.hands[0].bets.get(seat.bettor or "a")
    if bet is None:
        raise Refused(
            f"{seat.box}{seat.bettor or 'a'} has no main wager to {what}", short="NO MAIN WAGER"
        )
    return bet


def check_surrender(rnd: RoundState, step: Step) -> None:
    """Surrender: against the document's dealer cards, not on a paid hand, not twice."""
    assert step.seat
    rule = rnd.rules.surrender
    bet = _own_bet(rnd, step.seat, "surrender")
    if RANKS[rnd.dealer[0].rank - 1] not in rule.dealer_first.value:
        raise Refused(
            f"surrender is not offered against the dealer's {rnd.dealer[0]}",
            rule.dealer_first.clause,
            short=f"DEALER HAS {rnd.dealer[0]}",
        )
    if not bet.open:
        raise Refused(
            f"box {step.seat.box} has a Pontoon and is paid",
            rnd.rules.pontoon.paid.clause,
            short="PAID ALREADY",
        )
    if bet.surrendered:
        raise Refused(
            f"{step.seat} has already surrendered", rule.scope.clause, short="ALREADY GIVEN UP"
        )
    if rule.scope.value == "box":
        control = controller_of(rnd, rnd.boxes[step.seat.box])
        if (step.seat.bettor or "a") != control:
            raise Refused(
                f"{step.seat} may not surrender: {step.seat.box}{control} decides for the box",
                rule.scope.clause,
                short="NOT HIS DECISION",
            )


def check_insure(rnd: RoundState, step: Step) -> None:
    """Insurance of one's own wager, or what its owner declined where the document permits."""
    assert step.seat
    rule = rnd.rules.insurance
    owner = step.other or step.seat
    if RANKS[rnd.dealer[0].rank - 1] not in rule.dealer_first.value:
        raise Refused(
            f"insurance is not offered against the dealer's {rnd.dealer[0]}",
            rule.dealer_first.clause,
            short=f"DEALER HAS {rnd.dealer[0]}",
        )
    bet = _own_bet(rnd, owner, "insure")
    taker_key = (step.seat.box, step.seat.bettor or "a")
    owner_key = (owner.box, owner.bettor or "a")
    if not bet.open:
        raise Refused(
            f"{owner} has been paid: nothing is left to insure",
            rule.paid_hand.clause,
            short="PAID ALREADY",
        )
    if step.other is not None:
        _check_take_up(rnd, step, taker_key, owner_key)
    elif (taker_key, owner_key) in rnd.insurance:
        raise Refused(f"{owner} is already insured", rule.limit.clause, short="ALREADY INSURED")
    elif rnd.insured_by_others(owner_key):
        raise Refused(
            f"{owner} declined and another has taken it up",
            rule.others.clause,
            short="ANOTHER TOOK IT",
        )
    limit = rule.limit if step.other is None else rule.others
    _check_insurance_amount(rnd, bet, owner, owner_key, step.amount, limit.clause)


def _check_take_up(
    rnd: RoundState, step: Step, taker: tuple[int, str], owner: tuple[int, str]
) -> None:
    rule = rnd.rules.insurance
    assert step.seat
    if not rule.others.value:
        raise Refused(
            "nobody may take part in another's insurance", rule.others.clause, short="ONLY HIS OWN"
        )
    box = box_of(rnd, step.seat)
    if taker[1] not in box.bettors:
        raise Refused(f"{taker[0]}{taker[1]} is not in the round", short="NO SUCH BETTOR")
    if taker == owner:
        raise Refused(
            f"{step.other} insures his own wager without @",
            rule.others.clause,
            short="HIS OWN: NO B",
        )
    if (owner, owner) in rnd.insurance:
        raise Refused(
            f"{step.other} has insured it himself", rule.others.clause, short="HE HAS INSURED"
        )
    if (taker, owner) in rnd.insurance:
        raise Refused(
            f"{step.seat} has already taken up {step.other}'s",
            rule.others.clause,
            short="ALREADY TAKEN UP",
        )


def _check_insurance_amount(
    rnd: RoundState, bet: Bet, owner: Seat, owner_key: tuple[int, str], amount: Stake, clause: str
) -> None:
    if bet.stake is None:
        return
    taken = sum(
        placed or 0 for (_, insured), placed in rnd.insurance.items() if insured == owner_key
    )
    if 2 * ((amount or 1) + taken) > bet.stake:
        raise Refused(
            f"insurance of {write_amount(amount) or 'any sum'} for {owner}: at most half of "
            "his wager of "
            f"{write_amount(bet.stake)}"
            + (f", of which {write_amount(taken)} is taken up" if taken else ""),
            clause if not taken else f"{clause}; A-67",
            short="MOST IS HALF",
        )


def check_nominate(rnd: RoundState, step: Step) -> None:
    """Another person presses: one without a winning Pandemonium wager in this round."""
    assert step.seat
    rule = rnd.rules.pandemonium
    box_of(rnd, step.seat)
    _check_armed(rnd, step)
    if step.by_staff:
        return
    assert step.other
    box = box_of(rnd, step.other)
    bettor = step.other.bettor or "a"
    if bettor not in box.bettors:
        raise Refused(f"{step.other} is not in the round", short="NO SUCH BETTOR")
    if box.hands[0].is_pontoon and bettor in box.pandemonium:
        raise Refused(
            f"{step.other} has a winning Pandemonium wager",
            rule.nominee.clause,
            short="HE WINS TOO",
        )


def check_press(rnd: RoundState, step: Step) -> None:
    """The press of the box that has the button."""
    assert step.seat
    box_of(rnd, step.seat)
    _check_armed(rnd, step)


def _check_armed(rnd: RoundState, step: Step) -> None:
    assert step.seat
    if step.seat.box != rnd.armed:
        raise Refused(
            f"the button is offered to box {rnd.armed}, not box {step.seat.box}",
            rnd.rules.pandemonium.order.clause,
            short=f"BUTTON: BOX {rnd.armed}",
        )


def out_of_place(rnd: RoundState, step: Step) -> str:
    """The clause that forbids a step in a state which does not know it: where the document says
    when there is an offer, that clause; else the one that governs the state."""
    rules = rnd.rules
    match step.verb:
        case "insure":
            return rules.insurance.dealer_first.clause
        case "surrender":
            box = rnd.boxes.get(step.seat.box) if step.seat else None
            after_split = box is not None and len(box.hands) > 1
            rule = rules.surrender.after_split if after_split else rules.surrender.dealer_first
            return rule.clause
        case "withdraw" | "keep":
            return rules.double.withdraw_below.clause
        case "follow" | "place":
            return rules.split.others.clause
        case "press" | "nominate":
            return rules.pandemonium.order.clause
    return rnd.clause


_PLACES: Final = {
    "deal": "DEAL FIRST",
    "jackpot": "BUTTON FIRST",
    "offers": "OFFERS FIRST",
    "play": "HAND FIRST",
    "dealer": "DEALER'S CARDS",
}
_MISSED: Final = {
    "press": "NO BUTTON NOW",
    "nominate": "NO BUTTON NOW",
    "withdraw": "NOTHING DOUBLED",
    "keep": "NOTHING DOUBLED",
    "follow": "NOTHING SPLIT",
}


def short_out_of_place(rnd: RoundState, step: Step) -> str:
    """Why a step does not belong to the state, for a keypad's row: it is over, or what is first."""
    family, _, _ = rnd.state.partition(".")
    if step.verb in ("insure", "surrender") and family in ("play", "dealer"):
        return "OFFERS ARE OVER"
    return _MISSED.get(step.verb) or _PLACES.get(family, "ROUND IS OVER")


def check_nothing(rnd: RoundState, step: Step) -> None:
    """A step that its state alone permits."""


CHECKS: Final[dict[str, Callable[[RoundState, Step], None]]] = {
    "hit": check_hit,
    "stand": check_stand,
    "split": check_split,
    "double": check_double,
    "follow": check_follow,
    "withdraw": check_withdraw,
    "keep": check_withdraw,
    "surrender": check_surrender,
    "insure": check_insure,
    "nominate": check_nominate,
    "press": check_press,
    "done": check_nothing,
}
"""The guard of every step that these rounds know."""
