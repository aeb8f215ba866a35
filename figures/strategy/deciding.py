"""The value of every decision in every hand, from the last card back to the first two.

A hand is its multiset of values and a state. Where hands are doubled, state 1 says that
an ace came after the first two cards, which may count 11 after a double; what one brings is from
:mod:`~.doubling`. Where cards are bought, the last state says that one was taken free, so that none
is bought any more: its values are for one unit, whatever was bought before. In state k, k cards
were bought for the smallest sum and all others for a unit.

That no sum in between is ever better: let V(h, w) be what a hand h that may still buy is worth with
w units at stake. To stand, and to take a card free, is worth a multiple of w, for from then on all
that a hand brings grows with what is staked. To buy for a is worth the mean of V(h + card, w + a).
If V(h + card, .) is convex for every card, as it is for a hand that is complete or over, where it
is a multiple of w, then so is that mean, in a as in w. A convex function of a is greatest at one of
its ends, the smallest sum or the whole wager; and V(h, .), the greatest of convex functions of w,
is convex again. So it holds from the last card back to the first two.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from figures.kernel.choices import BUY, BUY_LITTLE, CHOICES, DOUBLE, HIT, SPLIT, STAND, SURRENDER
from figures.kernel.words import CLASSES
from figures.strategy.doubling import NONE, DoubledHands, DoubledTables, doubled_hands, doubling
from figures.strategy.model import ACE, SEVEN, GameModel
from figures.strategy.shoes import POINTS, Array, Whole, odds_of

Choose = Callable[[Array, Whole], Whole]
"""Which of the choices is made: from their values (by choice, hand, state and dealer's value; what
may not be done is minus infinity) and the rows of the hands."""


class LaterHands(NamedTuple):
    """Hands of two cards and more: the values of all choices, by choice, hand, state and dealer's
    value, what is chosen, and the value of that; and ``doubled`` ones, by how often they were (none
    where nothing is doubled)."""

    options: Array
    chosen: Whole
    value: Array
    doubled: tuple[DoubledHands, ...]


def best(options: Array, _rows: Whole) -> Whole:
    """Choose what is worth most."""
    chosen: Whole = np.argmax(options, axis=0)
    return chosen


def later(model: GameModel, choose: Choose, tables: DoubledTables | None = None) -> LaterHands:
    """The values of hands from two cards on, where decisions are made by ``choose``, those on
    doubled hands by ``tables``, or by what is worth most."""
    values, hands = model.values, model.hands
    count = len(hands.hard)
    states = len(model.ways)
    options = np.full((CHOICES, count, states, POINTS), NONE)
    chosen = np.zeros((count, states, POINTS), dtype=np.int64)
    value = np.zeros((count + 1, states, POINTS))
    value[-1] = -1.0  # where ``then`` is -1, a hand is over
    doubled = doubled_hands(model, tables) if values.doubles else ()
    double = _doubled(model, doubled[0], soft=bool(values.double_soft)) if doubled else None
    for cards in reversed(range(2, len(hands.levels))):
        rows = hands.levels[cards]
        then, draw, ends = hands.then[rows], model.draw[rows], model.ends[rows][:, None]
        goes_on = np.where(ends, NONE, 0.0)
        stands = np.where(
            (hands.total[rows] >= values.stand_minimum)[:, None] | ends, model.stand[rows], NONE
        )
        for state in range(states):
            buying = values.buys and state < states - 1
            units = max(1, cards - 1 - state * (1 - model.little)) if buying else 1
            follows = value[then, states - 1 if values.buys else state]
            if not values.buys:
                follows[:, ACE] = value[then[:, ACE], 1]
            options[STAND, rows, state] = stands * units
            options[HIT, rows, state] = _mean(draw, follows) * units + goes_on
            if double is not None and (cards == 2 or values.double_any):
                may = (values.double_totals >> hands.hard[rows]) & 1
                options[DOUBLE, rows, state] = np.where(
                    may[:, None] == 1, double[rows, state] + goes_on, NONE
                )
            if not buying:
                continue
            free = (cards == values.trick_cards - 1) & (hands.hard[rows] < values.free_below)
            for choice, sum_, to in ((BUY, 1, state), (BUY_LITTLE, model.little, state + 1)):
                if to < states - 1:
                    bought = np.where((then < 0)[:, :, None], -sum_ - units, value[then, to])
                    mean = np.where(free[:, None], NONE, _mean(draw, bought))
                    options[choice, rows, state] = mean + goes_on
        picked = choose(options[:, rows], rows)
        chosen[rows] = picked
        value[rows] = np.take_along_axis(options[:, rows], picked[None], 0)[0]
    return LaterHands(options, chosen, value, doubled)


def first(model: GameModel, after: LaterHands, *, half: bool = False) -> Array:
    """The values of all choices on two cards, by choice, class and dealer's value; ``half``: a
    split has formed the hand. That of a split is not among them."""
    values, two, there = model.values, model.two, model.two.there
    rows = model.rows[there]
    options = np.full((CHOICES, CLASSES, POINTS), NONE)
    options[:, there] = after.options[:, rows, 0]
    ends = model.ends[rows]
    hits = options[HIT, there]
    if not values.trick_cards and not model.foreign.compares_21:
        more = two.pays[there] - odds_of(model.table, 0)
        paid = 1 - model.spoilt[model.hands.then[rows]]
        hits = hits + np.einsum("kcu,kc,kcu->ku", model.draw[rows], more, paid)
    if values.has_super_bonus and (not half or values.bonus_after_split):
        hits[:, SEVEN] += model.super_bonus * bonus_chance(model)[there]
    options[HIT, there] = hits
    if half and values.doubles and values.double_initial_aces:
        soft = _doubled(model, after.doubled[0], soft=True)[rows, 0]
        options[DOUBLE, there] = np.where(np.isfinite(options[DOUBLE, there]), soft, NONE)
    if not half:
        may = model.may_surrender[None] & ~ends[:, None]
        options[SURRENDER, there] = np.where(may == 1, model.surrender[rows], NONE)
    for place in there:
        if model.is_pontoon(place) and (not half or values.pontoon_after_split):
            options[:, place] = NONE
            options[STAND, place] = model.pontoon
    return options


def bonus_chance(model: GameModel) -> Array:
    """The chance of a Super Bonus with the third card, by class, against a 7."""
    found = np.zeros(CLASSES)
    there = model.two.there
    found[there] = np.einsum(
        "kc,kc->k", model.draw[model.rows[there], :, SEVEN], model.two.bonus[there]
    )
    return found


def with_splits(model: GameModel, options: Array, splits: Array | None) -> Array:
    """The same with the values of splits, by class and dealer's value."""
    found = options.copy()
    if splits is not None:
        found[SPLIT, model.pairs] = splits[model.pairs]
    return found


def _doubled(model: GameModel, hands: DoubledHands, *, soft: bool) -> Array:
    """The value of a double, by hand, state and dealer's value; ``soft``: aces of the first two
    cards may count 11, too."""
    free = np.broadcast_to(np.arange(2), (len(model.hands.hard), 2))
    return doubling(model, hands, free | (model.hands.aces[:, None] > 0) if soft else free)


def _mean(draw: Array, follows: Array) -> Array:
    mean: Array = np.einsum("hcu,hcu->hu", draw, follows)
    return mean
