"""Rounds of one box that begin as they are told: two cards of a class against a dealer's first card
of a value, the rest of a full shoe by chance.

The cards are found by trying places at random until they fit, so every shoe that begins so has the
same chance. They stay for :data:`TOGETHER` rounds: those of one class differ in suits only, which
matters too little for an error that is reckoned as if every round had its own.
"""

from __future__ import annotations

from typing import Final

from figures.kernel.blocks import play_again
from figures.kernel.chance import GAMMA, MASK, mixed, part
from figures.kernel.felt import NET, RANDOM, WAGERED, Cells
from figures.kernel.marks import kernel
from figures.kernel.plans import PAIRED, Plan
from figures.kernel.shoe import AT, BEGIN, END, LIKELY, LIMIT, READY, is_too_small, provide
from figures.kernel.tables import WORDS, Table
from figures.kernel.values import Values
from figures.kernel.words import CARDS, HARD

FORCED_NET: Final = 0
"""The sum of what the rounds brought, in cents; then that of the squares, and of what was
wagered."""
FORCED_SQUARED: Final = 1
FORCED_WAGERED: Final = 2
FORCED: Final = 3
TOGETHER: Final = 32


@kernel
def bring(table: Table, felt: Cells, shoe: Cells, place: int, points: int) -> None:
    """Bring a card of these points to that place, from behind it or from there."""
    state = felt[RANDOM]
    size = shoe[END] - place
    while True:
        state = (state + GAMMA) & MASK
        other = place + part(mixed(state), size)
        card = shoe[other]
        if table[WORDS + card] & HARD == points:
            break
    shoe[other] = shoe[place]
    shoe[place] = card
    felt[RANDOM] = state


@kernel
def force(
    table: Table, plan: Plan, felt: Cells, shoe: Cells, two: int, low: int, high: int, up: int
) -> None:
    """Bring two cards of that class and the dealer's to the places from which they are dealt."""
    while True:
        bring(table, felt, shoe, BEGIN, low)
        bring(table, felt, shoe, BEGIN + 1, high)
        if plan[PAIRED + shoe[BEGIN] * CARDS + shoe[BEGIN + 1]] == two:
            break
    bring(table, felt, shoe, BEGIN + 2, up)
    second = shoe[BEGIN + 1]
    shoe[BEGIN + 1] = shoe[BEGIN + 2]
    shoe[BEGIN + 2] = second


@kernel
def play_forced(
    values: Values,
    table: Table,
    plan: Plan,
    felt: Cells,
    shoe: Cells,
    tally: Cells,
    rounds: int,
    two: int,
    low: int,
    high: int,
    up: int,
) -> bool:
    """Play rounds of the class ``two``, whose cards have ``low`` and ``high`` points, against
    ``up`` points; False: the shoe is too small for one of them. The shoe must have such cards."""
    for number in range(rounds):
        if number % TOGETHER == 0:
            force(table, plan, felt, shoe, two, low, high, up)
        shoe[AT] = BEGIN
        shoe[LIMIT] = 0
        shoe[READY] = BEGIN + 3
        provide(shoe, felt, BEGIN + shoe[LIKELY])
        behind = play_again(values, table, plan, felt, shoe, 1, 0)
        if is_too_small(shoe, behind):
            return False
        net = felt[NET]
        tally[FORCED_NET] += net
        tally[FORCED_SQUARED] += net * net
        tally[FORCED_WAGERED] += felt[WAGERED]
    return True
