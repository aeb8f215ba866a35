"""All settlements that are due at a point of the round, found anew from the cards as they lie, and
going on from there: what every change of a round behind its settlements has in common.

After a correction the cards, the decisions and the multipliers that were drawn are as they are; the
settlements follow from them, in the order of play. Only wagers that were given back stay as they
are. What each hand and its wagers have come to is judged in :mod:`~..settling.judgement`.
"""

from __future__ import annotations

from collections.abc import Callable

from controller.game.round.irregular.cases import subsequent_deal
from controller.game.round.irregular.replaying import retell_from
from controller.game.round.looks import dealer_has_enough, draw_is_moot, wins_at_button
from controller.game.round.model import Box, Hand, Settlement
from controller.game.round.moves import last_came, pass_on
from controller.game.round.offers import open_offers
from controller.game.round.remedies import PutsRight
from controller.game.round.settling import interim
from controller.game.round.settling.bookkeeping import drop_insurance, open_bets
from controller.game.round.settling.judgement import judge_hands
from controller.game.round.state import Round
from controller.game.round.states import RoundPart, State
from controller.game.round.steps import Keep, Withdraw
from controller.game.rules.cards import (
    BUST_ABOVE,
    RANKS,
    Card,
    NumberedCard,
    is_pontoon,
    number_of,
    write_cards,
)


def settle_anew(rnd: Round) -> None:
    """Drop every settlement but those of wagers given back, and settle what the players' cards
    decide. What depends on the dealer's second card follows from the sequence. Refused where a
    split or a double could not have been made with these cards."""
    open_again(rnd)
    discarded = [card for box in rnd.boxes.values() for card in judge_hands(rnd, box)]
    discarded += _find_dealers_end(rnd)
    if discarded:
        rnd.remark(f"{write_cards(discarded)}: dealt to a hand that was over: discard it")
    _judge_insurance(rnd)
    interim.settle_on_first_two(rnd)
    interim.settle_pontoons(rnd)
    interim.settle_lost_at_button(rnd)
    for number, multiplier in rnd.draws.items():
        box = rnd.boxes[number]
        if wins_at_button(rnd, box):
            interim.settle_won(rnd, number, multiplier)
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
    what = (returned.box, returned.bettor), returned.stake
    dropped = ((taker, amount) for taker, _, amount in rnd.irregular.dropped_insurance)
    return rnd.irregular.owing is None and what in dropped


def _find_dealers_end(rnd: Round) -> list[Card]:
    """Find where the dealer's hand ends; the cards behind that counted. What was left over before
    he had drawn waits again."""
    if len(rnd.dealer) < 2:
        rnd.irregular.waiting = [*rnd.irregular.beyond, *rnd.irregular.waiting]
        rnd.irregular.beyond = []
    cards, were = [*rnd.dealer, *rnd.irregular.beyond], len(rnd.dealer)
    ends = (n for n in range(2, len(cards)) if dealer_has_enough(rnd, cards[:n]))
    count = next(ends, len(cards))
    rnd.dealer, rnd.irregular.beyond = cards[:count], cards[count:]
    if count > were:
        rnd.remark(f"{write_cards(cards[were:count])} counts for the dealer")
    return cards[count:were]


def _judge_insurance(rnd: Round) -> None:
    """Drop the insurance that the cards do not offer; have what they do offer count again."""
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
            rnd.remark(f"insurance of {number}{bettor} is returned ({clause})")


def _settle(rnd: Round, box: Box, hand: Hand) -> None:
    """Settle one hand as far as its cards and decisions do."""
    pontoon = hand.is_pontoon and not hand.split
    if len(hand.cards) >= 2 and not pontoon and (len(hand.cards) > 2 or hand.split):
        interim.settle_hand(rnd, hand)
    if hand.over and hand.doubled:
        withdrawn = {one.step.seat.bettor for one in hand.said if isinstance(one.step, Withdraw)}
        for bettor, _ in open_bets(hand):
            if bettor in withdrawn:
                interim.settle_withdrawn(rnd, hand, bettor)
    if rnd.rules.surrender.offered.value == "in_turn":
        interim.settle_surrendered(rnd, box)


def settle_otherwise(rnd: Round, change: Callable[[], None]) -> None:
    """Open every wager again, make the change, settle anew; in the initial deal change alone."""
    if rnd.state.part is RoundPart.DEAL:
        change()
        return
    told, were = rnd.all_settlements, rnd.settlements.copy()
    before, offered = rnd.state, offers_of(rnd)
    open_again(rnd)
    change()
    settle_anew(rnd)
    go_on(rnd, before, offered)
    retell_from(rnd, told, were)


