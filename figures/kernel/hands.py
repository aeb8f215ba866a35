"""A box's hands, one after the other, until each is settled or waits for the dealer.

The same as ``controller.game.round``'s states ``play.…`` (:mod:`controller.game.round.machine`) and
:mod:`controller.game.round.settling.interim`, for one bettor on each box.
"""

from __future__ import annotations

from typing import Final

from figures.kernel.choices import (
    BUY,
    DOUBLE,
    HIT,
    SPLIT,
    STAND,
    SURRENDER,
    amount,
    choose,
    told,
)
from figures.kernel.endings import is_ended, is_royal, may_do
from figures.kernel.felt import (
    BONUS,
    ENTRY,
    FIRST,
    GONE,
    HANDS,
    HAS_BONUS,
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
    RARE,
    SECOND,
    SEEN,
    STANDS,
    TRICKED,
    WAGERED,
    WAITING,
    WORD,
    Cells,
)
from figures.kernel.marks import kernel
from figures.kernel.plans import (
    AGAIN,
    COUNTS,
    HALVES,
    LATER,
    PAIRED,
    UPS,
    WITHDRAWS,
    Plan,
)
from figures.kernel.seen import (
    BOUGHT,
    BUST,
    DOUBLED,
    HAND,
    LINE,
    SUPER_BONUS,
    SURRENDERED,
    WITHDRAWN,
)
from figures.kernel.seen import ROYAL as SEEN_ROYAL
from figures.kernel.seen import SPLIT as SEEN_SPLIT
from figures.kernel.tables import (
    BRACKET_COUNT,
    BRACKETS,
    OVER,
    RANKS,
    REGULAR,
    ROYAL,
    SHIFTS,
    TAPED,
    WORDS,
    Table,
)
from figures.kernel.values import Values
from figures.kernel.words import (
    ACE_AT,
    CARDS,
    COUNT_AT,
    FIELD,
    HARD,
    MOST,
    RANKED,
    RANKED_AT,
    SEVENS,
    SOFT_BY,
    SOFT_TO,
    line_of,
    total_of,
)

SEVEN = 6
"""Its rank from 0."""
SUITED_SEVENS = 5
"""The first of the two lines that bring a Super Bonus."""
ACES = 4
"""Cards below this number are aces."""


@kernel
def withdraws(table: Table, plan: Plan, felt: Cells, total: int, up: int) -> int:
    """Whether the doubled part is taken back."""
    if table[TAPED]:
        return told(table, felt, 2)
    return plan[WITHDRAWS + total * UPS + up]


@kernel
def super_bonus(values: Values, table: Table, felt: Cells, box: int, stake: int, step: int) -> None:
    """Pay the Super Bonus for a stake, and note that the others have a share."""
    paid = 0
    for bracket in range(0, 2 * table[BRACKET_COUNT], 2):
        if stake >= table[BRACKETS + bracket]:
            paid = table[BRACKETS + bracket + 1]
    felt[RARE] = 1
    if paid or values.share_by_cards:
        felt[HAS_BONUS + box] = 1
    felt[SEEN + SUPER_BONUS] += step
    felt[BONUS + box] += paid


@kernel
def paid_21(
    values: Values,
    table: Table,
    felt: Cells,
    box: int,
    dealer: int,
    word: int,
    stake: int,
    doubled: int,
    split: int,
    step: int,
) -> int:
    """What a hand of 21 is paid at once; a Super Bonus beside it."""
    if doubled:
        return ((stake + doubled) * table[OVER + REGULAR]) >> table[SHIFTS + REGULAR]
    line = line_of(word)
    felt[SEEN + LINE + line] += step
    if (
        line - SUITED_SEVENS in (0, 1)
        and values.has_super_bonus
        and table[RANKS + dealer] == SEVEN
        and (not split or values.bonus_after_split)
    ):
        super_bonus(values, table, felt, box, stake, step)
    return (stake * table[OVER + line]) >> table[SHIFTS + line]


