"""Read-only functions of a round: what follows from its data and the rules. Of the
conditions of the machine, too (:mod:`~.machine`), which read a trigger's arguments: behind
``play.next_hand`` that is the next hand (None: all are over)."""

from __future__ import annotations

from collections.abc import Collection

from controller.game.commands.values import Stake
from controller.game.round.hands import controller_of, is_free, may_raise
from controller.game.round.model import Box, Hand
from controller.game.round.remedies import PutsRight
from controller.game.round.state import Round
from controller.game.round.states import CARD_DUE, RoundPart, State
from controller.game.round.steps import AtBox, Buy, Keep, Step, Withdraw
from controller.game.rules.cards import ACE, BUST_ABOVE, TEN, Card, hand_total, is_pontoon, is_soft
from controller.game.rules.cases import LateOffer


def card_expected(rnd: Round) -> bool:
    """Whether a card may leave the shoe now. It closes a window, unless no player's hand would
    receive it: the dealer closes that first. An offer made late is answered first."""
    if late_offer(rnd):
        return False
    if rnd.state == State.OFFERS_OPEN:
        return rnd.next_hand is not None
    if rnd.state == State.PLAY_WITHDRAW:
        return rnd.next_hand is not None or dealer_plays(rnd)
    return rnd.state in CARD_DUE


def late_offer(rnd: Round) -> tuple[LateOffer, int] | None:
    """What is offered late, and to which box, where that is to be answered now (Division 15, 16.11,
    16.12): not while offers are open anyway, or the button is offered."""
    if rnd.irregular.late is None or rnd.irregular.irregularity:
        return None
    elsewhere = rnd.state == State.OFFERS_OPEN or rnd.state.part is RoundPart.JACKPOT
    return None if elsewhere or rnd.is_over else rnd.irregular.late


def options_wait(rnd: Round) -> bool:
    """Whether players have options behind a remedy, and nobody has decided since, or a card waits:
    none comes before the dealer has asked for them."""
    said = rnd.log[-1].step if rnd.log else None
    return rnd.irregular.options is not None and (
        said is None or isinstance(said, PutsRight) or bool(rnd.irregular.waiting)
    )


def put_back(rnd: Round) -> bool:
    """Whether the next card is one that waits, and none from the shoe."""
    return bool(rnd.irregular.waiting) and not is_offered_on(rnd)


def is_offered_on(rnd: Round) -> bool:
    """Whether what waits is for the next player, and is passed over now: the box that left it has
    split aces, and its other ace gets a card from the shoe (MBS 5.23.3.1)."""
    hand = rnd.hand_in_turn
    if hand is None or rnd.state != State.PLAY_SPLIT_CARD or not hand.split_aces:
        return False
    left = (
        rnd.irregular.waiting
        and rnd.irregular.offered_on
        and rnd.irregular.offered_on[0] == hand.box
    )
    is_next = any(other.box > hand.box and not other.over for other in rnd.hands)
    return bool(left) and is_next


def is_late(rnd: Round, step: Step) -> bool:
    """Whether the step takes up what is offered late to that box, or to that bettor alone."""
    if not isinstance(step, AtBox) or rnd.irregular.late != (step.verb, step.seat.box):
        return False
    return rnd.irregular.late_to in ("", step.seat.bettor or "a")


def cards_in_sequence(rnd: Round) -> int:
    """How many cards may leave one after the other with their destinations known."""
    if rnd.irregular.irregularity or put_back(rnd):
        return 0
    match rnd.state:
        case State.DEAL_FIRST_CARDS:
            return len(rnd.to_be_served) + 1 + len(rnd.in_play)
        case State.DEAL_DEALER_CARD:
            return 1 + len(rnd.in_play)
        case State.DEAL_SECOND_CARDS:
            return len(rnd.to_be_served)
    return 1 if card_expected(rnd) else 0


def at_button(rnd: Round, box: Box) -> dict[str, Stake]:
    """The wagers of the box that the button settles, by bettor."""
    kind = rnd.rules.button_wager
    return box.side(kind) if kind else {}


