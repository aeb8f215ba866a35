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
from figures.kernel.felt import (
    BONUS,
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
    FIRSTS,
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
    if paid or values.share_by_cards:
        felt[HAS_BONUS + box] = 1
    felt[SEEN + SUPER_BONUS] += step
    felt[BONUS + box] += paid


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
            soft = hard <= SOFT_TO and (word >> ACE_AT) & FIELD != 0
            total = hard + SOFT_BY if soft else hard
            count = (word >> COUNT_AT) & FIELD
            if over and not (values.aces_again and second < ACES and hands < values.hands_max):
                break
            if total > MOST or count == values.trick_cards:
                break
            if total == MOST and (
                not (soft and values.soft_21)
                or (count == 2 and (not split or values.pontoon_after_split))
            ):
                break
            may = 1
            if total >= values.stand_minimum:
                may |= 1 << STAND
            if stake >= values.double_least and values.doubles and (count == 2 or values.double_any):
                may |= ((values.double_totals >> hard) & 1) << DOUBLE
            if values.buys and not twisted:
                free = count == values.trick_cards - 1 and hard < values.free_below
                if not free:
                    may |= 1 << BUY
            if count == 2:
                rank, other = table[RANKS + first], table[RANKS + second]
                if not values.split_by_rank:
                    rank, other = table[WORDS + first] & HARD, table[WORDS + second] & HARD
                if rank == other and hands < values.hands_max:
                    may |= 1 << SPLIT
                place = plan[PAIRED + first * CARDS + second] * UPS + up
                if split:
                    entry = plan[HALVES + place]
                else:
                    entry = plan[FIRSTS + place]
                    if values.surrender_in_turn and (values.surrender_first >> table[RANKS + dealer]) & 1:
                        may |= 1 << SURRENDER
            else:
                counted = count if count < COUNTS else COUNTS - 1
                has_ace = 1 if (word >> ACE_AT) & FIELD else 0
                entry = plan[LATER + ((counted * 2 + has_ace) * 32 + hard) * UPS + up]
            choice = SPLIT if over else choose(table, felt, entry, may)
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
                again = values.redoubles
                while again:
                    again -= 1
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
        felt[SEEN + HAND] += step
        state = STANDS
        if gave_up:
            felt[SEEN + SURRENDERED] += step
            net += -stake // 2
            state = GONE
        elif total > MOST:
            felt[SEEN + BUST] += step
            net -= stake + doubled + bought
            state = GONE
        elif values.trick_cards:
            if (word >> RANKED_AT) & RANKED == SEVENS and (word >> COUNT_AT) & FIELD == 3:
                felt[SEEN + SEEN_ROYAL] += step
                net += ((stake + bought) * table[OVER + ROYAL]) >> table[SHIFTS + ROYAL]
                state = PAID
        elif total == MOST:
            state = PAID
            if doubled:
                net += ((stake + doubled) * table[OVER + REGULAR]) >> table[SHIFTS + REGULAR]
            else:
                line = line_of(word)
                felt[SEEN + LINE + line] += step
                net += (stake * table[OVER + line]) >> table[SHIFTS + line]
                if (
                    line - SUITED_SEVENS in (0, 1)
                    and values.has_super_bonus
                    and table[RANKS + dealer] == SEVEN
                    and (not split or values.bonus_after_split)
                ):
                    super_bonus(values, table, felt, box, stake, step)
        elif doubled and total < values.withdraw_below and withdraws(table, plan, felt, total, up):
            felt[SEEN + WITHDRAWN] += step
            net -= kept
            state = GONE
        if state == STANDS:
            place = felt[OPEN]
            felt[OPEN] = place + 1
            felt[OPEN_BOX + place] = box
            felt[OPEN_TOTAL + place] = total
            felt[OPEN_RANK + place] = PLAIN
            if values.trick_cards:
                count = (word >> COUNT_AT) & FIELD
                if count == values.trick_cards:
                    felt[OPEN_RANK + place] = TRICKED
                elif count == 2 and total == MOST and (not split or values.pontoon_after_split):
                    felt[OPEN_RANK + place] = PONTOONED
            felt[OPEN_STAKE + place] = stake
            felt[OPEN_DOUBLE + place] = doubled
            felt[OPEN_BOUGHT + place] = bought
            felt[OPEN_ORIGINAL + place] = original
        elif state == GONE:
            felt[LOST + box] = 1
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
