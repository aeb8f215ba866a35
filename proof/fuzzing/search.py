"""The search for bytes that bring about a fault: mutate, run, keep what reaches more of the code.

The rules:

- A seed decides everything: the same seed, target and number of runs try the same bytes.
- One run in ``LOOK_EVERY`` is traced; what met a new step from line to line joins the corpus, and
  what joined last is chosen more often.
- A fault ends nothing: it is made small and kept, and the search goes on. The same fault (by where
  it was raised) is kept once.

Bytes are changed at random, in the ways in which what arrives differs from what was meant.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from types import CodeType, FrameType
from typing import Any, Final

from proof.fuzzing.target import ROOT, Finding, Target, finding, smallest

_OURS: Final = tuple(f"{ROOT / folder}/" for folder in ("controller", "drivers", "verifier"))

Step = tuple[int, int]


class Coverage:
    """Steps from line to line met so far, in the packages of the product."""

    def __init__(self) -> None:
        self.met: set[Step] = set()
        self._codes: dict[CodeType, int | None] = {}

    def run_traced(self, what: Callable[[bytes], int], data: bytes) -> tuple[int, bool]:
        """What it returns, and whether it met a step that no run before it had."""
        before = len(self.met)
        outer = sys.gettrace()
        sys.settrace(self._call)
        try:
            judged = what(data)
        finally:
            sys.settrace(outer)
        return judged, len(self.met) > before

    def _call(self, frame: FrameType, event: str, _: Any) -> Any:
        code = frame.f_code
        if code not in self._codes:
            ours = code.co_filename.startswith(_OURS)
            self._codes[code] = len(self._codes) << 32 if ours else None
        number = self._codes[code]
        if number is None:
            return None
        met, last = self.met, 0

        def line(frame: FrameType, event: str, _: Any) -> Any:
            nonlocal last
            now = frame.f_lineno & 0xFFFF
            met.add((number, last << 16 | now))
            last = now
            return line

        return line


_TELLING: Final = (0, 1, 2, 7, 8, 16, 32, 57, 64, 100, 127, 128, 254, 255)
MOST_CHANGES: Final = 5
MOST_REPEATED: Final = 64


class Mutator:
    """Changes bytes by the numbers of ``source``; ``tokens`` are inserted now and then."""

    def __init__(self, source: Random, tokens: Sequence[bytes], most_bytes: int) -> None:
        self._random = source
        self._tokens = tokens
        self._most = most_bytes
        self._ways: list[Callable[[bytearray], None]] = [
            self._flip,
            self._replace_byte,
            self._replace_byte,
            self._insert,
            self._delete,
            self._repeat,
            self._move,
            self._append,
        ]
        if tokens:
            self._ways += [self._token, self._token]

    def mutate(self, data: bytes, others: Sequence[bytes]) -> bytes:
        """Some changes, after a splice with another of the corpus now and then; or wholly new."""
        found = bytearray(data)
        if not self._tokens and self._random.random() < 0.2:
            return self._random.randbytes(self._random.randint(1, self._most))
        if self._random.random() < 0.15:
            other = self._random.choice(others)
            found[self._place(found) :] = other[self._place(other) :]
        for _ in range(self._random.randint(1, MOST_CHANGES)):
            self._random.choice(self._ways)(found)
        return bytes(found[: self._most])

    def _place(self, data: bytes | bytearray) -> int:
        return self._random.randint(0, len(data))

    def _span(self, data: bytearray) -> slice:
        start = self._place(data)
        return slice(start, start + self._random.choice((1, 1, 2, 4, 8, 32)))

    def _flip(self, data: bytearray) -> None:
        if data:
            data[self._random.randrange(len(data))] ^= 1 << self._random.randrange(8)

    def _replace_byte(self, data: bytearray) -> None:
        if data:
            number = self._random.choice(
                (self._random.choice(_TELLING), self._random.getrandbits(8))
            )
            data[self._random.randrange(len(data))] = number

    def _insert(self, data: bytearray) -> None:
        at = self._place(data)
        data[at:at] = self._random.randbytes(self._random.choice((1, 1, 2, 4, 8)))

    def _append(self, data: bytearray) -> None:
        data += self._random.randbytes(self._random.choice((1, 4, 16, 64)))

    def _delete(self, data: bytearray) -> None:
        del data[self._span(data)]

    def _repeat(self, data: bytearray) -> None:
        span = self._span(data)
        data[span.start : span.start] = data[span] * self._random.choice((1, 1, 2, MOST_REPEATED))

    def _move(self, data: bytearray) -> None:
        span = self._span(data)
        taken = data[span]
        del data[span]
        at = self._place(data)
        data[at:at] = taken

    def _token(self, data: bytearray) -> None:
        token = self._random.choice(self._tokens)
        at = self._place(data)
        instead = self._random.choice((0, 0, len(token), self._random.randint(0, 8)))
        data[at : at + instead] = token


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
                judged, new = coverage.run_traced(target.run, data)
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