def wins_at_button(rnd: Round, box: Box) -> bool:
    """Whether the box has a winning wager that the button settles."""
    return box.hands[0].is_pontoon and bool(at_button(rnd, box))


def next_winner(rnd: Round) -> int | None:
    """The box that is offered the button next, in the document's order."""
    waiting = [
        box.number
        for box in rnd.boxes.values()
        if wins_at_button(rnd, box) and box.number not in rnd.served
    ]
    if not waiting:
        return None
    assert rnd.rules.pandemonium
    ascending = rnd.rules.pandemonium.order.value == "ascending"
    return min(waiting) if ascending else max(waiting)


def hit_was_said(rnd: Round) -> bool:
    """Whether the hand in turn has said that it hits, and its card has not come."""
    return rnd.turn is not None and rnd.hits == rnd.turn


def house_plays(rnd: Round, hand: Hand, absent: Collection[str] | None = None) -> bool:
    """Whether all who could decide for the hand are absent: now, or those who had left then."""
    box, rule = rnd.boxes[hand.box], rnd.rules.absent
    absent = box.absent if absent is None else absent
    if not absent or rule is None:
        return False
    present = box.present_without(absent)
    if rule.others.value == "takes_over":
        return not present
    return not any(bettor in hand.bets for bettor in present)


def house_stands(rnd: Round, hand: Hand | None, absent: Collection[str] | None = None) -> bool:
    """Whether the hand is played by the house and draws no more."""
    rule = rnd.rules.absent
    if hand is None or rule is None or not house_plays(rnd, hand, absent):
        return False
    soft = is_soft(hand.cards, hand.hard_aces)
    return hand.total >= (rule.soft_minimum if soft else rule.hard_minimum).value


def dealer_plays(rnd: Round, *_: Hand | None) -> bool:
    """Whether the dealer's second card is needed, or may be taken although it is not."""
    if first_card_is_moot(rnd):
        return False
    return not draw_is_moot(rnd) or rnd.rules.dealer.moot_draw.value == "either"


def first_card_is_moot(rnd: Round) -> bool:
    """Whether the dealer's first card is missing and every wager was given back: for nobody else
    he still draws it, a Super Bonus may depend on it."""
    nobody_left = all(box.given_up for box in rnd.boxes.values())
    return not rnd.dealer and nobody_left


def dealer_has_enough(rnd: Round, cards: list[Card]) -> bool:
    """Whether the dealer's hand is complete with these cards, by its total or their number."""
    if len(cards) == rnd.rules.dealer.cards_max.value:
        return True
    total = hand_total(cards)
    if total == 17 and is_soft(cards):
        return rnd.rules.dealer.soft17.value != "draw"
    return total >= 17


def draw_is_moot(rnd: Round, *_: Step) -> bool:
    """Whether nothing depends on the dealer's next card."""
    hands = rnd.hands
    if any(hand.live and not _has_won(rnd, hand) for hand in hands):
        return False
    if len(rnd.dealer) > 1:
        return True
    surrendered = any(bet.open and bet.surrendered for h in hands for bet in h.bets.values())
    return not surrendered and not rnd.open_insurance


def _has_won(rnd: Round, hand: Hand) -> bool:
    """Whether a hand that is compared later wins whatever the dealer draws: a Pontoon, once the
    dealer can have none, where it is paid the same against every hand."""
    if not hand.is_pontoon or rnd.rules.trick is None:
        return False
    if len(rnd.dealer) == 1:
        possible = rnd.dealer[0].rank == ACE or rnd.dealer[0].points == TEN
    else:
        possible = is_pontoon(rnd.dealer)
    pays = rnd.rules.pays
    same = pays["pontoon"].value == pays["pontoon_dealer_bust"].value
    same = same and pays["pontoon"].value == pays["pontoon_dealer_trick"].value
    return same and not possible


