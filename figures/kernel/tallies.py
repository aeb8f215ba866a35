"""What the kernel tallies, by its place in ``felt.seen``.

Figures give frequencies under these names.
"""

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
LINE: Final = 20
"""And behind it the lines of 21 (:data:`~.words.LINES`), of hands not doubled."""
ROYAL: Final = 30
SUPER_BONUS: Final = 31
DRAWN: Final = 32
"""And behind it the multipliers, in the order of the weights."""

DEALER: Final = 48
"""And behind it the dealer's total, where he has played; and:"""
DEALER_PONTOON: Final = 29
DEALER_TRICK: Final = 30
DEALER_IDLE: Final = 31

NAMES: Final = {
    PONTOON: "pontoon",
    HAND: "hand played",
    BUST: "hand busts",
    DOUBLED: "hand doubled",
    WITHDRAWN: "double withdrawn",
    SPLIT: "hand split",
    SURRENDERED: "surrender",
    BOUGHT: "card bought",
    ROYAL: "royal",
    SUPER_BONUS: "super bonus",
}
