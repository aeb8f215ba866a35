"""What can be seen of a round beyond its data: what may come next, and for whom."""

from __future__ import annotations

from controller.round.model import Hand
from controller.round.play import Round


def card_expected(rnd: Round) -> bool:
    """Whether a card may leave the shoe now."""
    return rnd.card_expected


def cards_in_sequence(rnd: Round) -> int:
    """How many cards may leave one after the other with their destinations known."""
    return rnd.cards_in_sequence


def draw_is_moot(rnd: Round) -> bool:
    """Whether nothing depends on the dealer's next card."""
    return rnd.draw_is_moot()


def house_plays(rnd: Round, hand: Hand) -> bool:
    """Whether nobody is there to decide for the hand."""
    return rnd.house_plays(hand)
