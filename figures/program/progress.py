"""How far a run is, on standard error: every few seconds, and how fast it was at the end."""

from __future__ import annotations

import sys
import time
from typing import Final

from figures.edges.figures import main_figures
from figures.edges.jobs import RunSums
from figures.rounds.figures import WITHIN_95

TELL_EVERY_S: Final = 5.0


class Progress:
    """Of ``rounds`` rounds of ``boxes`` boxes, the first ``before`` of which were played earlier.
    ``now`` is what a terminal is told."""

    def __init__(self, rounds: int, boxes: int, before: int = 0) -> None:
        self._rounds = rounds
        self._boxes = boxes
        self._before = before
        self._done = before
        self._begun = self._told = time.monotonic()

    def played(self, sums: RunSums) -> None:
        """Sums so far: tells them with the interval that holds the edge in 95 of 100 runs."""
        self._done = sums.rounds
        if self._due():
            edge = main_figures(self._boxes, sums)["per_initial"]
            error = edge["standard_error"]
            off = "" if error is None else f" +/- {100 * WITHIN_95 * error:.4f} %"
            self._say(f"; house edge {100 * edge['edge']:.4f} %{off}")

    def counted(self, rounds: int) -> None:
        """So many rounds have been played."""
        self._done = rounds
        if self._due():
            self._say("")

    def end(self) -> None:
        """It is over."""
        took_s = time.monotonic() - self._begun
        rounds = self._done - self._before
        rate = rounds * self._boxes / took_s if took_s else 0.0
        complain(f"{rounds} rounds in {took_s:.1f} s, {rate / 1e6:.2f} million boxes a second")

    def _due(self) -> bool:
        now = time.monotonic()
        due = now - self._told >= TELL_EVERY_S
        self._told = now if due else self._told
        return due

    def _say(self, more: str) -> None:
        share = 100 * self._done / self._rounds
        complain(f"{self._done} of {self._rounds} rounds, {share:.1f} %{more}")


def complain(text: str) -> None:
    """A line of what was not asked for."""
    print(text, file=sys.stderr, flush=True)
