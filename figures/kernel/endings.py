"""What may be done with a hand, and when it takes no more."""

from __future__ import annotations

from figures.kernel.choices import BUY, DOUBLE, HIT, STAND
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
    if values.buys and not twisted:
        if count < values.trick_cards - 1 or hard >= values.free_below:
            may |= 1 << BUY
    return may


@kernel
def is_royal(word: int) -> bool:
    """Whether the hand is three sevens."""
    return (word >> RANKED_AT) & RANKED == SEVENS and (word >> COUNT_AT) & FIELD == 3
