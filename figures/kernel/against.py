"""Settlements against the dealer's hand: the same as
:mod:`controller.game.round.settling.final`, for one bettor on each box."""

from __future__ import annotations

from figures.kernel.dealer import is_pontoon
from figures.kernel.felt import (
    HANDS,
    INSURED,
    INSURED_NET,
    LEFT,
    LOST,
    MAIN,
    NET,
    OPEN,
    OPEN_BOUGHT,
    OPEN_BOX,
    OPEN_DOUBLE,
    OPEN_ORIGINAL,
    OPEN_RANK,
    OPEN_STAKE,
    OPEN_TOTAL,
    ORIGINAL,
    PAID,
    PLAIN,
    PONTOONED,
    STANDS,
    SURRENDERED,
    Cells,
)
from figures.kernel.marks import kernel
from figures.kernel.tables import (
    INSURANCE,
    OVER,
    PONTOON,
    PONTOON_DEALER_BUST,
    PONTOON_DEALER_TRICK,
    REGULAR,
    SHIFTS,
    TRICK,
    TRICK_DEALER_BUST,
    Table,
)
from figures.kernel.values import Values
from figures.kernel.words import COUNT_AT, FIELD, MOST, total_of

LOSES = -1
STAYS = -2
"""In place of odds."""


@kernel
def odds_ranked(values: Values, rank: int, total: int, dealer: int, cards: int) -> int:
    """The odds by which a hand wins against a dealer's total of that many cards, or :data:`LOSES`,
    or :data:`STAYS`, where a Pontoon beats a trick and a trick a total."""
    if dealer > MOST:
        if rank == PLAIN:
            return REGULAR
        return PONTOON_DEALER_BUST if rank == PONTOONED else TRICK_DEALER_BUST
    if cards == values.trick_cards:
        return PONTOON_DEALER_TRICK if rank == PONTOONED else LOSES
    if rank != PLAIN:
        return PONTOON if rank == PONTOONED else TRICK
    if total > dealer:
        return REGULAR
    if total < dealer or values.equal_loses:
        return LOSES
    return STAYS


@kernel
def settle_insurance(table: Table, felt: Cells, boxes: int, won: int) -> None:
    """Settle every insurance by the dealer's second card."""
    for box in range(boxes):
        stake = felt[INSURED + box]
        felt[INSURED_NET + box] = (
            (stake * table[OVER + INSURANCE]) >> table[SHIFTS + INSURANCE] if won else -stake
        )


@kernel
def loses_original(values: Values, felt: Cells, box: int, place: int, leftmost: bool) -> bool:
    """Whether an open hand of a box that has split loses to the dealer's Pontoon where that takes
    one original wager (Division 15, 13.7 and 13.8)."""
    if felt[LOST + box] and values.gone_obbo:
        return False
    state = felt[ORIGINAL + box]
    if state == STANDS:
        return felt[OPEN_ORIGINAL + place] != 0
    if state == PAID:
        return leftmost or values.paid_each != 0
    return leftmost and values.gone_plus_one != 0


@kernel
def settle_against_pontoon(values: Values, felt: Cells, boxes: int) -> None:
    """Take what the dealer's Pontoon takes."""
    for box in range(boxes):
        if felt[SURRENDERED + box]:
            felt[NET + box] -= felt[MAIN + box]
    before = -1
    for place in range(felt[OPEN]):
        box, taken = felt[OPEN_BOX + place], felt[OPEN_STAKE + place]
        if values.pontoon_takes_original and felt[HANDS + box] > 1:
            if not loses_original(values, felt, box, place, box != before):
                taken = 0
        else:
            taken += felt[OPEN_BOUGHT + place]
            if not values.pontoon_returns_double:
                taken += felt[OPEN_DOUBLE + place]
        felt[NET + box] -= taken
        before = box


@kernel
def settle_ranked(values: Values, table: Table, felt: Cells, total: int, cards: int) -> None:
    """Settle what waits where hands have ranks."""
    for place in range(felt[OPEN]):
        stake = felt[OPEN_STAKE + place] + felt[OPEN_DOUBLE + place] + felt[OPEN_BOUGHT + place]
        odds = odds_ranked(values, felt[OPEN_RANK + place], felt[OPEN_TOTAL + place], total, cards)
        if odds >= 0:
            won = (stake * table[OVER + odds]) >> table[SHIFTS + odds]
            felt[NET + felt[OPEN_BOX + place]] += won
        elif odds == LOSES:
            felt[NET + felt[OPEN_BOX + place]] -= stake


@kernel
def settle_against(values: Values, table: Table, felt: Cells, boxes: int, word: int) -> None:
    """Settle what waits for the dealer, whose cards have that word, and the insurances."""
    cards = (word >> COUNT_AT) & FIELD
    if is_pontoon(word):
        if felt[LEFT]:
            settle_insurance(table, felt, boxes, 1)
        settle_against_pontoon(values, felt, boxes)
        return
    total = total_of(word)
    if felt[LEFT]:
        settle_insurance(table, felt, boxes, 0)
        for box in range(boxes):
            if felt[SURRENDERED + box]:
                felt[NET + box] += -felt[MAIN + box] // 2
    if values.trick_cards:
        settle_ranked(values, table, felt, total, cards)
        return
    over, shift = table[OVER + REGULAR], table[SHIFTS + REGULAR]
    for place in range(felt[OPEN]):
        stake = felt[OPEN_STAKE + place] + felt[OPEN_DOUBLE + place] + felt[OPEN_BOUGHT + place]
        mine = felt[OPEN_TOTAL + place]
        beats = (total > MOST) | (mine > total)
        loses = (not beats) & ((mine < total) | (values.equal_loses != 0))
        won = (stake * over) >> shift
        felt[NET + felt[OPEN_BOX + place]] += (won if beats else 0) - (stake if loses else 0)
