"""Tables of decisions: for each group of hands and dealer's value the choices, best first, by the
weighted mean of what they are worth."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np

from figures.kernel.choices import BUY, BUY_LITTLE, CHOICES, DOUBLE, HIT, SPLIT, STAND
from figures.strategy.deciding import Choose, LaterHands, best, first, later, with_splits
from figures.strategy.doubling import (
    AGAIN,
    KEEP,
    WITHDRAW,
    DoubledHands,
    DoubledTables,
    arriving_again,
)
from figures.strategy.groups import HandGroups
from figures.strategy.model import ACE, GameModel
from figures.strategy.shoes import POINTS, Array, Whole


class Arrivals(NamedTuple):
    """The chance of a hand with a decision, by hand, state (:mod:`~.deciding`) and dealer's value,
    and of one after its first double, by hand, whether an ace may count 11, and dealer's
    value. Those of splits are not among them."""

    hands: Array
    doubled: Array


def arrivals(model: GameModel, first: Whole, later: Whole) -> Arrivals:
    """The chances where ``first`` is chosen, by class and dealer's value, and ``later``, by hand,
    state and dealer's value."""
    hands, buys, states = model.hands, model.values.buys, len(model.ways)
    count = len(hands.hard) + 1  # the last row takes what goes over 21
    reached, doubled = np.zeros((count, states, POINTS)), np.zeros((count, 2, POINTS))
    made = {choice: np.zeros_like(reached) for choice in (HIT, BUY, BUY_LITTLE, DOUBLE)}
    for place in model.two.there:
        if not model.is_pontoon(place):
            for choice, flow in made.items():
                flow[model.rows[place], 0] += model.two.chance[place] * (first[place] == choice)
    for cards in range(2, len(hands.levels)):
        rows = hands.levels[cards]
        if cards > 2:
            going = np.where(model.ends[rows][:, None, None], 0.0, reached[rows])
            for choice, flow in made.items():
                flow[rows] = going * (later[rows] == choice)
        for value in range(POINTS):
            then = hands.then[rows, value]
            for state in range(states):
                free = 1 if state or value == ACE else 0
                draw = model.draw[rows, value]
                hit = states - 1 if buys else free
                np.add.at(reached, (then, hit), made[HIT][rows, state] * draw)
                if buys:
                    little = min(state + 1, states - 1)
                    np.add.at(reached, (then, state), made[BUY][rows, state] * draw)
                    np.add.at(reached, (then, little), made[BUY_LITTLE][rows, state] * draw)
                    continue
                soft = np.maximum(free, model.values.double_soft * (hands.aces[rows] > 0))
                np.add.at(doubled, (then, soft), made[DOUBLE][rows, state] * draw)
    return Arrivals(reached[:-1], doubled[:-1])


NOTHING: Final = -1
RARE: Final = 1e-9
"""What a hand weighs, relative to the mean, that does not come about under the strategy."""
BEFORE_ALL: Final = 1e6
"""More than whatever a choice is worth."""
ROUNDS: Final = 3
"""How often tables are made from what the last ones are worth."""


class Tables(NamedTuple):
    """Choices, best first (:data:`NOTHING` behind them), by place, group and dealer's value, of two
    cards, of two cards of a split hand, and of more; and what is done with a doubled hand."""

    groups: HandGroups
    first: Whole
    half: Whole
    later: Whole
    doubled: DoubledTables


class Worth(NamedTuple):
    """What a strategy is worth: the values of first choices, by choice, class and dealer's value
    (:func:`~.deciding.first`), which is made, and how often hands come about."""

    options: Array
    chosen: Whole
    later: LaterHands
    arrivals: Arrivals

    def by_class(self) -> Array:
        """The value of each class and dealer's value; 0 where there is none."""
        found = np.take_along_axis(self.options, self.chosen[None], 0)[0]
        by_class: Array = np.where(np.isfinite(found), found, 0.0)
        return by_class


def optimum(model: GameModel, splits: Array | None = None) -> Worth:
    """The best decision in every hand."""
    after = later(model, best)
    options = with_splits(model, first(model, after), splits)
    chosen = np.argmax(options, axis=0)
    return Worth(options, chosen, after, arrivals(model, chosen, after.chosen))


def follow(model: GameModel, tables: Tables, splits: Array | None = None) -> Worth:
    """What the tables are worth, exactly."""
    after = later(model, _choose_by(tables.later, tables.groups.later), tables.doubled)
    options = with_splits(model, first(model, after), splits)
    chosen = _preferred(options, tables.first, tables.groups.first)
    return Worth(options, chosen, after, arrivals(model, chosen, after.chosen))


