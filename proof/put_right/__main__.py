"""``python -m proof.put_right [--document ID] [--rounds N] [--seed N] [--live] [--jobs N]``

Rounds by chance in which up to three mistakes are made and put right, each held against its
partner (:mod:`~.verdict`), in the round itself and as a script; ``--live``: at a live table in this
process, too. Prints, of each document, what was compared, what was not and why, the exceptions
that were met, and the smallest script of each kind of failure; its title is the seed that plays it
again. Exit status 1 where a round fails, or where many rounds never meet an exception.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final, NamedTuple

from controller.files.rules import load_rules, rule_files
from controller.game.rules.schema import RuleSet
from figures.workers.processes import spread
from proof.put_right import exceptions
from proof.put_right.verdict import Verdict, judge

PART: Final = 500
"""Rounds that a process plays at a time."""
ENOUGH: Final = 20_000
"""Rounds that meet every exception."""
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


def main(arguments: Sequence[str]) -> int:
    """The command."""
    options = _options(arguments)
    faults = 0
    for document in options.documents or list(rule_files()):
        began, found = time.monotonic(), Found()
        parts = [
            Part(document, options.seed, first, min(PART, options.rounds - first), options.live)
            for first in range(0, options.rounds, PART)
        ]
        for played in spread(options.jobs, play, parts):
            found.add(played)
        faults += _tell(document, found, time.monotonic() - began)
    return 1 if faults else 0


def _options(arguments: Sequence[str]) -> argparse.Namespace:
    known = list(rule_files())
    parser = argparse.ArgumentParser(
        prog="python -m proof.put_right", description="Rounds put right, against those never wrong."
    )
    add = parser.add_argument
    add("--document", dest="documents", action="append", choices=known, metavar="ID", help="one")
    add("--rounds", type=int, default=2000, metavar="N", help="of each document (%(default)s)")
    add("--seed", type=int, default=1, metavar="N", help="of all that is by chance (%(default)s)")
    add("--live", action="store_true", help="each round at a live table, too")
    add("--jobs", type=int, default=os.cpu_count(), metavar="N", help="processes (%(default)s)")
    options = parser.parse_args(arguments)
    if options.jobs < 1 or options.rounds < 1:
        parser.error("--jobs, --rounds: expected 1 or more")
    return options


@cache
def _rules(document: str) -> RuleSet:
    return load_rules(document)


def play(part: Part) -> Found:
    """Play and judge the rounds of a part."""
    found, rules = Found(), _rules(part.document)
    for number in range(part.first, part.first + part.rounds):
        found.take(judge(rules, f"{part.document} {part.seed} {number}", live=part.live))
    return found


def _tell(document: str, found: Found, took: float) -> int:
    """Print what the rounds of a document came to; the number of faults."""
    print(
        f"{document}: {found.rounds} rounds in {took:.0f} s, {found.compared} compared", flush=True
    )
    for title, counts in (
        ("mistakes", found.kinds),
        ("put right", found.moments),
        ("not comparable", found.apart),
        ("exceptions met", found.met),
        ("FAILED", found.failures),
    ):
        told = ", ".join(f"{what}: {count}" for what, count in sorted(counts.items()))
        if told:
            print(f"    {title}: {told}")
    for failed, verdicts in sorted(found.smallest.items()):
        for one in verdicts:
            print(f"    {failed}: {one.said}\n        {json.dumps(one.script)}")
    never = [clause for clause in exceptions.of(document) if clause not in found.met]
    if found.rounds < ENOUGH:
        never = []
    elif never:
        print(f"    NEVER MET: {', '.join(never)}")
    return found.failures.total() + len(never)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
