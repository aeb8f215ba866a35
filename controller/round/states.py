"""Groups of a round's states, whose transitions are in :mod:`~.machine`."""

from __future__ import annotations

from typing import Final

PASSING: Final = frozenset(
    {
        "interim.side_wagers",
        "interim.pontoon",
        "interim.button",
        "offers.again",
        "play.next_hand",
        "dealer.pontoon",
        "dealer.check",
        "final",
    }
)
"""States that are left at once."""

ENDED: Final = frozenset({"settled", "void"})
"""States in which the round is over."""

WINDOWS: Final = {
    "offers.open": frozenset({"insure", "surrender", "done"}),
    "play.withdraw": frozenset({"withdraw", "keep", "done"}),
}
"""Windows: states that a card or any other step closes, with the steps that do not close them."""

CARD_DUE: Final = frozenset(
    {
        "deal.first_cards",
        "deal.dealer_card",
        "deal.second_cards",
        "play.dealer_card",
        "play.split_card",
        "play.forced_card",
        "play.decide",
        "play.bought_card",
        "play.double_card",
        "dealer.second_card",
        "dealer.draw",
    }
)
"""States in which a card may leave the shoe."""

CARDS_BEFORE: Final = {"deal.first_cards": 0, "deal.second_cards": 1}
"""States in which every box is dealt a card, and how many cards its hand has before it."""
