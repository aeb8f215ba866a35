"""Settlements before the dealer plays: Pontoons, hands that bust or have 21, surrenders, insurance;
and side wagers, by their descriptions in the rules.

Each function closes wagers of the round and appends their settlements, with the clause that
decides. Order within one step: by box in the order of play, then bettor, then hand; side wagers by
kind in the order of the rules first. Settlements against the dealer's hand are in :mod:`~.final`.
"""

from __future__ import annotations

from collections.abc import Iterable

from controller.game.round.model import BETTORS, Box, Hand
from controller.game.round.settling.bookkeeping import open_bets, settle_bet, write, write_sum
from controller.game.round.state import Round
from controller.game.rules.cards import (
    BUST_ABOVE,
    Card,
    hand_total,
    is_pontoon,
    is_soft,
    line_for_21,
    ranks_are,
)

SEVENS = (7, 7, 7)


def settle_pontoons(rnd: Round) -> None:
    """Settle Pontoons where they are paid at once."""
    rules = rnd.rules
    for box in rnd.boxes.values():
        hand = box.hands[0]
        if not hand.is_pontoon:
            continue
        hand.over = True
        if rules.pontoon.paid.value == "at_once":
            for bettor, _ in open_bets(hand):
                clause = rules.settled_by["pontoon.win"]
                settle_bet(rnd, hand, bettor, "win", clause, rules.pays["pontoon"].value)


def settle_hand(rnd: Round, hand: Hand) -> None:
    """Settle what a card decides that has come to a hand in its turn, or was chosen for it:
    side wagers of its box first; then a bust hand loses, one that is paid at once is paid, one that
    can take no more cards is over; others stay open. Every such card comes by here, also when a
    round is settled anew."""
    settle_by_card(rnd, hand)
    if hand.total > BUST_ABOVE:
        hand.over = True
        how = "doubled" if hand.doubled else "split" if hand.split else "plain"
        for bettor, _ in open_bets(hand):
            settle_bet(rnd, hand, bettor, "lose", rnd.rules.settled_by[f"bust.{how}"])
    elif rnd.rules.trick is None:
        if hand.total == BUST_ABOVE:
            hand.over = True
            _pay_21(rnd, hand)
    elif ranks_are(hand.cards, SEVENS):
        hand.over = True
        for bettor, _ in open_bets(hand):
            clause, odds = rnd.rules.settled_by["royal.win"], rnd.rules.pays["royal"].value
            settle_bet(rnd, hand, bettor, "win", clause, odds)
    else:
        hand.over = hand.over or ends_hand(rnd, hand, hand.cards)


def ends_hand(rnd: Round, hand: Hand, cards: list[Card]) -> bool:
    """Whether ``cards``, the first ones of a hand or all of it, end it: it takes no more. They are
    totalled as those of a hand that is not doubled, unless they are all of it."""
    total = hand_total(cards, hand.hard_aces if len(cards) == len(hand.cards) else 0)
    if rnd.rules.trick is None:
        return total >= BUST_ABOVE
    if total > BUST_ABOVE or ranks_are(cards, SEVENS):
        return True
    soft = is_soft(cards) and rnd.rules.hit.soft_21.value
    pontoon = not hand.pontoon_barred and is_pontoon(cards)
    full = len(cards) == rnd.rules.trick.cards.value
    return pontoon or full or (total == BUST_ABOVE and not soft)


def _pay_21(rnd: Round, hand: Hand) -> None:
    rules = rnd.rules
    line = rules.pays[line_for_21(hand.cards)].value
    plain = rules.settled_by["twentyone.split" if hand.split else "twentyone.plain"]
    even = rules.pays["regular"].value
    winners = open_bets(hand)
    for bettor, bet in winners:
        if not hand.doubled:
            odds, clause = line, plain
        elif bet.doubled:
            odds, clause = even, rules.settled_by["twentyone.doubled"]
        else:
            assert rules.double
            others = rules.double.others_odds
            odds, clause = (line if others.value == "table" else even), others.clause
        settle_bet(rnd, hand, bettor, "win", clause, odds)
    _pay_super_bonuses(rnd, hand, [bettor for bettor, _ in winners])


