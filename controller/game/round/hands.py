"""Hands and their wagers: look-ups of box, hand or wager that a step names, each of which refuses
what does not exist; and what decisions make of a hand, once when they are made, and again whenever
it is judged anew (:mod:`~.settling.judgement`)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Final

from controller.game.commands.values import Seat, Stake
from controller.game.round.model import Bet, Box, Decided, Hand
from controller.game.round.refusal import Refused
from controller.game.round.state import Round
from controller.game.round.steps import AtBox, Buy, Double, Keep, Stand, Withdraw
from controller.game.rules.cards import ACE, BUST_ABOVE, RANKS, Card, hard_total


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


_OF_ITS_CARDS: Final = (Stand, Double, Buy, Keep, Withdraw)


def note(rnd: Round, hand: Hand, bettor: str, step: AtBox, formed: int = 0) -> None:
    """Note the bettor's decision at the hand. A double is kept by saying so or by the next card."""
    named = replace(step, seat=Seat(hand.box, bettor))
    out, has = 0 if isinstance(step, Keep) else rnd.out, len(hand.cards)
    # What was decided on more cards than lie there does not hold: the hand was asked anew.
    holds = (one for one in hand.said if one.at <= has or not isinstance(one.step, _OF_ITS_CARDS))
    hand.said = (*holds, Decided(named, has, out, formed))


def form_hand(
    rnd: Round, box: Box, hand: Hand, number: int, bettor: str, cards: list[Card]
) -> Hand:
    """Form a hand, right of a split one, with its second card and an equal wager of the bettor."""
    rules = rnd.rules
    aces = hand.cards[0].rank == ACE and rules.split.aces_one_card.value
    initial = rules.double is not None and rules.double.aces.value == "initial_deal"
    new = Hand(hand.box, number, cards)
    for half in (hand, new):
        half.split, half.split_aces = True, aces
        half.pontoon_barred = not rules.pontoon.after_split.value
        half.devalued = 0 if initial else 2
    box.hands.insert(box.hands.index(hand) + 1, new)
    follow(hand, new, bettor)
    return new


def follow(hand: Hand, new: Hand, bettor: str) -> None:
    """Put an equal wager of the bettor on the hand that a split has formed."""
    new.bets[bettor] = Bet(hand.bets[bettor].stake, original=False)


def place(hand: Hand, new: Hand, bettor: str) -> None:
    """Move the bettor's single wager to the hand that a split has formed."""
    new.bets[bettor] = hand.bets.pop(bettor)


def double(hand: Hand, bettor: str, amount: Stake) -> None:
    """Double the bettor's wager; by as much as it is where (at a live table) no amount is said."""
    hand.doubled, bet = True, hand.bets[bettor]
    bet.doubled, bet.double = True, bet.stake if amount is None else amount


def surrender(rnd: Round, hand: Hand, bettor: str) -> None:
    """Surrender the bettor's wager; where the document binds the box, every wager on the hand."""
    of_box = rnd.rules.surrender.scope.value == "box"
    in_turn = rnd.rules.surrender.offered.value == "in_turn"
    for whose, bet in hand.bets.items():
        if of_box or in_turn or whose == bettor:
            bet.surrendered = True
    if all(bet.surrendered for bet in hand.bets.values() if not bet.given_back):
        hand.over = True


def may_raise(rnd: Round, hand: Hand) -> bool:
    """Whether a wager on the hand may be raised, or the hand split, with so many cards."""
    double = rnd.rules.double
    raised = double is not None and double.cards.value == "any"
    return len(hand.cards) <= 2 or raised or may_buy(rnd, hand)


def may_buy(rnd: Round, hand: Hand) -> bool:
    """Whether the next card of the hand may be bought."""
    return rnd.rules.buy is not None and not hand.twisted and not is_free(rnd, hand)


def is_free(rnd: Round, hand: Hand) -> bool:
    """Whether the hand's last card cannot be bought because it cannot bust."""
    rule, trick = rnd.rules.buy, rnd.rules.trick
    if rule is None or trick is None or len(hand.cards) != trick.cards.value - 1:
        return False
    return hard_total(hand.cards) < rule.free_below.value


def surrender_opens(rnd: Round) -> bool:
    """Whether surrender is offered against the dealer's first card, or in each hand's turn."""
    rule = rnd.rules.surrender
    if rule.offered.value == "in_turn":
        return True
    return bool(rnd.dealer) and RANKS[rnd.dealer[0].rank - 1] in rule.dealer_first.value
