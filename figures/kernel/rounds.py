"""One round from its first card to its last settlement.

The same as ``controller.game.round`` plays for one bettor on each box: initial deal, side wagers on
two cards, Pontoons, the button, offers, the players' hands, the dealer, the final settlement.
"""

from __future__ import annotations

from figures.kernel.against import settle_against
from figures.kernel.chance import GAMMA, MASK, mixed, part
from figures.kernel.choices import PREFERENCE, SURRENDER, taped
from figures.kernel.dealer import is_pontoon, play_dealer
from figures.kernel.felt import (
    BONUS,
    BOXES_MAX,
    BUTTON,
    BUTTON_NET,
    DEALER,
    DRAWN,
    ENTRY,
    FIRST,
    HANDS,
    HAS_BONUS,
    INSURED,
    INSURED_NET,
    LEFT,
    LOST,
    MAIN,
    NET,
    OPEN,
    ORIGINAL,
    RANDOM,
    RARE,
    SECOND,
    SEEN,
    SHARED,
    SIDE_NET,
    SIDES,
    SIDES_MAX,
    STANDS,
    SURRENDERED,
    WAGERED,
    WORD,
    Cells,
)
from figures.kernel.hands import play_box
from figures.kernel.marks import kernel
from figures.kernel.plans import FIRSTS, INSURES, PAIRED, UPS, Plan
from figures.kernel.tables import (
    MULTIPLIER_COUNT,
    MULTIPLIERS,
    OVER,
    PONTOON,
    RANKS,
    SHIFTS,
    TAPED,
    TICKETS,
    WON,
    WORDS,
    Table,
)
from figures.kernel.tallies import DEALER as SEEN_DEALER
from figures.kernel.tallies import DEALER_IDLE, DEALER_PONTOON, DEALER_TRICK
from figures.kernel.tallies import DRAWN as SEEN_DRAWN
from figures.kernel.tallies import PONTOON as SEEN_PONTOON
from figures.kernel.tallies import SURRENDERED as SEEN_SURRENDERED
from figures.kernel.values import Values
from figures.kernel.words import ACE_AT, CARDS, COUNT_AT, FIELD, HARD, MOST, SOFT_TO, total_of


@kernel
def see_dealer(values: Values, felt: Cells, word: int, step: int) -> None:
    """Count what the dealer's hand has come to."""
    count = (word >> COUNT_AT) & FIELD
    total = total_of(word)
    trick = (count == values.trick_cards) & (total <= MOST)
    seen = DEALER_PONTOON if (count == 2) & (total == MOST) else total
    seen = DEALER_TRICK if trick else seen
    seen = DEALER_IDLE if count == 1 else seen
    felt[SEEN + SEEN_DEALER + seen] += step


@kernel
def clear_rare(felt: Cells, boxes: int) -> None:
    """Forget what the round before had and most rounds have not."""
    felt[RARE] = 0
    for box in range(boxes):
        felt[INSURED + box] = 0
        felt[INSURED_NET + box] = 0
        felt[SURRENDERED + box] = 0
        felt[BONUS + box] = 0
        felt[SHARED + box] = 0
        felt[HAS_BONUS + box] = 0
        felt[DRAWN + box] = 0


@kernel
def draw_all(values: Values, table: Table, felt: Cells, boxes: int, step: int) -> None:
    """Draw a multiplier for each box that wins at the button, in the order of the rules."""
    for turn in range(boxes):
        box = turn if values.ascending else boxes - 1 - turn
        word = felt[WORD + box]
        if not felt[BUTTON + box] or word & HARD != SOFT_TO or not (word >> ACE_AT) & FIELD:
            continue
        drawn = 0
        if table[TAPED]:
            drawn = taped(table, felt, table[MULTIPLIER_COUNT])
        else:
            state = (felt[RANDOM] + GAMMA) & MASK
            felt[RANDOM] = state
            ticket = part(mixed(state), table[TICKETS + table[MULTIPLIER_COUNT] - 1])
            while ticket >= table[TICKETS + drawn]:
                drawn += 1
        felt[SEEN + SEEN_DRAWN + drawn] += step
        felt[RARE] = 1
        felt[DRAWN + box] = table[MULTIPLIERS + drawn]
        felt[BUTTON_NET + box] = felt[BUTTON + box] * table[MULTIPLIERS + drawn]