def drawn_and_seen(rnd: Round) -> bool:
    """Whether a multiplier was drawn in the round, so that people may have seen it."""
    return any(given.what in ("drawn", "drawn for") for given in rnd.log)


def box_follows(rnd: Round, _: Card) -> bool:
    """Whether another box is served after this card."""
    return len(rnd.to_be_served) > 1


def all_served(rnd: Round) -> bool:
    """Whether every box has its second card."""
    return not rnd.to_be_served


def offer_is_over(rnd: Round) -> bool:
    """Whether the box that has the button has no winning wager left."""
    return rnd.armed is not None and not at_button(rnd, rnd.boxes[rnd.armed])


def turn_is_over(rnd: Round) -> bool:
    """Whether the hand in turn is out."""
    return rnd.hand_in_turn is None or rnd.hand_in_turn.over


def nothing_to_withdraw(rnd: Round) -> bool:
    """Whether no bettor on the hand in turn may withdraw."""
    hand = rnd.hand_in_turn
    return hand is None or not any(b.may_withdraw and b.open for b in hand.bets.values())


def nobody_left(rnd: Round) -> bool:
    """Whether every wager was given back during the initial deal."""
    return not rnd.in_play


def dealer_card_owed(rnd: Round, *_: Hand | None) -> bool:
    """Whether the dealer's missing first card is due: no hand may be completed before it."""
    if rnd.dealer or first_card_is_moot(rnd):
        return False
    hand = rnd.next_hand
    return hand is None or (hand.box, hand.number) != rnd.irregular.finishing


def winner_waits(rnd: Round) -> bool:
    """Whether a box with winning wagers at the button has not been served."""
    return next_winner(rnd) is not None


def hand_needs_card(_: Round, hand: Hand | None) -> bool:
    """Whether the next hand waits for its second card: it was split, or got none in the deal."""
    return hand is not None and len(hand.cards) < 2


def only_hit(rnd: Round, hand: Hand | None) -> bool:
    """Whether the next hand can do nothing but take a card."""
    if hand is None:
        return False
    if house_plays(rnd, hand):
        return True
    if hand.total >= rnd.rules.stand.minimum.value:
        return False
    if controller_of(rnd, rnd.boxes[hand.box]) not in hand.bets:
        return True  # a bettor who has taken over may neither double nor split another's wager
    return not may_raise(rnd, hand)


def double_waits(_: Round, hand: Hand | None) -> bool:
    """Whether the next hand has been doubled, and waits for its card."""
    return hand is not None and hand.doubled


def buy_waits(rnd: Round, hand: Hand | None) -> bool:
    """Whether the next hand has bought a card, and waits for it."""
    if hand is None or not hand.said or is_free(rnd, hand):
        return False
    return sum(isinstance(one.step, Buy) for one in hand.said) > len(hand.cards) - 2


def hand_waits(_: Round, hand: Hand | None) -> bool:
    """Whether a hand still has to decide."""
    return hand is not None


def may_withdraw_after(rnd: Round, card: Card) -> bool:
    """Whether the doubled part may be withdrawn after this card."""
    hand, rule = rnd.turn_hand, rnd.rules.double
    assert rule
    total = hand_total([*hand.cards, card], hand.hard_aces)
    return total < rule.withdraw_below.value and total != BUST_ABOVE


def last_to_choose(rnd: Round, _: Withdraw | Keep) -> bool:
    """Whether no other bettor may still withdraw."""
    hand = rnd.turn_hand
    return sum(bet.may_withdraw for bet in hand.bets.values()) == 1


def makes_pontoon(rnd: Round, card: Card) -> bool:
    """Whether this card makes the dealer's hand a Pontoon."""
    return is_pontoon([*rnd.dealer, card])


def dealer_draws(rnd: Round) -> bool:
    """Whether the dealer's hand takes another card."""
    if draw_is_moot(rnd) and rnd.rules.dealer.moot_draw.value == "forbidden":
        return False
    return not dealer_has_enough(rnd, rnd.dealer)
