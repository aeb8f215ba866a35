"""Doubling down, and taking the doubled part back."""

from __future__ import annotations

from figures.kernel.choices import amount, told
from figures.kernel.felt import Cells
from figures.kernel.marks import kernel
from figures.kernel.plans import AGAIN, UPS, WITHDRAWS, Plan
from figures.kernel.tables import TAPED, WORDS, Table
from figures.kernel.values import Values
from figures.kernel.words import ACE_AT, FIELD, HARD, MOST, SOFT_BY, SOFT_TO


@kernel
def withdraws(values: Values, table: Table, plan: Plan, felt: Cells, total: int, up: int) -> int:
    """Whether the doubled part of a hand of that total is taken back."""
    if total >= values.withdraw_below:
        return 0
    if table[TAPED]:
        return told(table, felt, 2)
    return plan[WITHDRAWS + total * UPS + up]


@kernel
def double_down(
    values: Values,
    table: Table,
    plan: Plan,
    felt: Cells,
    cards: Cells,
    at: int,
    word: int,
    stake: int,
    hard_aces: int,
    up: int,
) -> tuple[int, int, int, int, int]:
    """Double a hand, of whose aces that many count 1: the place behind its cards, its word and
    total, what was added, and what is lost where the last part of that is taken back."""
    doubled, kept = amount(table, felt, values.double_least, stake, values.increment), stake
    again = values.redoubles
    while True:
        word += table[WORDS + cards[at]]
        at += 1
        total = word & HARD
        soft = total <= SOFT_TO and (word >> ACE_AT) & FIELD > hard_aces
        total += SOFT_BY if soft else 0
        if again == 0 or total >= MOST:
            break
        if not plan[AGAIN + ((MOST + 1 if soft else 0) + total) * UPS + up]:
            break
        again -= 1
        kept = stake + doubled
        doubled += kept
    return at, word, total, doubled, kept