def settle_late_super_bonuses(rnd: Round) -> None:
    """Pay the Super Bonus of hands paid before the dealer's late first card (MBS 4.1.1.1, 5.12)."""
    for hand in rnd.hands:
        settled = [
            bettor
            for bettor, bet in sorted(hand.bets.items())
            if not (bet.open or bet.given_back or bet.surrendered)
            and (hand.box, bettor) not in rnd.super_bonus
        ]
        _pay_super_bonuses(rnd, hand, settled)


def _pay_super_bonuses(rnd: Round, hand: Hand, winners: Iterable[str]) -> None:
    """Pay the Super Bonus to those who were paid the table's odds, where there is one."""
    rules, rule = rnd.rules, rnd.rules.super_bonus
    barred = hand.split and rules.split.pays.value == "as_unsplit_without_super_bonus"
    sevens = line_for_21(hand.cards) in ("777_suited", "777_spades")
    against = rnd.dealer[0].rank if rnd.dealer else 0
    if rule is None or barred or not sevens or against != SEVENS[0]:
        return
    others_have_it = rules.double is not None and rules.double.others_odds.value == "table"
    for bettor in winners:
        if hand.doubled and (hand.bets[bettor].doubled or not others_have_it):
            continue
        clause = rules.settled_by["super_bonus.win"]
        if hand.doubled and rules.double:
            clause = rules.double.others_odds.clause
        stake = hand.bets[bettor].stake
        paid = None if stake is None else rule.sum_for(stake)
        if paid != 0 or rule.share_when.value == "cards":
            rnd.super_bonus.add((hand.box, bettor))
        if paid != 0:
            where = (hand.box, bettor, hand.number)
            write_sum(rnd, where, "super_bonus", stake, paid, clause)


def settle_withdrawn(rnd: Round, hand: Hand, bettor: str) -> None:
    """Settle a withdrawal: the doubled part is returned, the original wager lost."""
    clause = rnd.rules.settled_by["withdrawn"]
    hand.bets[bettor].withdrawn = True
    settle_bet(rnd, hand, bettor, "withdrawn", clause, double_outcome="returned")


def settle_insurance(rnd: Round, *, won: bool) -> None:
    """Settle every insurance, of own and of others' wagers, by the dealer's second card."""
    rules, outcome = rnd.rules, "win" if won else "lose"
    for key in sorted(rnd.open_insurance):
        odds = rules.pays["insurance"].value if won else None
        clause = rules.settled_by[f"insurance.{outcome}"]
        write(rnd, (*key[0], 1), "insurance", rnd.insurance[key], outcome, clause, odds)
    rnd.closed_insurance = frozenset(rnd.insurance)


def settle_surrendered(rnd: Round, box: Box, bettors: Iterable[str] = BETTORS) -> None:
    """Settle a box's surrenders: half is lost; a double before the dealer's late card goes back."""
    hand = box.by_number[0]
    for bettor in bettors:
        bet = hand.bets.get(bettor)
        if bet and bet.open and bet.surrendered:
            half = rnd.rules.settled_by["surrender.half"]
            settle_bet(rnd, hand, bettor, "surrendered", half, double_outcome="returned")


def settle_second_card(rnd: Round, _: Card) -> None:
    """The dealer has no Pontoon: insurance loses; surrenders are settled if the rules say so."""
    settle_insurance(rnd, won=False)
    if rnd.rules.surrender.settled.value == "second_card":
        for box in rnd.boxes.values():
            settle_surrendered(rnd, box)


def settle_on_first_two(rnd: Round) -> None:
    """Settle the wagers that the first two cards decide."""
    for kind in rnd.rules.side_wagers:
        if kind != rnd.rules.button_wager:
            for box in rnd.boxes.values():
                if kind in box.sides:
                    _settle_kind(rnd, box, kind)


