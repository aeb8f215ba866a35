"""Tables to simulate."""

from __future__ import annotations

import random
from typing import Any

from controller.draw.weights import Weights
from controller.files.rules import load_rules
from controller.game.round.wagers import Limits
from figures.rounds.playing import SimulatedTable, Simulation
from figures.rounds.tally import Tally

WEIGHTS = Weights(((100, 4), (50, 8), (25, 20), (20, 20), (10, 24), (5, 12), (3, 7), (2, 5)))


def table_of(rules_id: str, **other: Any) -> SimulatedTable:
    rules = load_rules(rules_id)
    given: dict[str, Any] = {
        "rules": rules,
        "decks": 8,
        "boxes": 7,
        "limits": Limits(min=1000, side_min=100),
        "main": 1000,
        "side": 100,
        "strategy": "simple",
        "penetration": 75,
        "weights": WEIGHTS if rules.pandemonium else None,
    }
    return SimulatedTable(**given | other)


def played(table: SimulatedTable, rounds: int, seed: int = 1) -> Tally:
    return Simulation(table).block(rounds, random.Random(seed))
