"""How often hands come about under a strategy: what weighs the decisions that a table makes
alike."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from figures.kernel.choices import BUY, DOUBLE, HIT
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
    hands, buys = model.hands, model.values.buys
    reached = np.zeros((len(hands.hard) + 1, 2, POINTS))  # the last row takes what goes over 21
    doubled = np.zeros_like(reached)
    made = {choice: np.zeros_like(reached) for choice in (HIT, BUY, DOUBLE)}
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
            for state in (0, 1):
                free = 1 if state or value == ACE else 0
                draw = model.draw[rows, value]
                np.add.at(reached, (then, 1 if buys else free), made[HIT][rows, state] * draw)
                np.add.at(reached, (then, 0), made[BUY][rows, state] * draw)
                soft = np.maximum(free, model.values.double_soft * (hands.aces[rows] > 0))
                np.add.at(doubled, (then, soft), made[DOUBLE][rows, state] * draw)
    return Arrivals(reached[:-1], doubled[:-1])
