"""Look-ups of the box, hand or wager that a step names; each refuses what does not exist."""

from __future__ import annotations

from collections.abc import Collection

from controller.game.commands.values import Seat
from controller.game.round.model import Bet, Box, Hand
from controller.game.round.refusal import Refused
from controller.game.round.state import Round
from controller.game.rules.cards import BUST_ABOVE


def box_of(rnd: Round, seat: Seat) -> Box:
    """The box of ``seat``; refused if it is not in the round."""
    box = rnd.boxes.get(seat.box)
    if box is None:
        raise Refused(
            f"box {seat.box} is not in the round",
            rnd.rules.deal.order.clause,
            short=f"NO BOX {seat.box} IN PLAY",
            code="box-not-in-play",
        )
    if seat.bettor is not None and seat.bettor not in box.bettors:
        raise Refused(
            f"{seat} is not in the round: there is no such bettor on box {seat.box}",
            rnd.rules.betting.bettors_max.clause,
            short="NO SUCH BETTOR",
        )
    return box


def controller_of(rnd: Round, box: Box) -> str:
    """The bettor who decides for the box: the seated one; where he is none, absent or out, the one
    that the document names; where no one is left, the first bettor."""
    if len(box.main) == 1:
        return next(iter(box.main))
    deciding = box.deciding
    absent, hand = rnd.rules.absent, rnd.hand_in_turn
    by_hand = absent is not None and absent.others.value == "takes_over_his_hands"
    if box.absent and by_hand and hand and hand.box == box.number:
        deciding = [bettor for bettor in deciding if bettor in hand.bets] or deciding
    if not deciding:
        return box.bettors_in_order[0]
    return first_controller(rnd, box, deciding)


def controller_then(rnd: Round, hand: Hand, gone: Collection[str]) -> str | None:
    """The bettor who decided for the hand when those had left; None: the house."""
    box, absent = rnd.boxes[hand.box], rnd.rules.absent
    deciding = box.present_without(gone)
    if gone and absent is not None and absent.others.value == "takes_over_his_hands":
        deciding = [bettor for bettor in deciding if bettor in hand.bets] or deciding
    return first_controller(rnd, box, deciding) if deciding else None


def first_controller(rnd: Round, box: Box, deciding: list[str]) -> str:
    """Who of those decides for the box."""
    if "a" in deciding or rnd.rules.betting.control.value == "nearest_dealer":
        return deciding[0]
    return max(deciding, key=lambda bettor: box.main[bettor] or 0)


def over_because(rnd: Round, number: int) -> str:
    """The clause under which a box takes no more decisions, where it did not simply stand."""
    box, rules = rnd.boxes.get(number), rnd.rules
    if box is None or not all(hand.over for hand in box.hands):
        return ""
    hand = box.hands[-1]
    if any(bet.surrendered for bet in hand.bets.values()):
        return rules.surrender.offered.clause
    if hand.refused:
        return hand.refused
    if hand.doubled and rules.double:
        return rules.double.one_card.clause
    if hand.split_aces:
        return rules.split.aces_one_card.clause
    if hand.is_pontoon:
        return rules.pontoon.paid.clause
    if hand.total > BUST_ABOVE:
        return rules.settled_by["bust.plain"]
    return rules.twenty_one.paid.clause if hand.total == BUST_ABOVE else ""


def decided_by(rnd: Round, seat: Seat) -> Hand:
    """The hand in turn; refused if it is not of that box, or the seat does not control it."""
    box = box_of(rnd, seat)
    hand = rnd.hand_in_turn
    if hand is None or hand.box != seat.box:
        whose = f"box {hand.box} is in turn" if hand else "no player's hand is in turn"
        raise Refused(
            f"box {seat.box} is not in turn: {whose}",
            over_because(rnd, seat.box) or rnd.rules.deal.play_order.clause,
            short=f"BOX {hand.box}'S TURN" if hand else "NO HAND IN TURN",
            code="not-in-turn",
        )
    control = controller_of(rnd, box)
    if seat.bettor not in (None, control):
        raise Refused(
            f"{seat} does not decide for box {seat.box}: {seat.box}{control} does",
            (rnd.rules.betting.seated if control == "a" else rnd.rules.betting.control).clause,
            short="NOT HIS DECISION",
        )
    return hand


def check_present(rnd: Round, box: Box, bettor: str) -> None:
    """Check that the bettor is there to add a wager; an absent one has given up all choices."""
    if bettor in box.absent and rnd.rules.absent is not None:
        raise Refused(
            f"{box.number}{bettor} is not there",
            rnd.rules.absent.hard_minimum.own_clause,
            short="HE IS ABSENT",
        )


def bet_in_turn(rnd: Round, seat: Seat, what: str) -> Bet:
    """A standing bettor's wager on the hand in turn; the bettor must be named."""
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
        raise Refused(
            f"{seat} has no wager on the hand being {what}",
            rnd.rules.betting.bettors_max.clause,
            short="NO WAGER HERE",
        )
    return bet


def main_bet(rnd: Round, seat: Seat, what: str) -> Bet:
    """The main wager of ``seat`` (bettor a where no letter is given)."""
    box = box_of(rnd, seat)
    bet = box.original_bet(seat.bettor or "a")
    if bet is None:
        raise Refused(
            f"{seat.box}{seat.bettor or 'a'} has no main wager to {what}",
            rnd.rules.betting.offers_need.clause,
            short="NO MAIN WAGER",
            code="no-own-main-wager",
        )
    return bet


def own_bet(rnd: Round, hand: Hand, what: str) -> Bet:
    """The deciding bettor's own wager on the hand. A bettor who has taken over from an absent one
    may have none on it: then the hand may be hit and stood on, but no wager on it raised."""
    control = controller_of(rnd, rnd.boxes[hand.box])
    bet = hand.bets.get(control)
    if bet is None:
        raise Refused(
            f"{hand.box}{control} has no wager on the hand in turn: he may not {what} it",
            rnd.rules.absent.others.clause if rnd.rules.absent else "",
            short="NO WAGER HERE",
        )
    return bet