@kernel
def offer(
    values: Values,
    table: Table,
    plan: Plan,
    felt: Cells,
    boxes: int,
    dealer: int,
    step: int,
) -> None:
    """Offer insurance and, where it is before play, surrender."""
    felt[RARE] = 1
    rank = table[RANKS + dealer]
    insurable = (values.insurance_first >> rank) & 1
    may_give_up = (values.surrender_first >> rank) & 1 and not values.surrender_in_turn
    for box in range(boxes):
        word = felt[WORD + box]
        if word & HARD == SOFT_TO and (word >> ACE_AT) & FIELD and not values.trick_cards:
            continue
        if insurable:
            half = felt[MAIN + box] // 2
            if table[TAPED]:
                felt[INSURED + box] = taped(table, felt, half + 1)
            elif plan[INSURES]:
                felt[INSURED + box] = half
            felt[LEFT] += 1 if felt[INSURED + box] else 0
        if may_give_up:
            if table[TAPED]:
                gives_up = taped(table, felt, 2)
            else:
                gives_up = 1 if felt[ENTRY + box] & PREFERENCE == SURRENDER else 0
            if gives_up:
                felt[SEEN + SEEN_SURRENDERED] += step
                felt[SURRENDERED + box] = 1
                felt[ORIGINAL + box] = STANDS
                felt[HANDS + box] = 1
                felt[LEFT] += 1


@kernel
def play_round(  # noqa: PLR0915 - as in hands.py
    values: Values,
    table: Table,
    plan: Plan,
    felt: Cells,
    cards: Cells,
    at: int,
    boxes: int,
    sides: int,
    step: int,
) -> int:
    """Play a round of ``boxes`` boxes with the cards from ``at`` on; the place behind the last.
    ``sides`` side wagers are settled on two cards. ``step`` is added to what is counted as seen: -1
    takes a round back."""
    dealer = cards[at + boxes]
    felt[OPEN] = 0
    felt[LEFT] = 0
    felt[DEALER] = table[WORDS + dealer]
    up = (table[WORDS + dealer] & HARD) - 1
    winners = bonuses = 0
    if felt[RARE]:
        clear_rare(felt, boxes)
    offers = table[TAPED] + plan[INSURES]
    for box in range(boxes):
        first, second = cards[at + box], cards[at + boxes + 1 + box]
        word = table[WORDS + first] + table[WORDS + second]
        felt[FIRST + box] = first
        felt[SECOND + box] = second
        felt[WORD + box] = word
        felt[NET + box] = 0
        felt[WAGERED + box] = 0
        felt[LOST + box] = 0
        pontoon = word & HARD == SOFT_TO and (word >> ACE_AT) & FIELD != 0
        pair = plan[PAIRED + first * CARDS + second]
        entry = plan[FIRSTS + pair * UPS + up]
        felt[ENTRY + box] = entry
        offers += 1 if entry & PREFERENCE == SURRENDER else 0
        for side in range(sides):
            stake = felt[SIDES + side * BOXES_MAX + box]
            won = table[WON + pair * SIDES_MAX + side]
            felt[SIDE_NET + side * BOXES_MAX + box] = stake * won if won else -stake
        felt[BUTTON_NET + box] = 0 if pontoon else -felt[BUTTON + box]
        if pontoon:
            felt[SEEN + SEEN_PONTOON] += step
            winners += 1 if felt[BUTTON + box] else 0
    if winners:
        draw_all(values, table, felt, boxes, step)
    if offers and ((values.insurance_first | values.surrender_first) >> table[RANKS + dealer]) & 1:
        offer(values, table, plan, felt, boxes, dealer, step)
    at += 2 * boxes + 1
    hole, ended = at, False
    if values.hole_card:
        at += 1
        word = felt[DEALER] + table[WORDS + cards[hole]]
        ended = is_pontoon(word)
        if ended:
            felt[DEALER] = word
    for box in range(boxes):
        word = felt[WORD + box]
        if word & HARD == SOFT_TO and (word >> ACE_AT) & FIELD and not values.trick_cards:
            felt[NET + box] = (felt[MAIN + box] * table[OVER + PONTOON]) >> table[SHIFTS + PONTOON]
            felt[WAGERED + box] = felt[MAIN + box]
        elif felt[SURRENDERED + box]:
            felt[WAGERED + box] = felt[MAIN + box]
        elif ended:
            felt[WAGERED + box] = felt[MAIN + box]
            felt[NET + box] = -felt[MAIN + box]
        else:
            at = play_box(values, table, plan, felt, cards, at, box, dealer, step)
            bonuses += felt[HAS_BONUS + box]
    second = hole if values.hole_card else at
    at, word = play_dealer(values, table, felt, cards, at, second)
    see_dealer(values, felt, word, step)
    settle_against(values, table, felt, boxes, word)
    if bonuses:
        for box in range(boxes):
            felt[SHARED + box] = 0 if felt[HAS_BONUS + box] else values.share
    return at
