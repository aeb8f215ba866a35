"""Which of several cards is the worst for the dealer's hand (MBS 5.23.4.5).

The order is certain only where the cards alone decide it: one busts the dealer and the other does
not; both complete his hand and one gives the lower total; for his second card, a Pontoon against
anything else. Where he would draw on after one of them, nobody can say.
"""

from __future__ import annotations

from enum import Enum

from controller.game.round.looks import dealer_has_enough
from controller.game.round.state import Round
from controller.game.rules.cards import Card
from controller.game.rules.hands import BUST_ABOVE, hand_total, is_pontoon, is_soft


class Beside(Enum):
    """What one card does to the dealer's hand beside another."""

    WORSE = "worse"
    EQUAL = "equal"
    BETTER = "better"
    UNCERTAIN = "uncertain"


def beside(rnd: Round, card: Card, other: Card) -> Beside:
    """What ``card`` does to the dealer's hand beside ``other``."""
    mine, its = [*rnd.dealer, card], [*rnd.dealer, other]
    if _same(mine, its):
        return Beside.EQUAL
    ranks = _rank(rnd, mine), _rank(rnd, its)
    if ranks[0] is None or ranks[1] is None:
        return _beside_unfinished(ranks)
    assert ranks[0] != ranks[1]  # other totals that are complete give other results
    return Beside.WORSE if ranks[0] < ranks[1] else Beside.BETTER


def _same(mine: list[Card], its: list[Card]) -> bool:
    """Whether it makes no difference which of the hands the dealer has."""
    if hand_total(mine) > BUST_ABOVE and hand_total(its) > BUST_ABOVE:
        return True
    return (hand_total(mine), is_soft(mine), is_pontoon(mine), mine[-1].points) == (
        hand_total(its),
        is_soft(its),
        is_pontoon(its),
        its[-1].points,
    )


def _rank(rnd: Round, cards: list[Card]) -> int | None:
    """How good a finished hand is for the dealer; None where he draws on."""
    if hand_total(cards) > BUST_ABOVE:
        return 0
    if is_pontoon(cards):
        return BUST_ABOVE + 1
    return hand_total(cards) if dealer_has_enough(rnd, cards) else None


def _beside_unfinished(ranks: tuple[int | None, int | None]) -> Beside:
    """The dealer draws on after one or both: only against a bust or a Pontoon is it certain."""
    mine, its = ranks
    if mine == 0 or its == BUST_ABOVE + 1:
        return Beside.WORSE
    if its == 0 or mine == BUST_ABOVE + 1:
        return Beside.BETTER
    return Beside.UNCERTAIN


def worst(rnd: Round, cards: list[Card]) -> list[Card]:
    """The cards of which none of the others is certainly worse for the dealer."""
    return [
        card
        for card in dict.fromkeys(cards)
        if not any(beside(rnd, other, card) is Beside.WORSE for other in cards)
    ]


def is_certain(rnd: Round, cards: list[Card]) -> bool:
    """Whether the cards alone say which one is the worst; any of several that do the same."""
    left = worst(rnd, cards)
    return all(beside(rnd, left[0], other) is Beside.EQUAL for other in left)
