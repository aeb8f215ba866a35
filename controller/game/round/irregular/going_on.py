"""Settling anew and going on: what every change of a round behind its settlements has in common."""

from __future__ import annotations

from collections.abc import Callable

from controller.game.round.actions import settle_second_card
from controller.game.round.irregular.cases import subsequent_deal
from controller.game.round.irregular.replaying import retell_from
from controller.game.round.log import NumberedCard
from controller.game.round.looks import draw_is_moot, wins_at_button
from controller.game.round.model import Hand
from controller.game.round.moves import last_came, pass_on
from controller.game.round.offers import open_offers
from controller.game.round.remedies import PutsRight
from controller.game.round.settling.layout import open_again, settle_anew
from controller.game.round.state import Round
from controller.game.round.states import RoundPart, State
from controller.game.round.steps import Keep, Withdraw
from controller.game.rules.cards import Card
from controller.game.rules.hands import BUST_ABOVE, is_pontoon


def settle_otherwise(rnd: Round, change: Callable[[], None]) -> None:
    """Open every wager again, make the change, and settle anew: wagers returned or limited that
    were settled before."""
    told, were = rnd.all_settlements, rnd.settlements.copy()
    before, offered = rnd.state, offers_of(rnd)
    open_again(rnd)
    change()
    settle_anew(rnd)
    go_on(rnd, before, offered)
    retell_from(rnd, told, were)


def number_of(card: Card) -> int:
    """Which of the round the card is; 0 where it is not numbered."""
    return card.number if isinstance(card, NumberedCard) else 0


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
            settle_second_card(rnd, rnd.dealer[1])
            over = before == State.SETTLED and draw_is_moot(rnd) and rnd.next_hand is None
            rnd.state = State.FINAL if over else State.DEALER_CHECK
    elif not rnd.dealer:
        _without_dealers_card(rnd)
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


def _without_dealers_card(rnd: Round) -> None:
    """Wait where the hand in turn decides: what is to be done is the document's to say."""
    hand = rnd.next_hand
    rnd.turn = (hand.box, hand.number) if hand else None
    rnd.state = State.PLAY_DECIDE if hand else State.PLAY_DEALER_CARD
