"""All settlements that are due at a point of the round, found anew from the cards as they lie.

After a correction the cards, the decisions and the multipliers that were drawn are as they are; the
settlements follow from them, in the order of play. Only wagers that were given back stay as they
are. A hand ends with the first card that ends it: cards behind it were dealt in error to a hand
that was over, and are discarded (MBS 5.7; RWS Pontoon Plus 5.10.2; Division 15, 16.3).
"""

from __future__ import annotations

from controller.game.round.looks import dealer_has_enough, wins_at_button
from controller.game.round.model import Box, Hand
from controller.game.round.refusal import Refused
from controller.game.round.settling.bookkeeping import open_bets
from controller.game.round.settling.interim import (
    ends_hand,
    settle_hand,
    settle_pontoons,
    settle_surrendered,
    settle_withdrawn,
)
from controller.game.round.settling.returning import drop_insurance
from controller.game.round.settling.side_wagers import (
    settle_lost_at_button,
    settle_on_first_two,
    settle_won,
)
from controller.game.round.state import Round
from controller.game.round.states import State
from controller.game.rules.cards import RANKS, Card, write_cards
from controller.game.rules.hands import is_pontoon, same_rank, same_value


def settle_anew(rnd: Round) -> None:
    """Drop every settlement but those of wagers given back, and settle what the players' cards
    decide. What depends on the dealer's second card follows from the sequence.

    Raises:
        Refused: a split or a double could not have been made with these cards.
    """
    discarded = [card for hand in rnd.hands for card in _behind_the_end(rnd, hand)]
    discarded += _behind_the_dealers(rnd)
    if discarded:
        rnd.irregular.remarks.append(
            f"{write_cards(discarded)}: dealt to a hand that was over: discard it"
        )
    open_again(rnd)
    _drop_offers(rnd)
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
            stays = settlement.outcome == "returned"
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


def _behind_the_end(rnd: Round, hand: Hand) -> list[Card]:
    """Take the cards out of a hand that lie behind the one that ended it; returns them.

    Raises:
        Refused: it was split, doubled, or bought a card, with cards that do not permit it.
    """
    rules, cards = rnd.rules, hand.cards
    box = rnd.boxes[hand.box]
    equal = same_value if rules.split.match.value == "value" else same_rank
    if hand.number == 2 and len(box.first_two) == 2 and not equal(box.first_two):
        did = f"split {write_cards(box.first_two)}, which are not equal"
        raise _first_back(hand, did, "the split", rules.split.match.clause, "WAS SPLIT")
    plain = len(cards) - (hand.doubled and not _waits_for_double(rnd, hand))
    count = next((n for n in range(2, plain + 1) if ends_hand(rnd, hand, cards[:n])), 0)
    if not count:
        return []
    over = f"{write_cards(cards[:count])}, which was over"
    if hand.doubled:
        assert rules.double
        clause = rules.double.cards.clause
        raise _first_back(hand, f"doubled on {over}", "the double", clause, "WAS DOUBLED")
    if any(len(bet.buys) > count - 2 for bet in hand.bets.values()):
        assert rules.buy
        clause = rules.buy.maximum.clause
        raise _first_back(hand, f"bought a card behind {over}", "that", clause, "CARD WAS BOUGHT")
    return _cut_off(cards, count)


def _first_back(hand: Hand, did: str, what: str, clause: str, short: str) -> Refused:
    """The refusal of a correction that a decision stands against."""
    return Refused(
        f"box {hand.box} has {did}: take {what} back first "
        f"(report wrong-decision {hand.box}, reconstruct)",
        clause,
        short=short,
    )


def _behind_the_dealers(rnd: Round) -> list[Card]:
    """The same for the dealer's hand."""
    cards = rnd.dealer
    enough = (n for n in range(2, len(cards)) if dealer_has_enough(rnd, cards[:n]))
    return _cut_off(cards, next(enough, len(cards)))


def _cut_off(cards: list[Card], count: int) -> list[Card]:
    """Take all cards but the first ``count`` out of a hand; returns them."""
    behind = cards[count:]
    del cards[count:]
    return behind


def _waits_for_double(rnd: Round, hand: Hand) -> bool:
    """Whether the hand has been doubled and its card is still to come."""
    return rnd.state == State.PLAY_DOUBLE_CARD and rnd.hand_in_turn is hand


def _drop_offers(rnd: Round) -> None:
    """Drop insurance and surrender that the cards as they lie do not offer."""
    rules = rnd.rules
    first = RANKS[rnd.dealer[0].rank - 1] if rnd.dealer else ""
    for key in sorted(rnd.open_insurance):
        assert rules.insurance
        _, (number, bettor) = key
        paid = is_pontoon(rnd.boxes[number].first_two)
        offered = first in rules.insurance.dealer_first.value
        if paid or not offered:
            rule = rules.insurance.paid_hand if offered else rules.insurance.dealer_first
            drop_insurance(rnd, key, rule.clause)
            rnd.irregular.remarks.append(
                f"insurance of {number}{bettor} is returned ({rule.clause})"
            )
    before_play = rules.surrender.offered.value == "before_play"
    for hand in rnd.hands:
        lost = before_play and first not in rules.surrender.dealer_first.value
        if lost or ends_hand(rnd, hand, hand.cards):
            for bettor, bet in hand.bets.items():
                if bet.surrendered:
                    bet.surrendered = False
                    clause = rules.surrender.dealer_first.clause
                    rnd.irregular.remarks.append(
                        f"{hand.box}{bettor} has not surrendered ({clause})"
                    )


def _settle(rnd: Round, box: Box, hand: Hand) -> None:
    """Settle one hand as far as its cards and decisions do, and find whether it is over."""
    pontoon = hand.is_pontoon and not hand.split
    hand.over = pontoon
    if len(hand.cards) >= 2 and not pontoon and (len(hand.cards) > 2 or hand.split):
        settle_hand(rnd, hand)
    if hand.over:
        for bet in hand.bets.values():
            bet.may_withdraw = bet.withdrawn = False
    if not hand.over and hand.doubled and not _waits_for_double(rnd, hand):
        hand.over = True
        for bettor, bet in open_bets(hand):
            if bet.withdrawn:
                settle_withdrawn(rnd, hand, bettor)
    least = rnd.rules.stand.minimum.value
    if not hand.over and hand.stood:
        hand.over = hand.total >= least or len(rnd.dealer) > 1
        hand.stood = hand.over
    if hand.refused or (hand.split_aces and len(hand.cards) > 1) or len(rnd.dealer) > 1:
        hand.over = True
    standing = [bet for bet in hand.bets.values() if not bet.given_back]
    if not standing or all(bet.surrendered for bet in standing):
        hand.over = True
    if rnd.rules.surrender.offered.value == "in_turn":
        settle_surrendered(rnd, box)
