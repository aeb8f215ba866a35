"""Many rounds with the same wagers, from a new shoe on, and their sums."""

from __future__ import annotations

from typing import Final

from figures.kernel.felt import (
    BONUS,
    BOXES_MAX,
    BUTTON_NET,
    INSURED,
    INSURED_NET,
    MAIN,
    NET,
    RANDOM,
    RARE,
    SHARED,
    SIDE_NET,
    TAPE_USED,
    WAGERED,
    Cells,
)
from figures.kernel.marks import kernel
from figures.kernel.plans import Plan
from figures.kernel.rounds import play_round
from figures.kernel.shoe import AT, DUE, begin_round, end_round, is_too_small, provide_all, suffices
from figures.kernel.tables import Table
from figures.kernel.values import Values

# ---- a tally is one row: sums, and two distributions -----------------------------------------
ROUNDS: Final = 0
SUM_NET: Final = 1
SUM_WAGERED: Final = 2
SUM_INSURED: Final = 3
SUM_INSURED_NET: Final = 4
SUM_BUTTON_NET: Final = 5
SUM_BONUS: Final = 6
SUM_SHARED: Final = 7
SHOE_NET: Final = 8
"""Of the present shoe."""
NET_SQUARED: Final = 10
"""Squares of what shoes brought, of their rounds, and the product of both."""
ROUNDS_SQUARED: Final = 11
NET_BY_ROUNDS: Final = 12
SHOE_WAGERED: Final = 13
"""What stood on the main wagers of the present shoe; of all shoes its squares, and its products
with what they brought."""
WAGERED_SQUARED: Final = 14
NET_BY_WAGERED: Final = 15
SUM_SIDE_NET: Final = 16
"""By side wager."""
MAIN_SQUARED: Final = 20
"""Squares of what rounds brought."""
MAIN_CARRIED: Final = 21
ALL_CARRIED: Final = 22
"""Cents that are less than a half of a wager, carried on to the next round's in a distribution."""

WHOLE: Final = 2
"""Cents of a wager whose halves are whole."""
MIDDLE: Final = 1024
"""The place of a net of 0 in a distribution."""
NETS: Final = 4096
OF_MAIN: Final = 32
"""Rounds by the net of their main wagers in halves of a wager, rounded such that the mean stays;
what is beyond the ends is counted at them."""
OF_ALL: Final = OF_MAIN + NETS
"""By that of all wagers, without the Super Bonus and its shares."""
TALLY: Final = OF_ALL + NETS


@kernel
def end_shoe(tally: Cells, rounds: int) -> None:
    """Square what the shoe has brought in so many rounds."""
    net, wagered = tally[SHOE_NET], tally[SHOE_WAGERED]
    tally[SUM_NET] += net
    tally[ROUNDS] += rounds
    tally[SUM_WAGERED] += wagered
    tally[NET_SQUARED] += net * net
    tally[ROUNDS_SQUARED] += rounds * rounds
    tally[NET_BY_ROUNDS] += net * rounds
    tally[WAGERED_SQUARED] += wagered * wagered
    tally[NET_BY_WAGERED] += net * wagered
    tally[SHOE_NET] = 0
    tally[SHOE_WAGERED] = 0


@kernel
def count_rare(felt: Cells, tally: Cells, boxes: int) -> int:
    """Add what most rounds have not; the net of insurances."""
    net = 0
    for box in range(boxes):
        net += felt[INSURED_NET + box]
        tally[SUM_INSURED] += felt[INSURED + box]
        tally[SUM_BONUS] += felt[BONUS + box]
        tally[SUM_SHARED] += felt[SHARED + box]
    tally[SUM_INSURED_NET] += net
    return net


@kernel
def in_halves(tally: Cells, carried: int, net: int, wager: int) -> int:
    """Halves of a wager in a net; what is left over is carried on to the next one."""
    net += tally[carried]
    halves = net // (wager // 2)
    tally[carried] = net - halves * (wager // 2)
    return halves


@kernel
def count_round(felt: Cells, tally: Cells, boxes: int, sides: int) -> None:
    """Add a round to the sums."""
    main = wagered = others = 0
    for box in range(boxes):
        main += felt[NET + box]
        wagered += felt[WAGERED + box]
        others += felt[BUTTON_NET + box]
    tally[SUM_BUTTON_NET] += others
    if felt[RARE]:
        others += count_rare(felt, tally, boxes)
    for side in range(sides):
        net = 0
        for box in range(boxes):
            net += felt[SIDE_NET + side * BOXES_MAX + box]
        tally[SUM_SIDE_NET + side] += net
        others += net
    tally[SHOE_NET] += main
    tally[SHOE_WAGERED] += wagered
    tally[MAIN_SQUARED] += main * main
    of_main, of_all = main, main + others
    if felt[MAIN] != WHOLE:
        of_main = in_halves(tally, MAIN_CARRIED, of_main, felt[MAIN])
        of_all = in_halves(tally, ALL_CARRIED, of_all, felt[MAIN])
    tally[OF_MAIN + min(max(of_main + MIDDLE, 0), NETS - 1)] += 1
    tally[OF_ALL + min(max(of_all + MIDDLE, 0), NETS - 1)] += 1


@kernel
def play_again(
    values: Values,
    table: Table,
    plan: Plan,
    felt: Cells,
    shoe: Cells,
    boxes: int,
    sides: int,
) -> int:
    """Play a round, and again until its cards suffice; the place behind its last."""
    at = shoe[AT]
    tape, state, step = felt[TAPE_USED], felt[RANDOM], 1
    while True:
        behind = play_round(values, table, plan, felt, shoe, at, boxes, sides, step)
        if step == 1 and suffices(shoe, behind):
            return behind
        felt[TAPE_USED] = tape
        if step == 1:  # the same once more, to be taken back
            felt[RANDOM] = state
        else:
            provide_all(shoe, felt)
            state = felt[RANDOM]
        step = -step


@kernel
def play_block(
    values: Values,
    table: Table,
    plan: Plan,
    felt: Cells,
    shoe: Cells,
    tally: Cells,
    rounds: int,
    boxes: int,
    sides: int,
) -> bool:
    """Play rounds, the first from a new shoe; False: the shoe is too small for one of them."""
    shoe[DUE] = 1
    of_shoe = 0
    for _ in range(rounds):
        if begin_round(values, shoe, felt):
            end_shoe(tally, of_shoe)
            of_shoe = 0
        behind = play_again(values, table, plan, felt, shoe, boxes, sides)
        if is_too_small(shoe, behind):
            return False
        end_round(values, shoe, behind)
        count_round(felt, tally, boxes, sides)
        of_shoe += 1
    end_shoe(tally, of_shoe)
    return True
