"""What may be done with a hand, and when it takes no more."""

from __future__ import annotations

from figures.kernel.choices import BUY, BUY_LITTLE, DOUBLE, HIT, STAND
from figures.kernel.felt import PLAIN, PONTOONED, TRICKED
from figures.kernel.marks import kernel
from figures.kernel.values import Values
from figures.kernel.words import COUNT_AT, FIELD, HARD, MOST, RANKED, RANKED_AT, SEVENS


@kernel
def is_ended(values: Values, total: int, soft: bool, count: int, split: int) -> bool:
    """Whether the hand takes no more: it has bust, or 21, or all cards of a trick."""
    if total > MOST or count == values.trick_cards:
        return True
    if total < MOST:
        return False
    pontoon = count == 2 and (not split or values.pontoon_after_split != 0)
    return pontoon or not soft or values.soft_21 == 0


@kernel
def may_do(values: Values, word: int, total: int, stake: int, twisted: int) -> int:
    """What may be done with a hand that goes on, a bit each, but splits and surrenders."""
    count = (word >> COUNT_AT) & FIELD
    hard = word & HARD
    may = 1 << HIT
    if total >= values.stand_minimum:
        may |= 1 << STAND
    if stake >= values.double_least and values.doubles and (count == 2 or values.double_any):
        may |= ((values.double_totals >> hard) & 1) << DOUBLE
    free = count == values.trick_cards - 1 and hard < values.free_below
    if values.buys and not twisted and not free:
        may |= 1 << BUY
        may |= 1 << BUY_LITTLE if values.little else 0
    return may


@kernel
def is_royal(word: int) -> bool:
    """Whether the hand is three sevens."""
    return (word >> RANKED_AT) & RANKED == SEVENS and (word >> COUNT_AT) & FIELD == 3


@kernel
def rank_of(values: Values, word: int, total: int, split: int) -> int:
    """What a hand is beside its total where hands have ranks."""
    if not values.trick_cards:
        return PLAIN
    count = (word >> COUNT_AT) & FIELD
    if count == values.trick_cards:
        return TRICKED
    if count == 2 and total == MOST and (not split or values.pontoon_after_split):
        return PONTOONED
    return PLAIN
