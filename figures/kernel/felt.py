"""Where a round lies: one row of numbers that the kernel fills, and who calls it reads.

A box is its place among those in play, from 0; sums are cents. Each name here is where its numbers
begin in the row, one for each box where nothing else is said. One row, because every array that is
handed to a compiled function costs more than a card.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import Final

BOXES_MAX: Final = 9
HANDS_MAX: Final = 8
"""Hands of a box; a rule file that permits more is refused (:func:`~.tables.new_table`)."""
SIDES_MAX: Final = 4
"""Side wagers that two cards settle."""
OPEN_MAX: Final = BOXES_MAX * HANDS_MAX

Cells = MutableSequence[int]
"""A list, or an array of NumPy's, of whole numbers of 64 bits."""

# ---- single numbers -----------------------------------------------------------------------------
RANDOM: Final = 0
"""The state of the random numbers."""
TAPE_USED: Final = 1
"""How much of the tape is used."""
OPEN: Final = 2
"""How many hands wait for the dealer."""
LEFT: Final = 3
"""How many surrendered or insured wagers wait for the dealer's second card, too."""
DEALER: Final = 4
"""The word of the dealer's cards."""
RARE: Final = 5
"""1: something lies there that most rounds have not: insurances, surrenders before play,
multipliers, Super Bonuses and their shares. 0: they are all 0, and nobody need look."""

# ---- staked before the round --------------------------------------------------------------------
MAIN: Final = 8
BUTTON: Final = MAIN + BOXES_MAX
SIDES: Final = BUTTON + BOXES_MAX
"""By side wager, and by box."""

# ---- what it brings -----------------------------------------------------------------------------
NET: Final = SIDES + SIDES_MAX * BOXES_MAX
"""Of the main wager, and what was added to it."""
WAGERED: Final = NET + BOXES_MAX
"""What stood there."""
INSURED: Final = WAGERED + BOXES_MAX
"""The insurance."""
INSURED_NET: Final = INSURED + BOXES_MAX
BUTTON_NET: Final = INSURED_NET + BOXES_MAX
SIDE_NET: Final = BUTTON_NET + BOXES_MAX
"""By side wager, and by box."""
BONUS: Final = SIDE_NET + SIDES_MAX * BOXES_MAX
"""The Super Bonus."""
SHARED: Final = BONUS + BOXES_MAX
"""What another's gives."""
DRAWN: Final = SHARED + BOXES_MAX
"""The multiplier; 0: none was drawn."""

# ---- the boxes in play --------------------------------------------------------------------------
WORD: Final = DRAWN + BOXES_MAX
"""Of the first two cards."""
FIRST: Final = WORD + BOXES_MAX
SECOND: Final = FIRST + BOXES_MAX
ENTRY: Final = SECOND + BOXES_MAX
"""What its plan says of them (:mod:`~.choices`)."""
SURRENDERED: Final = ENTRY + BOXES_MAX
"""1: before play."""
HAS_BONUS: Final = SURRENDERED + BOXES_MAX
HANDS: Final = HAS_BONUS + BOXES_MAX
LOST: Final = HANDS + BOXES_MAX
"""1: one of its hands was lost before the dealer played."""
ORIGINAL: Final = LOST + BOXES_MAX
"""What has become of the wager before the deal: it stands, was paid on 21, or is gone (lost,
withdrawn or surrendered)."""
STANDS: Final = 0
PAID: Final = 1
GONE: Final = 2

WAITING: Final = ORIGINAL + BOXES_MAX
"""The two cards of each hand of a box that a split has formed and that has not been played; the
second only where both hands get theirs at once."""

# ---- hands that wait for the dealer, in the order of play ---------------------------------------
OPEN_BOX: Final = WAITING + 2 * HANDS_MAX
OPEN_TOTAL: Final = OPEN_BOX + OPEN_MAX
OPEN_RANK: Final = OPEN_TOTAL + OPEN_MAX
PLAIN: Final = 0
PONTOONED: Final = 1
TRICKED: Final = 2
OPEN_STAKE: Final = OPEN_RANK + OPEN_MAX
OPEN_DOUBLE: Final = OPEN_STAKE + OPEN_MAX
OPEN_BOUGHT: Final = OPEN_DOUBLE + OPEN_MAX
OPEN_ORIGINAL: Final = OPEN_BOUGHT + OPEN_MAX
"""1: the stake is the one before the deal."""

SEEN: Final = OPEN_ORIGINAL + OPEN_MAX
"""How often what happened (:mod:`~.seen`), in all rounds."""
SEEN_MAX: Final = 80

SIZE: Final = SEEN + SEEN_MAX
