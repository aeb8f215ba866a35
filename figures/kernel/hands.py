"""A box's hands, one after the other, until each is settled or waits for the dealer.

The same as ``controller.game.round``'s states ``play.…`` (:mod:`controller.game.round.machine`) and
:mod:`controller.game.round.settling.interim`, for one bettor on each box. It is one long function:
what a hand is made of stays next to the processor while cards come.
"""

from __future__ import annotations

from typing import Final

from figures.kernel.choices import (
    BUY,
    BUY_LITTLE,
    DOUBLE,
    HIT,
    SPLIT,
    STAND,
    SURRENDER,
    amount,
    choose,
    taped,
)
from figures.kernel.endings import is_ended, is_royal, may_do, rank_of
from figures.kernel.felt import (
    ENTRY,
    FIRST,
    GONE,
    HANDS,
    MAIN,
    NET,
    ORIGINAL,
    PAID,
    SECOND,
    SEEN,
    STANDS,
    WAGERED,
    WAITING,
    WORD,
    Cells,
)
from figures.kernel.marks import kernel
from figures.kernel.plans import (
    AGAIN,
    COUNTS,
    FREE,
    HALVES,
    LATER,
    OF_A_WAY,
    PAIRED,
    UPS,
    WITHDRAWS,
    Plan,
)
from figures.kernel.settling import lay_open, paid_21
from figures.kernel.tables import OVER, RANKS, ROYAL, SHIFTS, TAPED, WORDS, Table
from figures.kernel.tallies import BOUGHT, BUST, DOUBLED, HAND, SURRENDERED, WITHDRAWN
from figures.kernel.tallies import ROYAL as SEEN_ROYAL
from figures.kernel.tallies import SPLIT as SEEN_SPLIT
from figures.kernel.values import Values
from figures.kernel.words import (
    ACE_AT,
    CARDS,
    COUNT_AT,
    FIELD,
    HARD,
    MOST,
    SOFT_BY,
    SOFT_TO,
    total_of,
)


@kernel
def withdraws(values: Values, table: Table, plan: Plan, felt: Cells, total: int, up: int) -> int:
    """Whether the doubled part of a hand of that total is taken back."""
    if total >= values.withdraw_below:
        return 0
    if table[TAPED]:
        return taped(table, felt, 2)
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


ACES: Final = 4
"""Cards below this number are aces."""


@kernel
def play_box(  # noqa: PLR0915 - see above
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
    net, wagered, taken_free = 0, stake, FREE if values.buys else 0
    while True:
        doubled, kept, bought, twisted, total, gave_up, way = 0, stake, 0, 0, 0, 0, 0
        while True:
            hard = word & HARD
            count = (word >> COUNT_AT) & FIELD
            has_ace = (word >> ACE_AT) & FIELD != 0
            if count > 2:
                place = (min(count, COUNTS - 1) * 2 + (1 if has_ace else 0)) * 32 + hard
                choice = plan[LATER + way * OF_A_WAY + place * UPS + up]
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
                twisted, way = 1, taken_free
                word += table[WORDS + cards[at]]
                at += 1
            elif choice == STAND:
                break
            elif choice == DOUBLE:
                felt[SEEN + DOUBLED] += step
                hard_aces = 0
                if not (values.double_soft or (split and values.double_initial_aces)):
                    hard_aces = (1 if first < ACES else 0) + (1 if second < ACES else 0)
                at, word, total, doubled, kept = double_down(
                    values, table, plan, felt, cards, at, word, stake, hard_aces, up
                )
                wagered += doubled
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
            elif choice in (BUY, BUY_LITTLE):
                felt[SEEN + BOUGHT] += step
                if choice == BUY:
                    added = amount(table, felt, values.increment, stake, values.increment)
                else:
                    way += 1
                    added = values.little
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
        stakes = stake + doubled + bought
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
            net += (stakes * table[OVER + ROYAL]) >> table[SHIFTS + ROYAL]
            state = PAID
        elif doubled and not bust and withdraws(values, table, plan, felt, total, up):
            felt[SEEN + WITHDRAWN] += step
            net -= kept
            state = GONE
        else:
            felt[SEEN + BUST] += step if bust else 0
            net -= stakes if bust else 0
            state = GONE if bust else STANDS
        rank = rank_of(values, word, total, split)
        lay_open(felt, box, total, rank, stake, doubled, bought, original, state)
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