def offers_of(rnd: Round) -> set[str]:
    """Who may insure or surrender by the cards as they are known: nobody, once a card has left
    behind the initial deal, or behind the dealer's first one that came late (A-75; MBS 5.12.2)."""
    if rnd.state.part is RoundPart.DEAL or len(rnd.dealer) != 1:
        return set()
    came_late = rnd.irregular.owing is not None and number_of(rnd.dealer[0]) == rnd.out
    if subsequent_deal(rnd) and not came_late:
        return set()
    as_offered = rnd.clone()
    as_offered.state = State.OFFERS_AGAIN
    return {str(step) for step in open_offers(as_offered)}


def go_on(rnd: Round, before: State, offered: set[str]) -> None:
    """Find the state in which play goes on: the button is offered first, where a box has won it
    and nothing was drawn for it. ``offered`` were the offers by the cards as they seemed to lie."""
    at_button, late = before.part is RoundPart.JACKPOT, bool(rnd.irregular.resumes)
    armed, nominee = rnd.armed, rnd.nominee
    rnd.served = tuple(number for number in rnd.served if number in rnd.draws)
    paying = (
        before == State.JACKPOT_PAYING
        and armed is not None
        and wins_at_button(rnd, rnd.boxes[armed])
    )
    if before == State.JACKPOT_PAYING and not paying and armed is not None:
        rnd.served += (armed,)
    if not at_button or late:
        _play_on(rnd, rnd.irregular.resumes or before, offered)
        rnd.irregular.resumes = rnd.state
    if paying:
        rnd.state = before
        return
    rnd.armed = rnd.nominee = rnd.multiplier = None
    rnd.state = State.INTERIM_BUTTON
    pass_on(rnd)
    if rnd.armed == armed:
        rnd.nominee = nominee


def _play_on(rnd: Round, before: State, offered: set[str]) -> None:
    """Have play go on behind the button. Where the dealer has drawn, a hand that has not decided
    stays open until it is known what becomes of it."""
    if len(rnd.dealer) > 1:
        rnd.turn = None
        if is_pontoon(rnd.dealer):
            rnd.state = State.DEALER_PONTOON
        else:
            interim.settle_second_card(rnd, rnd.dealer[1])
            over = before == State.SETTLED and draw_is_moot(rnd) and rnd.next_hand is None
            rnd.state = State.FINAL if over else State.DEALER_CHECK
    elif not rnd.dealer:
        hand = rnd.next_hand  # what is to be done is the document's to say
        rnd.turn = (hand.box, hand.number) if hand else None
        rnd.state = State.PLAY_DECIDE if hand else State.PLAY_DEALER_CARD
        return
    elif (hand := _just_doubled(rnd)) is not None:
        rnd.turn, rnd.state = (hand.box, hand.number), State.PLAY_WITHDRAW
        return
    elif before == State.OFFERS_OPEN or offers_of(rnd) - offered:
        rnd.state = State.OFFERS_AGAIN
    elif before == State.SETTLED and draw_is_moot(rnd) and rnd.next_hand is None:
        rnd.state = State.FINAL
    else:
        rnd.state = State.PLAY_NEXT_HAND
    pass_on(rnd)


def _just_doubled(rnd: Round) -> Hand | None:
    """The hand whose double may be kept or withdrawn now: nobody has said which since its card, and
    no other card has left the shoe (A-22); the correction may have brought the choice."""
    rule = rnd.rules.double
    if rule is None or len(rnd.dealer) > 1:
        return None
    for hand in rnd.hands:
        if not (hand.doubled and hand.over) or hand.total >= min(
            rule.withdraw_below.value, BUST_ABOVE
        ):
            continue
        said = {o.step.seat.bettor for o in hand.said if isinstance(o.step, Keep | Withdraw)}
        asked = [bet for b, bet in hand.bets.items() if bet.doubled and bet.open and b not in said]
        if asked and _nothing_since(rnd, hand.cards[-1]):
            for bet in asked:
                bet.may_withdraw = True
            return hand
    return None


def _nothing_since(rnd: Round, card: Card) -> bool:
    """Whether nobody has decided anything, and no card was drawn, since that one came."""
    if not isinstance(card, NumberedCard) or card.came < last_came(rnd):
        return False
    for given in reversed(rnd.log):
        if isinstance(given.step, PutsRight | Keep | Withdraw) and not given.cards:
            continue
        if given.what == "waiting" or any(number_of(one) == card.number for one in given.cards):
            return True
        if given.step is not None or given.cards:
            return False
    return False
