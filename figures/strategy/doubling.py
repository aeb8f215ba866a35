"""What doubled hands are worth: kept, with the last part taken back, or doubled again.

A hand that was doubled n times has 2 to the n units at stake, and all that it brings grows with
them, but for one unit where a dealer's Pontoon takes no more (:attr:`~.model.GameModel.fixed`).
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from figures.kernel.words import MOST
from figures.strategy.model import ACE, GameModel
from figures.strategy.shoes import POINTS, Array, Whole

NONE: Final = -np.inf
"""The value of what may not be done."""
KEEP: Final = 0
WITHDRAW: Final = 1
AGAIN: Final = 2


class DoubledTables(NamedTuple):
    """1 where it is done: the doubled part taken back, by total and dealer's value; doubling
    ``again``, by whether an ace counts 11 in it, total and dealer's value."""

    withdraws: Whole
    again: Whole


class DoubledHands(NamedTuple):
    """Hands of which each was doubled as often: the values of what may be done (:data:`KEEP` …), by
    that, hand, whether an ace may count 11, and dealer's value; what is chosen, and the value of
    that; ``over`` is the value of one that goes over 21, by the hand before, card and dealer's
    value. All are in units of the wager before the deal."""

    options: Array
    chosen: Whole
    value: Array
    over: Array


def doubled_hands(model: GameModel, tables: DoubledTables | None) -> tuple[DoubledHands, ...]:
    """The hands after the first double, after the second, and so on, as often as the rules permit;
    decided by the tables, or by what is worth most."""
    found: list[DoubledHands] = []
    for doubles in reversed(range(1, model.values.redoubles + 2)):
        found.insert(0, _hands(model, 2**doubles, found[0] if found else None, tables))
    return tuple(found)


def doubling(model: GameModel, hands: DoubledHands, free: Whole) -> Array:
    """The value of a card more that makes such a hand, by hand before it, whether an ace of that
    may count 11 (``free``, by hand and as many columns as are asked for), and dealer's value."""
    found = np.zeros((*free.shape, POINTS))
    for value in range(POINTS):
        then = model.hands.then[:, value]
        end = hands.value[then[:, None], free | (value == ACE)]
        end = np.where((then < 0)[:, None, None], hands.over[:, None, value], end)
        found += model.draw[:, None, value] * end
    return found


def arriving_again(model: GameModel, hands: DoubledHands, arrived: Array) -> Array:
    """The chances of hands with one double more: ``arrived`` has those of ``hands``."""
    going, found = arrived * (hands.chosen == AGAIN), np.zeros((len(arrived) + 1, 2, POINTS))
    for value in range(POINTS):
        for free in (0, 1):
            then = model.hands.then[:, value]
            late = np.full_like(then, free | (value == ACE))
            np.add.at(found, (then, late), going[:, free] * model.draw[:, value])
    return found[:-1]


def _hands(
    model: GameModel, units: int, more: DoubledHands | None, tables: DoubledTables | None
) -> DoubledHands:
    """Hands with so many units at stake; ``more`` are those with one double more."""
    total, spoilt = model.doubled_total, model.spoilt[:, None]
    kept = units / 2 * (model.doubled + model.fixed) - model.fixed
    may_withdraw = (total < model.values.withdraw_below) & (total < MOST)
    withdrawn = np.where(may_withdraw[:, :, None], units / 2 * (spoilt - 1) - spoilt, NONE)
    again = np.full(kept.shape, NONE)
    if more is not None:
        free = np.broadcast_to(np.arange(2), total.shape)
        again = np.where((total < MOST)[:, :, None], doubling(model, more, free), NONE)
    options = np.stack([kept, withdrawn, again])
    chosen = np.argmax(options, axis=0)
    if tables is not None:
        soft = (total != model.hands.hard[:, None]).astype(np.int64)
        gone = np.isfinite(withdrawn) & (tables.withdraws[total] > 0)
        on = np.isfinite(again) & (tables.again[soft, total] > 0)
        chosen = np.where(on, AGAIN, np.where(gone, WITHDRAW, KEEP))
    value = np.take_along_axis(options, chosen[None], 0)[0]
    looked = model.over + 2  # the chance that a dealer's Pontoon has taken one unit before
    return DoubledHands(options, chosen, value, units * (model.over + 1) - looked)
