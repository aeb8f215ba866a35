"""What a hand wins against each outcome of the dealer's hand, in units of the wager before the
deal: settled by the kernel itself (:mod:`figures.kernel.against`)."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from figures.kernel.against import settle_against
from figures.kernel.felt import (
    HANDS,
    LEFT,
    MAIN,
    NET,
    OPEN,
    OPEN_DOUBLE,
    OPEN_ORIGINAL,
    OPEN_RANK,
    OPEN_STAKE,
    OPEN_TOTAL,
    PLAIN,
    PONTOONED,
    SIZE,
    SURRENDERED,
    TRICKED,
)
from figures.kernel.tables import PONTOON, Table
from figures.kernel.values import Values
from figures.kernel.words import MOST
from figures.strategy.outcomes import DealerHands
from figures.strategy.shoes import Array, odds_of

UNIT: Final = 1 << 20
"""A stake, in cents, of which every odds are whole."""


class Foreign(NamedTuple):
    """What the kernel plays in no way: ``compares_21``: a player's 21 is compared like other
    totals; ``ties_pontoon``: a Pontoon against the dealer's is a stand-off."""

    compares_21: bool = False
    ties_pontoon: bool = False


OURS: Final = Foreign()


class Payoffs(NamedTuple):
    """By total (0 to 21) and outcome, but for Pontoon and surrender: these by outcome."""

    plain: Array
    doubled: Array
    trick: Array
    pontoon: Array
    surrender: Array


def payoffs(values: Values, table: Table, dealer: DealerHands, foreign: Foreign) -> Payoffs:
    """What the rules make of every hand."""
    totals = range(MOST + 1)
    pontoons = np.array(dealer.pontoons)
    plain = np.array([[_settled(values, table, w, t, PLAIN) for w in dealer.words] for t in totals])
    doubled = np.array(
        [[_settled(values, table, w, t, PLAIN, UNIT) for w in dealer.words] for t in totals]
    )
    trick = np.array(
        [[_settled(values, table, w, t, TRICKED) for w in dealer.words] for t in totals]
    )
    if values.trick_cards:
        pontoon = np.array([_settled(values, table, w, MOST, PONTOONED) for w in dealer.words])
    else:
        pontoon = np.full(len(dealer.words), odds_of(table, PONTOON))
    if foreign.ties_pontoon:
        pontoon[pontoons] = 0.0
    if values.hole_card:
        doubled[:, pontoons] = -1.0
    surrender = np.array([_surrendered(values, table, word) for word in dealer.words])
    if values.surrender_in_turn:
        surrender[:] = -0.5
        surrender[pontoons] -= 0.5 * values.hole_card
    return Payoffs(plain, doubled, trick, pontoon, surrender)


def _settled(
    values: Values, table: Table, dealer: int, total: int, rank: int, double: int = 0
) -> float:
    felt = [0] * SIZE
    felt[OPEN], felt[HANDS] = 1, 1
    felt[OPEN_TOTAL], felt[OPEN_RANK], felt[OPEN_ORIGINAL] = total, rank, 1
    felt[OPEN_STAKE], felt[OPEN_DOUBLE] = UNIT, double
    settle_against(values, table, felt, 1, dealer)
    return felt[NET] / UNIT


def _surrendered(values: Values, table: Table, dealer: int) -> float:
    felt = [0] * SIZE
    felt[LEFT], felt[MAIN], felt[SURRENDERED] = 1, UNIT, 1
    settle_against(values, table, felt, 1, dealer)
    return felt[NET] / UNIT
