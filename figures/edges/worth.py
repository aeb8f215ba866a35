"""What each value of a rule file is worth to the house: the change of the main edge where another
stands in its place.

The rules:

- Every change plays the same cards: each round is from a shoe of its own, shuffled by the same
  chance. So what differs is the change's alone, and its standard error is that of the differences
  of blocks.
- A change that makes no difference to the kernel's numbers is left out, and one that no rule file
  may have.
- The policy stays as it is, or is made anew for each change.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import chain
from math import sqrt
from typing import Final

from controller.game.rules.loader import RulesError, parse_rules
from controller.game.rules.schema import RuleSet
from figures.changes.mutants import Mutant, mutants_of
from figures.edges.jobs import Run, RunSums, Workers
from figures.edges.results import Edge, ValueWorth
from figures.games.games import UNIT, Game, GameNumbers, numbers_of
from figures.kernel.plans import Policy
from figures.kernel.shoe import DEPTH, LIKELY
from figures.kernel.tables import NotForTheKernel

BLOCK: Final = 1 << 16
READY: Final = 48
"""Cards that are shuffled for a round: one of a box never needs more, or hardly ever."""


@dataclass(frozen=True)
class ValueChange:
    """A rule file with one value changed, and its game."""

    mutant: Mutant
    numbers: GameNumbers


def changes_of(
    text: str, game: Game, policy: Callable[[RuleSet], Policy], keys: Collection[str] = ()
) -> Iterator[ValueChange]:
    """The changes of the rule file ``text`` that make a difference to this game of it; those of
    some ``keys``, or of all."""
    base = from_new_shoes(numbers_of(game))
    for mutant in mutants_of(game.rules.id, text):
        if keys and mutant.name.partition(" = ")[0] not in keys:
            continue
        try:
            rules = parse_rules(mutant.text, mutant.name)
            of = replace(game, rules=rules, policy=policy(rules))
            numbers = from_new_shoes(numbers_of(of))
        except (RulesError, NotForTheKernel, LookupError):
            continue
        if numbers != base:
            yield ValueChange(mutant, numbers)


def from_new_shoes(numbers: GameNumbers) -> GameNumbers:
    """The same game with a shoe of its own for every round."""
    shoe = list(numbers.shoe)
    shoe[DEPTH], shoe[LIKELY] = 0, max(shoe[LIKELY], READY)
    return numbers._replace(shoe=tuple(shoe))


def worth(
    run: Run, changes: list[ValueChange], workers: Workers, tell: Callable[[int], None]
) -> tuple[Edge, list[ValueWorth]]:
    """The edge of a run from new shoes, and what each change adds to it; ``tell`` has the rounds
    that have been played.

    Raises:
        KeyboardInterrupt, ShoeTooSmall.
    """
    runs = [
        run,
        *(Run(one.numbers, run.seed, run.rounds, run.block, run.compiled) for one in changes),
    ]
    sums: list[dict[int, tuple[int, int]]] = [{} for _ in runs]
    tasks = chain.from_iterable(one.tasks(key) for key, one in enumerate(runs))
    played = 0
    with closing(workers(runs, tasks)) as parts:
        for key, number, done in parts:
            of = RunSums()
            of.add(number, done)
            sums[key] |= of.blocks
            played += of.rounds
            tell(played)
    unit = UNIT * run.numbers.boxes
    base = _mean([(rounds, -net / unit) for rounds, net in sums[0].values()])
    return base, [
        _value(change, sums[0], found, unit)
        for change, found in zip(changes, sums[1:], strict=True)
    ]


def _value(
    change: ValueChange,
    base: dict[int, tuple[int, int]],
    found: dict[int, tuple[int, int]],
    unit: int,
) -> ValueWorth:
    mean = _mean(
        [(rounds, (base[number][1] - net) / unit) for number, (rounds, net) in found.items()]
    )
    key, _, to = change.mutant.name.partition(" = ")
    return {
        "key": key,
        "value": json.dumps(change.mutant.was),
        "to": to,
        "clause": change.mutant.clause,
        "change": mean["edge"],
        "standard_error": mean["standard_error"],
    }


def _mean(blocks: list[tuple[int, float]]) -> Edge:
    """What blocks, each its rounds and a sum, come to by round."""
    rounds = sum(many for many, _ in blocks)
    mean = sum(brought for _, brought in blocks) / rounds
    if len(blocks) < 2:
        return {"edge": mean, "standard_error": None}
    squares = sum((brought - mean * many) ** 2 for many, brought in blocks)
    error = sqrt(squares * len(blocks) / (len(blocks) - 1)) / rounds
    return {"edge": mean, "standard_error": error}
