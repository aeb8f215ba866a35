"""What each value of a rule file is worth to the house: the change of the main edge where another
stands in its place.

The rules:

- Every change plays the same cards: each round is from a shoe of its own, shuffled by the same
  chance. So what differs is the change's alone, and its standard error is that of the differences
  of blocks.
- A change that makes no difference to the kernel's numbers is left out, and one that no rule file
  may have. So is what cannot touch a main wager: side wagers, insurance and the Super Bonus.
- The policy stays as it is, or is made anew for each change. One that stays never does what only a
  change permits, so as played that makes no difference.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Final

from controller.game.rules.loader import RulesError, parse_rules
from controller.game.rules.schema import RuleSet
from figures.changes import CLAUSES, Mutant, mutants_of
from figures.edges.jobs import RunSums, SeededRun
from figures.edges.results import Edge, ValueWorth
from figures.games.games import UNIT, Game, GameNumbers, numbers_of
from figures.kernel.plans import Policy
from figures.kernel.shoe import LIKELY, PENETRATION
from figures.kernel.tables import NotForTheKernel

BLOCK: Final = 1 << 16
READY: Final = 48
"""Cards that are shuffled for a round: one of a box never needs more, or hardly ever."""
APART: Final = frozenset({"side_wagers", "insurance", "pandemonium", "super_bonus", *CLAUSES})
"""Sections of which nothing touches a main wager."""


@dataclass(frozen=True)
class ValueChange:
    """A rule file with the value of a key changed, and its game."""

    mutant: Mutant
    key: str
    numbers: GameNumbers


def keys_of(document: str, text: str) -> list[str]:
    """The keys of a rule file whose values may touch a main wager, in its order."""
    return list(dict.fromkeys(key for _, key in _mutants_of(document, text)))


def _mutants_of(document: str, text: str) -> Iterator[tuple[Mutant, str]]:
    """Those of values that may touch a main wager, each with its key."""
    for mutant in mutants_of(document, text):
        key, is_value, _ = mutant.name.partition(" = ")
        if is_value and key.partition(".")[0] not in APART and key != "pays.insurance":
            yield mutant, key


def changes_of(
    text: str, game: Game, policy: Callable[[RuleSet], Policy], keys: Collection[str] = ()
) -> Iterator[ValueChange]:
    """The changes of the rule file ``text`` that make a difference to this game of it; those of
    some ``keys`` of :func:`keys_of`, or of all."""
    base = from_new_shoes(numbers_of(game))
    for mutant, key in _mutants_of(game.rules.id, text):
        if keys and key not in keys:
            continue
        try:
            rules = parse_rules(mutant.text, mutant.name)
            of = replace(game, rules=rules, policy=policy(rules))
            numbers = from_new_shoes(numbers_of(of))
        except (RulesError, NotForTheKernel, LookupError):
            continue
        if numbers != base:
            yield ValueChange(mutant, key, numbers)


def from_new_shoes(numbers: GameNumbers) -> GameNumbers:
    """The same game with a shoe of its own for every round."""
    shoe = list(numbers.shoe)
    shoe[PENETRATION], shoe[LIKELY] = 0, max(shoe[LIKELY], READY)
    return numbers._replace(shoe=tuple(shoe))


def runs_of(run: SeededRun, changes: Sequence[ValueChange]) -> dict[str, SeededRun]:
    """A run from new shoes and those of its changes, by digest: what is alike is played once."""
    runs = (run, *(replace(run, numbers=change.numbers) for change in changes))
    return {one.digest: one for one in runs}


def worth(
    run: SeededRun, changes: Sequence[ValueChange], sums: Mapping[str, RunSums]
) -> tuple[Edge, list[ValueWorth], list[str]]:
    """The edge of a run by the sums of :func:`runs_of`, what each change adds to it, and the
    changes of which not all rounds were played. One is left out of which none was."""
    unit = UNIT * run.numbers.boxes
    base = sums[run.digest].blocks
    worths: list[ValueWorth] = []
    missing = [] if sums[run.digest].rounds == run.rounds else ["the rules as they are"]
    for change in changes:
        found = sums[replace(run, numbers=change.numbers).digest]
        if found.rounds < run.rounds:
            missing.append(change.mutant.name)
        if found.blocks.keys() & base.keys():
            worths.append(_value(change, base, found.blocks, unit))
    edge = _mean([(rounds, -net / unit) for _, (rounds, net) in sorted(base.items())])
    return edge, worths, missing


def _value(
    change: ValueChange,
    base: dict[int, tuple[int, int]],
    found: dict[int, tuple[int, int]],
    unit: int,
) -> ValueWorth:
    mean = _mean(
        [
            (found[number][0], (base[number][1] - found[number][1]) / unit)
            for number in sorted(found.keys() & base.keys())
        ]
    )
    return {
        "key": change.key,
        "value": json.dumps(change.mutant.was),
        "to": change.mutant.name.removeprefix(f"{change.key} = "),
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
