"""How often hands come about under a strategy: what weighs the decisions that a table makes
alike."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from figures.kernel.choices import BUY, BUY_LITTLE, DOUBLE, HIT
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
