"""An open irregularity: the case of the rules that applies, the remedies that may be given, and
which of several cards is the worst for the dealer's hand (MBS 5.23.4.5). Read-only; the effect of
remedies is in :mod:`~.remedying`.

The order of cards is certain only where they alone decide it: one busts the dealer and the other
does not; both complete his hand and one gives the lower total; for his second card, a Pontoon
against anything else. Where he would draw on after one of them, nobody can say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Final

from controller.game.commands.values import Option, Seat
from controller.game.round import remedies
from controller.game.round.irregular import lying_wagers, options
from controller.game.round.looks import card_expected, dealer_has_enough
from controller.game.round.refusal import Refused
from controller.game.round.state import Irregularity, Round
from controller.game.round.states import RoundPart, State
from controller.game.round.steps import Buy, Double, Free, Hit, Overdraw, Split
from controller.game.rules.cards import BUST_ABOVE, Card, hand_total, is_pontoon, is_soft
from controller.game.rules.cases import KNOWN, Case

BUST: Final = 0
PONTOON: Final = BUST_ABOVE + 1
"""What the dealer's best and worst hands are worth to him, others as they total."""

CARDS: Final = ("card", "waiting")
"""Inputs by which a card comes to a hand."""


def subsequent_deal(rnd: Round) -> bool:
    """Whether a card has been dealt after the initial deal."""
    steps = (given.step for given, then in pairwise(rnd.log) if then.what in CARDS)
    if any(isinstance(step, Hit | Double | Split | Buy | Free) for step in steps):
        return True  # the card may have been discarded since
    dealt = len(rnd.dealer) + sum(len(h.cards) for box in rnd.boxes.values() for h in box.hands)
    return dealt > 2 * len(rnd.boxes) + 1


def _is_settled(rnd: Round) -> bool:
    """Whether a wager has been paid or taken; a returned one counts as neither."""
    return any(settlement.outcome != "returned" for settlement in rnd.settlements)


def next_is_dealers(rnd: Round) -> bool:
    """Whether the dealer's hand gets the next card."""
    return card_expected(rnd) and rnd.receiver is None


_HOLDS: Final[dict[str, Callable[[Round, Irregularity], bool]]] = {
    "before": lambda rnd, _: not _is_settled(rnd) and not subsequent_deal(rnd),
    "after": lambda rnd, _: _is_settled(rnd) or subsequent_deal(rnd),
    "settled": lambda rnd, _: _is_settled(rnd),
    "subsequent": lambda rnd, _: subsequent_deal(rnd),
    "outcome": lambda rnd, _: _is_settled(rnd),
    "no-outcome": lambda rnd, _: not _is_settled(rnd),
    "first-card": lambda rnd, _: not any(box.hands[0].cards for box in rnd.boxes.values()),
    "initial": lambda rnd, _: rnd.state.part is RoundPart.DEAL,
    "dealer": lambda rnd, _: next_is_dealers(rnd),
    "player": lambda rnd, _: not next_is_dealers(rnd),
    "seen": lambda _, found: bool(found.seen),
    "unseen": lambda _, found: not found.seen,
    "one-seen": lambda _, found: len(found.seen) == 1,
    "more-seen": lambda _, found: len(found.seen) > 1,
    "next-hand-only": lambda _, found: found.areas <= 1,  # other boxes with cards since
    "settled-since": lambda _, found: found.settled,
}


def case_of(rnd: Round, found: Irregularity) -> Case:
    """The first case whose conditions hold and that has a remedy left, if need be of ``other``; of
    an open irregularity, the one that applied when it was opened."""
    if found.case is not None:
        return found.case
    return next(
        case
        for trigger in (found.trigger, "other")
        for case in rnd.rules.irregularities
        if case.trigger == trigger
        and all(_HOLDS[condition](rnd, found) for condition in case.when)
        and not (found.past and set(case.remedies) == {"reconstruct"})
    )


def possible_remedies(rnd: Round, found: Irregularity, case: Case) -> list[str]:
    """The names of the case's remedies that can be given."""
    return [name for name in case.remedies if any(_remedy(rnd, found, name))]


def remedy_steps(rnd: Round) -> list[remedies.PutsRight]:
    """The remedies of the open irregularity; else the players' options after the last one."""
    found = rnd.irregular.irregularity
    if found is None:
        return list(options.options_of(rnd))
    case = case_of(rnd, found)
    steps = [step for name in case.remedies for step in _remedy(rnd, found, name)]
    if rnd.is_over and found.cards:  # it is over, and no card is needed
        steps = [remedies.Discard()]
    if not steps:
        steps.append(remedies.Continue())  # there is always a way on
    return [*steps, *_choices_before(rnd, found, case)]


def end_spent_options(rnd: Round) -> None:
    """End the options after the last remedy where nobody is left who has one."""
    if rnd.irregular.options is None:
        return
    left = remedy_steps(rnd) if rnd.irregular.irregularity else next(options.options_of(rnd), None)
    if not left:
        rnd.irregular.options = None