@kernel
def play_box(
    values: Values,
    table: Table,
    plan: Plan,
    felt: Cells,
    cards: Cells,
    at: int,
    box: int,
    dealer: int,
    step: int,
) -> int:
    """Play the hands of a box against the dealer's first card, taking cards from ``at`` on; the
    place behind the last."""
    stake = felt[MAIN + box]
    first, second, word = felt[FIRST + box], felt[SECOND + box], felt[WORD + box]
    up = (table[WORDS + dealer] & HARD) - 1
    hands, waiting, split, original, over = 1, 0, 0, 1, 0
    net, wagered = 0, stake
    while True:
        doubled, kept, bought, twisted, total, gave_up = 0, stake, 0, 0, 0, 0
        while True:
            hard = word & HARD
            count = (word >> COUNT_AT) & FIELD
            has_ace = (word >> ACE_AT) & FIELD != 0
            if count > 2:
                place = (min(count, COUNTS - 1) * 2 + (1 if has_ace else 0)) * 32 + hard
                choice = plan[LATER + place * UPS + up]
            elif split:
                choice = plan[HALVES + plan[PAIRED + first * CARDS + second] * UPS + up]
            else:
                choice = felt[ENTRY + box]
            if choice > STAND or over or table[TAPED]:
                # What may be done is asked where it is not a plain hit or stand, which a plan has
                # only where the rules permit it: that way most cards cost a third.
                soft = (hard <= SOFT_TO) & has_ace
                total = hard + SOFT_BY if soft else hard
                may = may_do(values, word, total, stake, twisted)
                if count == 2:
                    rank, other = table[WORDS + first] & HARD, table[WORDS + second] & HARD
                    if values.split_by_rank:
                        rank, other = table[RANKS + first], table[RANKS + second]
                    if rank == other and hands < values.hands_max:
                        may |= 1 << SPLIT
                    if not split and values.surrender_in_turn:
                        may |= ((values.surrender_first >> table[RANKS + dealer]) & 1) << SURRENDER
                if is_ended(values, total, soft, count, split):
                    may = 1 << STAND
                elif over:
                    again = values.aces_again and second < ACES and hands < values.hands_max
                    may = 1 << SPLIT if again else 1 << STAND
                choice = choose(table, felt, choice, may)
            if choice == HIT:
                twisted = 1
                word += table[WORDS + cards[at]]
                at += 1
            elif choice == STAND:
                break
            elif choice == DOUBLE:
                felt[SEEN + DOUBLED] += step
                doubled = amount(table, felt, values.double_least, stake, values.increment)
                wagered += doubled
                hard_aces = 0
                if not (values.double_soft or (split and values.double_initial_aces)):
                    hard_aces = (1 if first < ACES else 0) + (1 if second < ACES else 0)
                word += table[WORDS + cards[at]]
                at += 1
                total = word & HARD
                soft = total <= SOFT_TO and (word >> ACE_AT) & FIELD > hard_aces
                total += SOFT_BY if soft else 0
                for _ in range(values.redoubles):
                    place = AGAIN + ((MOST + 1 if soft else 0) + total) * UPS + up
                    if total >= MOST or not plan[place]:
                        break
                    kept = stake + doubled
                    doubled += kept
                    wagered += kept
                    word += table[WORDS + cards[at]]
                    at += 1
                    total = word & HARD
                    soft = total <= SOFT_TO and (word >> ACE_AT) & FIELD > hard_aces
                    total += SOFT_BY if soft else 0
                break
            elif choice == SPLIT:
                felt[SEEN + SEEN_SPLIT] += step
                hands += 1
                split = 1
                wagered += stake
                over = 1 if first < ACES and values.aces_one_card else 0
                felt[WAITING + 2 * waiting] = second
                second = cards[at]
                at += 1
                if values.cards_at_once:
                    felt[WAITING + 2 * waiting + 1] = cards[at]
                    at += 1
                waiting += 1
                word = table[WORDS + first] + table[WORDS + second]
            elif choice == BUY:
                felt[SEEN + BOUGHT] += step
                added = amount(table, felt, values.increment, stake, values.increment)
                bought += added
                wagered += added
                word += table[WORDS + cards[at]]
                at += 1
            else:
                gave_up = 1
                break
        if not doubled:
            total = total_of(word)
        felt[SEEN + HAND] += step
        state, bust = STANDS, total > MOST
        if total == MOST and not values.trick_cards:
            state = PAID
            net += paid_21(values, table, felt, box, dealer, word, stake, doubled, split, step)
        elif gave_up:
            felt[SEEN + SURRENDERED] += step
            net += -stake // 2
            state = GONE
        elif values.trick_cards and is_royal(word):
            felt[SEEN + SEEN_ROYAL] += step
            net += ((stake + bought) * table[OVER + ROYAL]) >> table[SHIFTS + ROYAL]
            state = PAID
        elif (
            doubled
            and total < values.withdraw_below
            and not bust
            and withdraws(table, plan, felt, total, up)
        ):
            felt[SEEN + WITHDRAWN] += step
            net -= kept
            state = GONE
        else:
            felt[SEEN + BUST] += step if bust else 0
            net -= stake + doubled + bought if bust else 0
            state = GONE if bust else STANDS
        rank, count = PLAIN, (word >> COUNT_AT) & FIELD
        if values.trick_cards:
            if count == values.trick_cards:
                rank = TRICKED
            elif count == 2 and total == MOST and (not split or values.pontoon_after_split):
                rank = PONTOONED
        place = felt[OPEN]
        felt[OPEN_BOX + place] = box
        felt[OPEN_TOTAL + place] = total
        felt[OPEN_RANK + place] = rank
        felt[OPEN_STAKE + place] = stake
        felt[OPEN_DOUBLE + place] = doubled
        felt[OPEN_BOUGHT + place] = bought
        felt[OPEN_ORIGINAL + place] = original
        felt[OPEN] = place + (1 if state == STANDS else 0)
        felt[LOST + box] |= 1 if state == GONE else 0
        if original:
            felt[ORIGINAL + box] = state
            original = 0
        if waiting == 0:
            break
        waiting -= 1
        first = felt[WAITING + 2 * waiting]
        if values.cards_at_once:
            second = felt[WAITING + 2 * waiting + 1]
        else:
            second = cards[at]
            at += 1
        over = 1 if first < ACES and values.aces_one_card else 0
        word = table[WORDS + first] + table[WORDS + second]
    felt[HANDS + box] = hands
    felt[NET + box] += net
    felt[WAGERED + box] += wagered
    return at
