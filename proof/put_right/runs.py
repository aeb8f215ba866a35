"""Many trials, counted: by one process, or by several that each play a part of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final, NamedTuple

from controller.files.rules import load_rules
from controller.game.rules.schema import RuleSet
from proof.put_right.verdict import Verdict, judge

SHOWN: Final = 3
"""Scripts of each kind of failure."""


class Part(NamedTuple):
    """Rounds of a document."""

    document: str
    seed: int
    first: int
    rounds: int
    live: bool


@dataclass(slots=True)
class Found:
    """What rounds of a document came to."""

    rounds: int = 0
    compared: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    moments: Counter[str] = field(default_factory=Counter)
    apart: Counter[str] = field(default_factory=Counter)
    met: Counter[str] = field(default_factory=Counter)
    failures: Counter[str] = field(default_factory=Counter)
    smallest: dict[str, list[Verdict]] = field(default_factory=dict)

    def take(self, verdict: Verdict) -> None:
        """Count one round."""
        self.rounds += 1
        self.kinds.update(verdict.kinds)
        self.moments.update(verdict.moments)
        self.met.update(verdict.met)
        if verdict.failed:
            self.failures[verdict.failed] += 1
            self._keep(verdict.failed, [verdict])
        elif verdict.why:
            self.apart[verdict.why] += 1
        else:
            self.compared += 1

    def add(self, other: Found) -> None:
        """Count what another process has played."""
        self.rounds += other.rounds
        self.compared += other.compared
        for name in ("kinds", "moments", "apart", "met", "failures"):
            getattr(self, name).update(getattr(other, name))
        for failed, verdicts in other.smallest.items():
            self._keep(failed, verdicts)

    def _keep(self, failed: str, verdicts: Sequence[Verdict]) -> None:
        kept = [*self.smallest.get(failed, ()), *verdicts]
        self.smallest[failed] = sorted(kept, key=lambda one: one.size)[:SHOWN]


@cache
def _rules(document: str) -> RuleSet:
    return load_rules(document)


def play(part: Part) -> Found:
    """Play and judge the rounds of a part."""
    found, rules = Found(), _rules(part.document)
    for number in range(part.first, part.first + part.rounds):
        found.take(judge(rules, f"{part.document} {part.seed} {number}", live=part.live))
    return found