def _choices_before(rnd: Round, found: Irregularity, case: Case) -> Iterator[remedies.PutsRight]:
    """What players may choose before a card that waits is theirs (A-31, A-73): who is to have it
    may refuse it, and of cards that left together everybody may take his wager back."""
    hand = rnd.receiver if found.trigger == remedies.TOGETHER else rnd.next_hand
    if "refuse" in case.options and options.may_refuse(rnd) and hand is not None:
        yield remedies.ChooseOption(Seat(hand.box), Option.REFUSE)
    if found.trigger == remedies.TOGETHER and options.may_refuse(rnd):
        yield from options.returns(rnd, case)


def _remedy(rnd: Round, found: Irregularity, name: str) -> Iterator[remedies.PutsRight]:
    match name:
        case "use" | "use-one" | "use-worst" | "discard" if (
            not found.cards and KNOWN[found.trigger].loose
        ):
            return
        case "continue" if found.cards:
            return
        case "reconstruct" if found.past:
            return
        case "cap" | "pro-rata" if not lying_wagers.is_above(rnd, found.box, found.amount, name):
            return
        case "void-hand":
            yield from (remedies.VoidHand(Seat(box.number)) for box in options.voidable_boxes(rnd))
        case "use-worst" if len(found.cards) > 1:
            yield from (remedies.Use(card) for card in worst(rnd, found.cards))
        case "use" if len(found.seen) == 1 and len(found.cards) > 1:
            yield remedies.Use(found.seen[0])
        case "use" | "use-one" if len(found.cards) > 1:
            yield from (remedies.Use(card) for card in dict.fromkeys(found.cards))
        case "use":
            yield remedies.Use()
        case "discard":
            yield remedies.Discard()
            if len(found.cards) > 1:
                yield from (remedies.Discard(card) for card in dict.fromkeys(found.cards))
        case "choose":
            hand = rnd.receiver
            if hand is not None:
                seat = Seat(hand.box)
                yield from (remedies.ChooseCard(seat, card) for card in dict.fromkeys(found.cards))
        case "play":
            yield remedies.ChooseOption(Seat(found.box), Option.PLAY)
        case "return":
            box = rnd.boxes[found.box]  # also where a Pontoon was paid on a card that was not dealt
            bets = [(bettor, box.hands[0].bets.get(bettor)) for bettor in box.bettors_in_order]
            for bettor in [bettor for bettor, bet in bets if bet and not bet.given_back]:
                yield remedies.ChooseOption(box.seat(bettor), Option.RETURN)
        case _ if name in remedies.ALONE:
            yield remedies.ALONE[name]()


def check_overdraw(rnd: Round, step: Overdraw) -> None:
    """Check that an extra card was dealt to the dealer's finished hand, and that the rules know the
    case: the card is discarded and the hand stands."""
    if step.verb in rnd.rules.not_played:
        raise Refused(
            "these rules do not say what becomes of a card too many",
            rnd.rules.not_played[step.verb],
            short="NOT PLAYED HERE",
            code="rules-do-not-say",
        )
    if rnd.state != State.SETTLED:
        case = case_of(rnd, Irregularity("overdraw"))
        raise Refused("the dealer's hand is not finished", case.clause, short="NOT FINISHED")


def is_worse(rnd: Round, card: Card, other: Card) -> bool:
    """Whether ``card`` is certainly worse for the dealer's hand than ``other``."""
    mine, its = _worth(rnd, card), _worth(rnd, other)
    return not alike(rnd, card, other) and mine[1] <= its[0]


def alike(rnd: Round, card: Card, other: Card) -> bool:
    """Whether it makes no difference which of the cards the dealer's hand gets."""
    mine, its = [*rnd.dealer, card], [*rnd.dealer, other]
    if hand_total(mine) > BUST_ABOVE and hand_total(its) > BUST_ABOVE:
        return True
    return (hand_total(mine), is_soft(mine), is_pontoon(mine), card.points) == (
        hand_total(its),
        is_soft(its),
        is_pontoon(its),
        other.points,
    )


def _worth(rnd: Round, card: Card) -> tuple[int, int]:
    """The least and the most that the hand may be worth to the dealer with that card."""
    cards = [*rnd.dealer, card]
    if hand_total(cards) > BUST_ABOVE:
        return BUST, BUST
    if is_pontoon(cards):
        return PONTOON, PONTOON
    enough = dealer_has_enough(rnd, cards)
    return (hand_total(cards), hand_total(cards)) if enough else (BUST, PONTOON)


def worst(rnd: Round, cards: list[Card]) -> list[Card]:
    """The cards of which none of the others is certainly worse for the dealer."""
    return [
        card
        for card in dict.fromkeys(cards)
        if not any(is_worse(rnd, other, card) for other in cards)
    ]


def is_certain(rnd: Round, cards: list[Card]) -> bool:
    """Whether the cards alone say which one is the worst; any of several that do the same."""
    left = worst(rnd, cards)
    return all(alike(rnd, left[0], other) for other in left)