def settle_by_card(rnd: Round, hand: Hand) -> None:
    """Settle those of its box that a card decides which has come to the hand in its turn: all of
    them, where that was its second card, with which it can make no Pontoon."""
    if hand.split or len(hand.cards) != 2:
        return
    box, settled = rnd.boxes[hand.box], _settled(rnd)
    for kind in rnd.rules.side_wagers:
        if _is_decided(box, kind, settled):
            continue
        if kind == rnd.rules.button_wager:
            _lose_at_button(rnd, box, kind)
        else:
            _settle_kind(rnd, box, kind)


def return_undecided(rnd: Round) -> None:
    """Return every side wager that no card has decided when the round ends: its box lacked them."""
    clause, button = rnd.rules.settled_by["void"], rnd.rules.button_wager
    settled = _settled(rnd)
    for kind in rnd.rules.side_wagers:
        for box in rnd.boxes.values():
            wagers = box.side(kind)
            waits = kind == button and box.hands[0].is_pontoon  # for the button
            if wagers and not waits and not _is_decided(box, kind, settled):
                for bettor, stake in wagers.items():
                    write(rnd, (box.number, bettor, 1), kind, stake, "returned", clause)


def _settled(rnd: Round) -> set[tuple[int, str, str]]:
    return {(s.box, s.bettor, s.kind) for s in rnd.settlements}


def _is_decided(box: Box, kind: str, settled: set[tuple[int, str, str]]) -> bool:
    """Whether a card has decided the wagers of that kind on the box that were not given back."""
    return any((box.number, bettor, kind) in settled for bettor in box.side(kind))


def _settle_kind(rnd: Round, box: Box, kind: str) -> None:
    wagers = box.side(kind)
    if not wagers or len(cards := box.first_two) < 2:
        return
    rule = rnd.rules.side_wagers[kind]
    combination = rule.combination(cards)
    for bettor, stake in wagers.items():
        where = (box.number, bettor, 1)
        if combination is None:
            write(rnd, where, kind, stake, "lose", rule.settled_by["lose"])
        else:
            clause, odds = rule.clause_of_win(combination), rule.pays[combination].value
            write(rnd, where, kind, stake, "win", clause, odds)


def settle_lost_at_button(rnd: Round) -> None:
    """Settle the wagers of the button on boxes without a Pontoon."""
    kind = rnd.rules.button_wager
    if kind is None:
        return
    for box in rnd.boxes.values():  # one card decides nothing yet
        if kind in box.sides and len(box.first_two) >= 2 and not box.hands[0].is_pontoon:
            _lose_at_button(rnd, box, kind)


def _lose_at_button(rnd: Round, box: Box, kind: str) -> None:
    clause = rnd.rules.side_wagers[kind].settled_by["lose"]
    for bettor, stake in box.side(kind).items():
        write(rnd, (box.number, bettor, 1), kind, stake, "lose", clause)


def settle_won_at_button(rnd: Round) -> None:
    """Settle the winning wagers of the box that pressed, at the multiplier shown."""
    assert rnd.armed is not None
    assert rnd.multiplier is not None
    rnd.draws[rnd.armed] = rnd.multiplier
    settle_won(rnd, rnd.armed, rnd.multiplier)


def settle_won(rnd: Round, number: int, multiplier: int) -> None:
    """Settle the winning wagers of a box at the button, at that multiplier."""
    kind = rnd.rules.button_wager
    assert kind is not None
    settled_by = rnd.rules.side_wagers[kind].settled_by
    box = rnd.boxes[number]
    for place, (bettor, stake) in enumerate(box.side(kind).items()):
        decision = "win"
        if bettor not in box.main:
            decision = "win_without_main"
        elif place:
            decision = "win_shared"
        where = (box.number, bettor, 1)
        write(rnd, where, kind, stake, "win", settled_by[decision], (multiplier, 1))
