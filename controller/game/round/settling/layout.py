"""All settlements that are due at a point of the round, found anew from the cards as they lie.

After a correction the cards, the decisions and the multipliers that were drawn are as they are; the
settlements follow from them, in the order of play. Only wagers that were given back stay as they
are. What each hand and its wagers have come to is judged in :mod:`~.judgement`.
"""

from __future__ import annotations

from controller.game.round.looks import dealer_has_enough, wins_at_button
from controller.game.round.model import Box, Hand, Settlement
from controller.game.round.settling.bookkeeping import open_bets
from controller.game.round.settling.interim import (
    settle_hand,
    settle_pontoons,
    settle_surrendered,
    settle_withdrawn,
)
from controller.game.round.settling.judgement import judge_hands
from controller.game.round.settling.returning import drop_insurance
from controller.game.round.settling.side_wagers import (
    settle_lost_at_button,
    settle_on_first_two,
    settle_won,
)
from controller.game.round.state import Round
from controller.game.round.steps import Withdraw
from controller.game.rules.cards import RANKS, Card, write_cards
from controller.game.rules.hands import is_pontoon


def settle_anew(rnd: Round) -> None:
    """Drop every settlement but those of wagers given back, and settle what the players' cards
    decide. What depends on the dealer's second card follows from the sequence.

    Raises:
        Refused: a split or a double could not have been made with these cards.
    """
    open_again(rnd)
    discarded = [card for box in rnd.boxes.values() for card in judge_hands(rnd, box)]
    discarded += _find_dealers_end(rnd)
    if discarded:
        rnd.irregular.remarks.append(
            f"{write_cards(discarded)}: dealt to a hand that was over: discard it"
        )
    _judge_insurance(rnd)
    settle_on_first_two(rnd)
    settle_pontoons(rnd)
    settle_lost_at_button(rnd)
    for number, multiplier in rnd.draws.items():
        box = rnd.boxes[number]
        if wins_at_button(rnd, box):
            settle_won(rnd, number, multiplier)
    for box in rnd.boxes.values():
        for hand in box.hands:
            _settle(rnd, box, hand)


def open_again(rnd: Round) -> None:
    """Open every wager that was not given back; forget what was settled on it."""
    kept = []
    for settlement in rnd.settlements:
        box = rnd.boxes[settlement.box]
        hands = [hand for hand in box.hands if hand.number == settlement.hand]
        bet = hands[0].bets.get(settlement.bettor) if hands else None
        if settlement.kind in box.sides:
            stays = (settlement.kind, settlement.bettor) in box.given_back
        elif settlement.kind == "insurance":
            stays = settlement.outcome == "returned" and not _was_dropped(rnd, settlement)
        else:
            stays = bet is not None and bet.given_back
        if stays:
            kept.append(settlement)
    rnd.settlements = kept
    rnd.closed_insurance = rnd.irregular.returned_insurance
    rnd.super_bonus = set()
    for hand in rnd.hands:
        for bet in hand.bets.values():
            bet.open = not bet.given_back


def _was_dropped(rnd: Round, returned: Settlement) -> bool:
    """Whether an insurance was returned because the cards did not offer it: that is judged anew."""
    if rnd.irregular.owing is not None:
        return False
    what = (returned.box, returned.bettor), returned.stake
    return any((taker, amount) == what for taker, _, amount in rnd.irregular.dropped_insurance)


def _find_dealers_end(rnd: Round) -> list[Card]:
    """Find the card with which the dealer's hand is complete; those behind it that counted. What
    was left over before he had drawn waits again."""
    if len(rnd.dealer) < 2:
        rnd.irregular.waiting = [*rnd.irregular.beyond, *rnd.irregular.waiting]
        rnd.irregular.beyond = []
    cards, were = [*rnd.dealer, *rnd.irregular.beyond], len(rnd.dealer)
    ends = (n for n in range(2, len(cards)) if dealer_has_enough(rnd, cards[:n]))
    count = next(ends, len(cards))
    rnd.dealer, rnd.irregular.beyond = cards[:count], cards[count:]
    if count > were:
        rnd.irregular.remarks.append(f"{write_cards(cards[were:count])} counts for the dealer")
    return cards[count:were]


def _judge_insurance(rnd: Round) -> None:
    """Drop the insurance that the cards as they lie do not offer; have that count again which they
    do, unless it was made anew."""
    rule, irregular = rnd.rules.insurance, rnd.irregular
    first = RANKS[rnd.dealer[0].rank - 1] if rnd.dealer else ""
    if irregular.owing is None:  # what was on offer to the dealer's late card was another offer
        for taker, owner, amount in irregular.dropped_insurance:
            if amount != 0:
                rnd.insurance.setdefault((taker, owner), amount)
        irregular.dropped_insurance = [one for one in irregular.dropped_insurance if one[2] == 0]
    for key in sorted(rnd.open_insurance):
        assert rule
        _, (number, bettor) = key
        offered = first in rule.dealer_first.value
        if not offered or is_pontoon(rnd.boxes[number].first_two):
            clause = (rule.paid_hand if offered else rule.dealer_first).clause
            drop_insurance(rnd, key, clause)
            irregular.remarks.append(f"insurance of {number}{bettor} is returned ({clause})")


def _settle(rnd: Round, box: Box, hand: Hand) -> None:
    """Settle one hand as far as its cards and decisions do."""
    pontoon = hand.is_pontoon and not hand.split
    if len(hand.cards) >= 2 and not pontoon and (len(hand.cards) > 2 or hand.split):
        settle_hand(rnd, hand)
    if hand.over and hand.doubled:
        withdrawn = {one.step.seat.bettor for one in hand.said if isinstance(one.step, Withdraw)}
        for bettor, _ in open_bets(hand):
            if bettor in withdrawn:
                settle_withdrawn(rnd, hand, bettor)
    if rnd.rules.surrender.offered.value == "in_turn":
        settle_surrendered(rnd, box)