def tables_for(model: GameModel, groups: HandGroups, splits: Array | None = None) -> Tables:
    """The best tables of these groups: made from the optimum, then from what they are worth
    themselves."""
    worth = optimum(model, splits)
    found, value = _tables(model, groups, worth), -np.inf
    for _ in range(ROUNDS):
        worth = follow(model, found, splits)
        total = float((model.two.chance * worth.by_class()).sum())
        if total <= value:
            break
        kept, value = found, total
        found = _tables(model, groups, worth)
    return kept


def _tables(model: GameModel, groups: HandGroups, worth: Worth) -> Tables:
    halves = first(model, worth.later, half=True)
    halves[SPLIT] = np.where(np.isfinite(worth.options[SPLIT]), worth.options[SPLIT], halves[SPLIT])
    weights = model.two.chance[:, None]
    of_first = groups.first[:, None]
    return Tables(
        groups,
        _table(worth.options[:, :, None], weights, of_first, len(groups.firsts)),
        _table(halves[:, :, None], weights, of_first, len(groups.firsts)),
        _table(worth.later.options, worth.arrivals.hands, groups.later, len(groups.laters)),
        _doubled(model, worth.later.doubled, worth.arrivals.doubled),
    )


def _table(options: Array, weights: Array, group: Whole, groups: int) -> Whole:
    """The order of the choices of each group: ``options`` by choice, hand, state, dealer's
    value."""
    there, states = group >= 0, options.shape[2]
    options, group = options[:, there], group[there]
    weights = weights[there] + RARE * weights.mean()
    may = np.isfinite(options)
    values = np.where(may, options, 0.0) * weights
    sums = np.zeros((CHOICES, groups, POINTS))
    legal = np.zeros((CHOICES, groups, POINTS), dtype=bool)
    for choice in range(CHOICES):
        np.add.at(sums[choice], group, values[choice])
        np.logical_or.at(legal[choice], group, may[choice])
    other = np.argmax(np.where(legal, sums, -np.inf)[[HIT, STAND]], axis=0)[group]
    against = np.where(other == 0, options[HIT], options[STAND])
    for choice in (BUY, BUY_LITTLE):
        if (
            states > 1 and legal[choice].any()
        ):  # against the others in the states in which it may be
            gain = np.zeros((groups, POINTS))
            there = may[choice] & np.isfinite(against)
            np.add.at(gain, group, np.where(there, options[choice] - against, 0.0) * weights)
            sums[choice] = np.where(gain > 0, BEFORE_ALL + gain, -BEFORE_ALL + gain)
    ranked = np.where(legal, sums, -np.inf)
    order = np.argsort(-ranked, axis=0, kind="stable")
    return np.where(np.take_along_axis(legal, order, 0), order, NOTHING)


def _choose_by(table: Whole, group: Whole) -> Choose:
    return lambda options, rows: _preferred(options, table, group[rows])


def _preferred(options: Array, table: Whole, group: Whole) -> Whole:
    """The first choice of the group's list that may be made; the best where the group has none."""
    chosen: Whole = np.argmax(options, axis=0)
    listed = np.broadcast_to(table[:, group], (CHOICES, *chosen.shape))
    for choices in reversed(listed):
        may = np.take_along_axis(options, np.maximum(choices, 0)[None], 0)[0]
        usable = (group >= 0)[..., None] & (choices >= 0) & np.isfinite(may)
        chosen = np.where(usable, choices, chosen)
    return chosen


def _doubled(model: GameModel, doubled: Iterable[DoubledHands], arrived: Array) -> DoubledTables:
    """What is done with doubled hands; ``arrived`` are those after the first double."""
    total, rare = model.doubled_total, RARE * arrived.mean()
    soft = (total != model.hands.hard[:, None]).astype(np.int64)
    parts = []
    withdraws, again = np.zeros((22, POINTS)), np.zeros((2, 22, POINTS))
    for hands in doubled:
        parts.append((hands, arrived + rare))
        arrived = arriving_again(model, hands, arrived)
    for hands, weights in parts:
        np.add.at(withdraws, total, _gain(hands, WITHDRAW, hands.options[KEEP], weights))
    for hands, weights in parts:
        gone = np.isfinite(hands.options[WITHDRAW]) & (withdraws[total] > 0)
        rest = np.where(gone, hands.options[WITHDRAW], hands.options[KEEP])
        np.add.at(again, (soft, total), _gain(hands, AGAIN, rest, weights))
    return DoubledTables((withdraws > 0).astype(np.int64), (again > 0).astype(np.int64))


def _gain(hands: DoubledHands, choice: int, rest: Array, weights: Array) -> Array:
    """What the choice brings more than the rest, where it may be made and nothing goes before."""
    made = np.isfinite(hands.options[choice])
    made &= (choice == AGAIN) | (hands.chosen != AGAIN)
    return np.where(made, hands.options[choice] - rest, 0.0) * weights
