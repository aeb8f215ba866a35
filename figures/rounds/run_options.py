"""Options of a run of rounds, as far as the rules limit them: seed, decks and weights."""

from __future__ import annotations

import random
from typing import Final

from controller.draw.errors import BadWeights
from controller.draw.weights import Weights, read_weights, written_weights
from controller.game.rules.schema import RuleSet
from controller.not_done import WRONG_USE, NotDone

MOST_SEED: Final = 1 << 32


def any_seed() -> int:
    """A seed by chance."""
    return random.SystemRandom().randrange(MOST_SEED)


def check_decks(rules: RuleSet, decks: int) -> None:
    """Look whether the game is played with so many decks.

    Raises:
        NotDone: 2, it is not.
    """
    low, high = rules.cards.decks_min, rules.cards.decks_max
    if not low.value <= decks <= high.value:
        expected = f"expected {low.value} to {high.value} ({high.clause})"
        raise NotDone(WRONG_USE, f"--decks {decks}: {expected}")


def weights_of(rules: RuleSet, text: str | None) -> Weights | None:
    """The weights of ``100=4,50=8,…``; None where none are given.

    Raises:
        NotDone: 2, they are not those of the rules' multipliers.
    """
    if text is None:
        return None
    if rules.pandemonium is None:
        raise NotDone(WRONG_USE, f"--weights: {rules.id} has no Pandemonium wager")
    try:
        given = dict(written_weights(text).pairs)
        return read_weights(given, rules.pandemonium.multipliers.value)
    except BadWeights as error:
        raise NotDone(WRONG_USE, f"--weights: {error}") from error
