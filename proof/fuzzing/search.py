"""The search for bytes that bring about a fault: mutate, run, keep what reaches more of the code.

The rules:

- A seed decides everything: the same seed, target and number of runs try the same bytes.
- One run in ``LOOK_EVERY`` is traced; what met a new step from line to line joins the corpus, and
  what joined last is chosen more often.
- A fault ends nothing: it is made small and kept, and the search goes on. The same fault (by where
  it was raised) is kept once.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Final

from proof.fuzzing.coverage import Coverage
from proof.fuzzing.findings import Finding, finding, smallest
from proof.fuzzing.mutation import Mutator
from proof.fuzzing.target import Target

LOOK_EVERY: Final = 8
MOST_CORPUS: Final = 4000


@dataclass
class Report:
    """What came of a search. ``steps``: steps from line to line that its runs were seen to take."""

    target: Target
    seed: int
    runs: int = 0
    units: int = 0
    seconds: float = 0.0
    steps: int = 0
    corpus: int = 0
    findings: dict[str, Finding] = field(default_factory=dict)

    def __str__(self) -> str:
        rate = self.units / self.seconds if self.seconds else 0.0
        return (
            f"{self.target.name}: {self.runs:,} runs, {self.units:,} {self.target.units} in "
            f"{self.seconds:.1f} s ({rate:,.0f} a second), {self.steps:,} steps met, corpus "
            f"{self.corpus}, seed {self.seed}: "
            + (f"{len(self.findings)} FAULTS" if self.findings else "no fault")
        )


def search(
    target: Target,
    seed: int,
    *,
    seconds: float | None = None,
    runs: int | None = None,
    found: Callable[[Finding], None] = lambda _: None,
) -> Report:
    """Search for a time or a number of runs; ``found`` hears of each fault as soon as it is
    small."""
    source = Random(f"{target.name} {seed}")
    mutator = Mutator(source, target.tokens, target.most_bytes)
    corpus = [*target.seeds(), *target.corpus()] or [b""]
    report, coverage = Report(target, seed), Coverage()
    begun = time.monotonic()
    ahead = list(corpus)
    while runs is None or report.runs < runs:
        if seconds is not None and time.monotonic() - begun >= seconds:
            break
        if report.runs < len(ahead):
            data, look = ahead[report.runs], True
        else:
            newest = source.random() < 0.3
            parent = corpus[-1 - source.randrange(min(len(corpus), 20))] if newest else None
            data = mutator.mutate(parent or source.choice(corpus), corpus)
            look = report.runs % LOOK_EVERY == 0
        report.runs += 1
        try:
            if look:
                judged, new = coverage.run(target.run, data)
                if new and len(corpus) < MOST_CORPUS:
                    corpus.append(data)
            else:
                judged = target.run(data)
            report.units += judged
        except Exception as error:
            fault = finding(target, data, error)
            if fault.place not in report.findings:
                report.findings[fault.place] = small = smallest(fault)
                found(small)
    report.seconds = time.monotonic() - begun
    report.steps, report.corpus = len(coverage.met), len(corpus)
    return report
