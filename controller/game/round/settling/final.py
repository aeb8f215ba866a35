"""Settlements against the dealer's hand: his Pontoon, the comparison, a Super Bonus's shares."""

from __future__ import annotations

from typing import Final

from controller.game.round.hands import first_controller
from controller.game.round.model import BETTORS, Box, Hand
from controller.game.round.settling import interim
from controller.game.round.settling.bookkeeping import Odds, settle_bet, write_sum
from controller.game.round.state import Round
from controller.game.rules.cards import BUST_ABOVE, is_pontoon

EQUAL: Final = {"stand_off": "stand_off", "dealer_wins": "lose"}
"""The outcome of equal hands, by the rule ``compare.equal``."""


def settle_against_pontoon(rnd: Round) -> None:
    """The dealer has a Pontoon: insurance wins; of the open wagers loses what the document says."""
    interim.settle_insurance(rnd, won=True)
    one_original = rnd.rules.compare.dealer_pontoon_split.value == "one_original"
    for box in rnd.boxes.values():
        for bettor in BETTORS:
            hands = [hand for hand in box.by_number if bettor in hand.bets]
            if one_original and len(box.hands) > 1 and all(hand.over for hand in hands):
                _lose_one_original(rnd, hands, bettor)
                continue
            for hand in hands:
                if hand.bets[bettor].open and hand.over:
                    _lose_to_pontoon(rnd, hand, bettor)


def _lose_to_pontoon(rnd: Round, hand: Hand, bettor: str) -> None:
    bet, settled_by = hand.bets[bettor], rnd.rules.settled_by
    if bet.surrendered:
        clause = settled_by["surrender.dealer_pontoon"]
    elif bet.doubled:
        clause = settled_by[f"dealer_pontoon.{'split_' if hand.split else ''}doubled"]
    elif hand.is_pontoon:
        clause = settled_by["pontoon.equal"]
    else:
        clause = settled_by[f"dealer_pontoon.{'split' if hand.split else 'plain'}"]
    original_only = rnd.rules.compare.dealer_pontoon_doubled.value == "original"
    double = "returned" if original_only else "lose"
    given_up = bet.surrendered and bet.doubled
    doubled_by = settled_by["dealer_pontoon.doubled"] if given_up else ""
    settle_bet(rnd, hand, bettor, "lose", clause, None, double, doubled_by)


def _lose_one_original(rnd: Round, hands: list[Hand], bettor: str) -> None:
    """Of split hands only the original wager loses; if it was paid on 21, the same amount on
    another; what was lost before counts as the rules say (Division 15, 13.7, 13.8; A-20b, A-21)."""
    settled_by = rnd.rules.settled_by
    standing = [hand for hand in hands if hand.bets[bettor].open]
    if not standing:
        return
    losing, by = _which_lose(rnd, hands, bettor)
    several = f"; {rnd.rules.compare.original_paid.added_clause}"
    behind = several if by == "instead" and len(standing) > 1 else ""
    doubled_by = settled_by["dealer_pontoon.doubled"]
    for hand in standing:
        if hand in losing:
            clause = settled_by[f"dealer_pontoon.{by}"] + behind
            settle_bet(rnd, hand, bettor, "lose", clause, None, "returned", doubled_by)
            continue
        how = "split_doubled" if hand.bets[bettor].doubled else "spared"
        clause = settled_by[f"dealer_pontoon.{'gone' if by == 'gone' else how}"] + behind
        settle_bet(rnd, hand, bettor, "returned", clause, double_clause=doubled_by)


def _which_lose(rnd: Round, hands: list[Hand], bettor: str) -> tuple[list[Hand], str]:
    """The open ones of a bettor's split hands that lose, and the decision by which they do."""
    compare = rnd.rules.compare
    in_play_order = [hand for hand in rnd.boxes[hands[0].box].hands if hand in hands]
    standing = [hand for hand in in_play_order if hand.bets[bettor].open]
    original = next((hand for hand in hands if hand.bets[bettor].original), None)
    lost = any(_is_lost(hand, bettor) for hand in hands)
    if lost and compare.original_gone.value == "obbo":
        return [], "gone"
    if original is not None and original.bets[bettor].open:
        return [original], "original"
    if original is not None and original.total == BUST_ABOVE:
        every = compare.original_paid.value == "each_hand_loses"
        return standing[: None if every else 1], "instead"
    plus_one = compare.original_gone.value == "bust_plus_one"
    return standing[:1] if plus_one else [], "gone"


