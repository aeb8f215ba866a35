"""The dealer's hand: as far as anything depends on it, by the rules.

The same as ``controller.game.round``'s states ``dealer.…`` and
:func:`controller.game.round.looks.draw_is_moot`.
"""

from __future__ import annotations

from figures.kernel.choices import taped
from figures.kernel.felt import DEALER, LEFT, OPEN, OPEN_RANK, PONTOONED, Cells
from figures.kernel.marks import kernel
from figures.kernel.tables import (
    OVER,
    PONTOON,
    PONTOON_DEALER_BUST,
    PONTOON_DEALER_TRICK,
    SHIFTS,
    TAPED,
    WORDS,
    Table,
)
from figures.kernel.values import Values
from figures.kernel.words import ACE_AT, COUNT_AT, FIELD, HARD, SOFT_BY, SOFT_TO

SEVENTEEN = 17


@kernel
def has_enough(values: Values, word: int) -> bool:
    """Whether the dealer's hand is complete."""
    hard = word & HARD
    soft = hard <= SOFT_TO and (word >> ACE_AT) & FIELD != 0
    total = hard + SOFT_BY if soft else hard
    if (word >> COUNT_AT) & FIELD == values.dealer_cards_max:
        return True
    if total == SEVENTEEN and soft:
        return not values.dealer_draws_soft_17
    return total >= SEVENTEEN


@kernel
def is_pontoon(word: int) -> bool:
    """Whether the dealer's cards are an ace and one that counts 10."""
    hard = word & HARD
    return (word >> COUNT_AT) & FIELD == 2 and hard == SOFT_TO and (word >> ACE_AT) & FIELD != 0


@kernel
def won(values: Values, table: Table, felt: Cells, first: int) -> int:
    """How many of the hands that wait win whatever the dealer draws: Pontoons, once he can have
    none, where they are paid the same against every hand."""
    if not values.trick_cards:
        return 0
    for result in (PONTOON_DEALER_BUST, PONTOON_DEALER_TRICK):
        if (
            table[OVER + PONTOON] != table[OVER + result]
            or table[SHIFTS + PONTOON] != table[SHIFTS + result]
        ):
            return 0
    hard = felt[DEALER] & HARD
    if first and hard in (1, SOFT_BY):
        return 0
    found = 0
    for place in range(felt[OPEN]):
        found += 1 if felt[OPEN_RANK + place] == PONTOONED else 0
    return found


@kernel
def draws(values: Values, table: Table, felt: Cells, moot: bool) -> bool:
    """Whether he takes his next card: where nothing depends on it, by the rules or not at all."""
    if not moot:
        return True
    if values.moot_forbidden or not table[TAPED]:
        return False
    return taped(table, felt, 2) == 0


@kernel
def play_dealer(
    values: Values,
    table: Table,
    felt: Cells,
    cards: Cells,
    at: int,
    second: int,
) -> tuple[int, int]:
    """Draw the dealer's cards, the one at ``second`` and from ``at`` on; the place behind the last,
    and the word of all. The felt has the first one's word, and how many wagers beside the hands
    wait for the second."""
    live = felt[OPEN]
    moot = live == won(values, table, felt, 1) and felt[LEFT] == 0
    if not draws(values, table, felt, moot):
        return at, felt[DEALER]
    word = felt[DEALER] + table[WORDS + cards[second]]
    at = max(at, second + 1)
    felt[DEALER] = word
    if is_pontoon(word):
        return at, word
    moot = live == won(values, table, felt, 0)
    while not has_enough(values, word) and draws(values, table, felt, moot):
        word += table[WORDS + cards[at]]
        at += 1
    felt[DEALER] = word
    return at, word
