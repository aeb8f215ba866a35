"""The strategies of a document with a number of decks, and what each is worth."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final, NamedTuple

from controller.game.rules.schema import RuleSet
from figures.kernel.choices import HIT, SPLIT
from figures.kernel.plans import Policy
from figures.kernel.words import SUITED
from figures.strategy.deciding import bonus_chance, with_splits
from figures.strategy.groups import for_print, for_simulation
from figures.strategy.model import SEVEN, GameModel, model_of
from figures.strategy.policy import policy_of
from figures.strategy.preferring import Tables, Worth, follow, optimum, tables_for
from figures.strategy.shoes import POINTS, Array
from figures.strategy.splits import Simulator, Splits, judged, measured

ERROR: Final = 2e-5
"""The standard error of a game's value, in units, where nothing else is asked for."""


class Value(NamedTuple):
    """What a round brings the player on average, in units of the wager before the deal: ``exact``
    of the hands that are not split, ``simulated`` of those that are, with its standard ``error``.
    ``super_bonus`` is the chance of one in a hand that is not split; it is not part of the value
    but for what the model says that it brings."""

    exact: float
    simulated: float
    error: float
    super_bonus: float

    @property
    def total(self) -> float:
        """Both."""
        return self.exact + self.simulated


class Departure(NamedTuple):
    """A first decision in which two cards depart from their row of the printed table: ``low`` and
    ``high`` of the cards are values, ``suits`` is empty where they do not matter, ``up`` the value
    of the dealer's card. ``gain`` is in units of that hand, ``worth`` in units of any round."""

    low: int
    high: int
    suits: str
    up: int
    printed: int
    better: int
    gain: float
    worth: float


@dataclass(frozen=True)
class DocumentStrategy:
    """``best`` is the value of the best decision for every composition, ``played`` that of
    ``policy``, by which the kernel plays, and ``printed`` that of ``tables``, the table to print.
    """

    rules: RuleSet
    decks: int
    seed: int
    model: GameModel
    best: Value
    played: Value
    printed: Value
    policy: Policy
    tables: Tables
    departures: tuple[Departure, ...]


def strategy_of(
    rules: RuleSet,
    decks: int,
    *,
    seed: int = 1,
    error: float = ERROR,
    super_bonus: float = 0.0,
    smallest_buy: Fraction | None = None,
    compile_it: bool = True,
) -> DocumentStrategy:
    """The strategies of these rules with so many decks; ``super_bonus`` is what one brings to 1,
    ``smallest_buy`` the fraction of the wager for which a card may be bought, too.

    Raises:
        NotForTheKernel: the rules have something that there is no place for.
        ShoeTooSmall: the decks do not suffice for a box that splits.
        ImportError: Numba is not installed, without which ``compile_it`` cannot be.
    """
    model = model_of(rules, decks, super_bonus=super_bonus, smallest_buy=smallest_buy)
    simulator = Simulator(model, seed, compile_it=compile_it)
    tables, worth = played_by(model, simulator)
    splits = measured(model, tables, worth, simulator, error)
    best = optimum(model, worth)
    best = best._replace(options=with_splits(model, best.options, splits.mean))
    card = tables_for(model, for_print(model), worth)
    card_splits = measured(model, card, worth, simulator, error)
    by_card = follow(model, card, card_splits.mean)
    return DocumentStrategy(
        rules,
        decks,
        seed,
        model,
        value_of(model, best, splits),
        value_of(model, follow(model, tables, splits.mean), splits),
        value_of(model, by_card, card_splits),
        policy_of(model, tables),
        card,
        tuple(_departures(model, best, by_card)),
    )


def played_by(model: GameModel, simulator: Simulator) -> tuple[Tables, Array]:
    """The tables by which the kernel plays best, and what splits were judged by: by class and
    dealer's value."""
    groups = for_simulation(model)
    worth = judged(model, groups, simulator)
    return tables_for(model, groups, worth), worth


def value_of(model: GameModel, worth: Worth, splits: Splits | None = None) -> Value:
    """What that is worth in all rounds."""
    chance = model.two.chance
    split = worth.chosen == SPLIT
    parts = chance * worth.by_class()
    hit = chance[:, SEVEN] * (worth.chosen[:, SEVEN] == HIT)
    return Value(
        float(parts[~split].sum()),
        float(parts[split].sum()),
        splits.error(chance * split) if splits else 0.0,
        float((hit * bonus_chance(model)).sum()) if model.values.has_super_bonus else 0.0,
    )


def _departures(model: GameModel, best: Worth, card: Worth) -> list[Departure]:
    """Where the best first decision is not the card's, what is worth most first."""
    two = model.two
    found: dict[tuple[int, int, int, int, int], dict[str, tuple[float, float]]] = {}
    for place in two.there:
        for up in range(POINTS):
            chance, better, printed = (
                two.chance[place, up],
                best.chosen[place, up],
                card.chosen[place, up],
            )
            if better == printed or chance == 0:
                continue
            gain = best.options[better, place, up] - best.options[printed, place, up]
            key = int(two.low[place]), int(two.high[place]), up, int(printed), int(better)
            suits = found.setdefault(key, {})
            before = suits.get(SUITED[place % len(SUITED)], (0.0, 0.0))
            suits[SUITED[place % len(SUITED)]] = before[0] + chance, before[1] + chance * gain
    departures = []
    for (low, high, up, printed, better), suits in found.items():
        apart = [(name, [part]) for name, part in suits.items()]
        for name, parts in [("", [*suits.values()])] if len(suits) == len(SUITED) else apart:
            chance, worth = (float(sum(numbers)) for numbers in zip(*parts, strict=True))
            departures.append(
                Departure(low, high, name, up, printed, better, worth / chance, worth)
            )
    return sorted(departures, key=lambda departure: -departure.worth)
