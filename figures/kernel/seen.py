"""Happenings that the kernel counts, by their place in ``felt.seen``."""

from __future__ import annotations

from typing import Final

PONTOON: Final = 0
HAND: Final = 1
BUST: Final = 2
DOUBLED: Final = 3
WITHDRAWN: Final = 4
SPLIT: Final = 5
SURRENDERED: Final = 6
BOUGHT: Final = 7
DEALER_PLAYS: Final = 8
DEALER_PONTOON: Final = 9
DEALER_BUST: Final = 10
DEALER_TRICK: Final = 11
DEALER_TOTAL: Final = 12
"""And behind it 17 to 21: totals below are counted here."""
LINE: Final = 20
"""And behind it the lines of 21 (:data:`~.words.LINES`), of hands not doubled."""
ROYAL: Final = 30
SUPER_BONUS: Final = 31
DRAWN: Final = 32
"""And behind it the multipliers, in the order of the weights."""

NAMES: Final = {
    PONTOON: "pontoon",
    HAND: "hand played",
    BUST: "hand busts",
    DOUBLED: "hand doubled",
    WITHDRAWN: "double withdrawn",
    SPLIT: "hand split",
    SURRENDERED: "surrender",
    BOUGHT: "card bought",
    DEALER_PLAYS: "dealer plays",
    DEALER_PONTOON: "dealer pontoon",
    DEALER_BUST: "dealer busts",
    DEALER_TRICK: "dealer trick",
    ROYAL: "royal",
    SUPER_BONUS: "super bonus",
}