def _is_lost(hand: Hand, bettor: str) -> bool:
    """Whether that wager was lost before: the hand bust, or its double was withdrawn."""
    bet = hand.bets[bettor]
    return not bet.open and not bet.given_back and hand.total != BUST_ABOVE


def settle_final(rnd: Round) -> None:
    """Settle the open wagers of hands that have decided, then the shares of a Super Bonus."""
    for box in rnd.boxes.values():
        for bettor in box.bettors_in_order:
            interim.settle_surrendered(rnd, box, (bettor,))
            for hand in box.by_number:
                bet = hand.bets.get(bettor)
                if bet and bet.open and not bet.surrendered and hand.over:
                    outcome, clause, odds = _compared(rnd, hand)
                    settle_bet(rnd, hand, bettor, outcome, clause, odds)
    _settle_shares(rnd)
    interim.return_undecided(rnd)


def _compared(rnd: Round, hand: Hand) -> tuple[str, str, Odds | None]:
    """Outcome, clause and odds of the hand; with tricks, a Pontoon beats one, and one a total."""
    settled_by, pays, trick = rnd.rules.settled_by, rnd.rules.pays, rnd.rules.trick
    full, rank, behind, dealer = trick.cards.value if trick else None, "", "", rnd.dealer_total
    if trick and hand.is_pontoon:
        clause_of_split = rnd.rules.pontoon.after_split.added_clause
        rank, behind = "pontoon", f"; {clause_of_split}" if hand.split else ""
    elif len(hand.cards) == full:
        rank = "trick"
    if dealer > BUST_ABOVE:
        odds = pays[f"{rank}_dealer_bust" if rank else "regular"].value
        return "win", settled_by[f"{rank or 'compare'}.dealer_bust"] + behind, odds
    if len(rnd.dealer) == full:
        clause = settled_by[f"{rank or 'compare'}.dealer_trick"] + behind
        if rank == "pontoon":
            return "win", clause, pays["pontoon_dealer_trick"].value
        return "lose", clause, None
    if rank and not is_pontoon(rnd.dealer):
        return "win", settled_by[f"{rank}.stays"] + behind, pays[rank].value
    if hand.total > dealer:
        return "win", settled_by["compare.higher"], pays["regular"].value
    if hand.total < dealer:
        return "lose", settled_by["compare.lower"], None
    return EQUAL[rnd.rules.compare.equal.value], settled_by["compare.equal"], None


def _settle_shares(rnd: Round) -> None:
    """Settle what a Super Bonus gives the other wagers of the round, once."""
    rules = rnd.rules
    if not rnd.super_bonus or rules.super_bonus is None:
        return
    paid = rules.super_bonus.share.value * 100
    for box in rnd.boxes.values():
        for bettor, stake in box.main.items():
            if _shares(rnd, box, bettor):
                won_here = any(winner == box.number for winner, _ in rnd.super_bonus)
                decision = "share_on_winning_box" if won_here else "share"
                clause = rules.settled_by[f"super_bonus.{decision}"]
                where = (box.number, bettor, 1)
                write_sum(rnd, where, "super_bonus_share", stake, paid, clause)


def _shares(rnd: Round, box: Box, bettor: str) -> bool:
    """Whether that bettor is one of the others."""
    assert rnd.rules.super_bonus
    if (box.number, bettor) in rnd.super_bonus:
        return False
    if any(hand.bets[bettor].given_back for hand in box.hands if bettor in hand.bets):
        return False
    to = rnd.rules.super_bonus.share_to.value
    if to == "every_other_original_wager":
        return True
    wagered = box.bettors_in_order  # who decided when bets were closed
    seated = "a" if to == "seated_of_other_boxes" else first_controller(rnd, box, wagered)
    return bettor == seated and all(winner != box.number for winner, _ in rnd.super_bonus)
