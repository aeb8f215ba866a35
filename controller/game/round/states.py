"""The states of a round, whose transitions are in :mod:`~.machine`, and groups of them."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class RoundPart(StrEnum):
    """The parts of a round: what comes before the point in a state's name."""

    DEAL = "deal"
    INTERIM = "interim"
    JACKPOT = "jackpot"
    OFFERS = "offers"
    PLAY = "play"
    DEALER = "dealer"
    END = "end"


class State(StrEnum):
    """A state of a round, by the name that journal, scripts and screens have for it; ``part`` is
    the part of the round that it is in."""

    DEAL_FIRST_CARDS = "deal.first_cards"
    DEAL_DEALER_CARD = "deal.dealer_card"
    DEAL_SECOND_CARDS = "deal.second_cards"
    INTERIM_SIDE_WAGERS = "interim.side_wagers"
    INTERIM_PONTOON = "interim.pontoon"
    INTERIM_BUTTON = "interim.button"
    JACKPOT_ARMED = "jackpot.armed"
    JACKPOT_DRAWING = "jackpot.drawing"
    JACKPOT_PAYING = "jackpot.paying"
    OFFERS_OPEN = "offers.open"
    OFFERS_AGAIN = "offers.again"
    PLAY_NEXT_HAND = "play.next_hand"
    PLAY_DEALER_CARD = "play.dealer_card"
    PLAY_SPLIT_CARD = "play.split_card"
    PLAY_FORCED_CARD = "play.forced_card"
    PLAY_DECIDE = "play.decide"
    PLAY_BOUGHT_CARD = "play.bought_card"
    PLAY_DOUBLE_CARD = "play.double_card"
    PLAY_WITHDRAW = "play.withdraw"
    DEALER_SECOND_CARD = "dealer.second_card"
    DEALER_PONTOON = "dealer.pontoon"
    DEALER_CHECK = "dealer.check"
    DEALER_DRAW = "dealer.draw"
    FINAL = "final"
    SETTLED = "settled"
    VOID = "void"

    def __init__(self, name: str) -> None:
        self.part = RoundPart(name.partition(".")[0] if "." in name else "end")


PASSING: Final = frozenset(
    {
        State.INTERIM_SIDE_WAGERS,
        State.INTERIM_PONTOON,
        State.INTERIM_BUTTON,
        State.OFFERS_AGAIN,
        State.PLAY_NEXT_HAND,
        State.DEALER_PONTOON,
        State.DEALER_CHECK,
        State.FINAL,
    }
)
"""States that are left at once."""

ENDED: Final = frozenset({State.SETTLED, State.VOID})
"""States in which the round is over."""

WINDOWS: Final = {
    State.OFFERS_OPEN: frozenset({"insure", "surrender", "done"}),
    State.PLAY_WITHDRAW: frozenset({"withdraw", "keep", "done"}),
}
"""Windows: states that a card or any other step closes, with the steps that do not close them."""

CARD_DUE: Final = frozenset(
    {
        State.DEAL_FIRST_CARDS,
        State.DEAL_DEALER_CARD,
        State.DEAL_SECOND_CARDS,
        State.PLAY_DEALER_CARD,
        State.PLAY_SPLIT_CARD,
        State.PLAY_FORCED_CARD,
        State.PLAY_DECIDE,
        State.PLAY_BOUGHT_CARD,
        State.PLAY_DOUBLE_CARD,
        State.DEALER_SECOND_CARD,
        State.DEALER_DRAW,
    }
)
"""States in which a card may leave the shoe."""

CARDS_BEFORE: Final = {State.DEAL_FIRST_CARDS: 0, State.DEAL_SECOND_CARDS: 1}
"""States in which every box is dealt a card, and how many cards its hand has before it."""
