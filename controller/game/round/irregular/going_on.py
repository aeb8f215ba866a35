"""Settling anew and going on: what every change of a round behind its settlements has in common."""

from __future__ import annotations

from collections.abc import Callable

from controller.game.round.actions import settle_second_card
from controller.game.round.irregular.cases import subsequent_deal
from controller.game.round.irregular.replaying import retell_from
from controller.game.round.log import NumberedCard
from controller.game.round.looks import draw_is_moot, wins_at_button
from controller.game.round.model import Hand
from controller.game.round.moves import pass_on
from controller.game.round.settling.layout import open_again, settle_anew
from controller.game.round.state import Round
from controller.game.round.states import RoundPart, State
from controller.game.round.steps.decisions import Decision, Surrender
from controller.game.rules.cards import Card
from controller.game.rules.hands import BUST_ABOVE, is_pontoon


def settle_otherwise(rnd: Round, change: Callable[[], None]) -> None:
    """Open every wager again, make the change, and settle anew: wagers returned or limited that
    were settled before."""
    told, were, before = rnd.told, rnd.settlements.copy(), rnd.state
    open_again(rnd)
    change()
    settle_anew(rnd)
    go_on(rnd, before, offers_again=False)
    retell_from(rnd, told, were)


def number_of(card: Card) -> int:
    """Which of the round the card is; 0 where it is not numbered."""
    return card.number if isinstance(card, NumberedCard) else 0


def go_on(rnd: Round, before: State, *, offers_again: bool) -> None:
    """Find the state in which play goes on: the button is offered first, where a box has won it
    and nothing was drawn for it."""
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
        _play_on(rnd, rnd.irregular.resumes or before, offers_again=offers_again)
        rnd.irregular.resumes = rnd.state
    if paying:
        rnd.state = before
        return
    rnd.armed = rnd.nominee = rnd.multiplier = None
    rnd.state = State.INTERIM_BUTTON
    pass_on(rnd)
    if rnd.armed == armed:
        rnd.nominee = nominee


def _play_on(rnd: Round, before: State, *, offers_again: bool) -> None:
    """Have play go on behind the button."""
    if len(rnd.dealer) > 1:
        rnd.turn = None
        if is_pontoon(rnd.dealer):
            rnd.state = State.DEALER_PONTOON
        else:
            settle_second_card(rnd, rnd.dealer[1])
            rnd.state = State.DEALER_CHECK
    elif not rnd.dealer:
        _without_dealers_card(rnd)
        return
    elif _waits_still(rnd, before):
        rnd.state = before
        return
    elif (hand := _just_doubled(rnd)) is not None:
        rnd.turn, rnd.state = (hand.box, hand.number), State.PLAY_WITHDRAW
        return
    elif before == State.OFFERS_OPEN or (offers_again and not _is_played(rnd)):
        rnd.state = State.OFFERS_AGAIN
    elif before == State.SETTLED and draw_is_moot(rnd) and rnd.next_hand is None:
        rnd.state = State.FINAL
    else:
        rnd.state = State.PLAY_NEXT_HAND
    pass_on(rnd)


def _just_doubled(rnd: Round) -> Hand | None:
    """The hand that has got the card of its double last, where nobody has kept or withdrawn since:
    the correction may have brought the choice."""
    inputs = [given for given in rnd.log if given.what != "corrected"]
    rule = rnd.rules.double
    if rule is None or not inputs or inputs[-1].what != "card":
        return None
    [card] = inputs[-1].cards
    for hand in rnd.hands:
        if not hand.doubled or hand.total >= min(rule.withdraw_below.value, BUST_ABOVE):
            continue
        if any(number_of(lying) == number_of(card) for lying in hand.cards[2:]):
            doubled = [bet for bet in hand.bets.values() if bet.doubled and bet.open]
            for bet in doubled:
                bet.may_withdraw = True
            return hand if doubled else None
    return None


def _without_dealers_card(rnd: Round) -> None:
    """Wait where the hand in turn decides: what is to be done is the document's to say."""
    hand = rnd.next_hand
    rnd.turn = (hand.box, hand.number) if hand else None
    rnd.state = State.PLAY_DECIDE if hand else State.PLAY_DEALER_CARD


def _waits_still(rnd: Round, before: str) -> bool:
    """Whether the hand in turn still waits for the card of a double or a buy, or to withdraw."""
    hand = rnd.hand_in_turn
    if hand is None or before not in (
        State.PLAY_DOUBLE_CARD,
        State.PLAY_BOUGHT_CARD,
        State.PLAY_WITHDRAW,
    ):
        return False
    if before == State.PLAY_WITHDRAW:
        return any(bet.may_withdraw and bet.open for bet in hand.bets.values())
    return not hand.over


def _is_played(rnd: Round) -> bool:
    """Whether a hand has decided, or a card was dealt after the initial deal."""
    steps = [given.step for given in rnd.log if not isinstance(given.step, Surrender)]
    return any(isinstance(step, Decision) for step in steps) or subsequent_deal(rnd)
