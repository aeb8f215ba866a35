"""How far a run is, on standard error: every few seconds, and how fast it was at the end."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from controller.verbs import complain
from figures.edges.figures import main_figures
from figures.edges.jobs import Run, RunSums
from figures.rounds.figures import WITHIN_95

TELL_EVERY_S: Final = 5.0


class Progress:
    """Of runs of which ``before`` rounds were played earlier."""

    def __init__(self, runs: Sequence[Run], before: int = 0) -> None:
        self.rounds = sum(run.rounds for run in runs)
        self._numbers = runs[0].numbers
        self._before = self._done = before
        self._begun = self._told = time.monotonic()

    def played(self, sums: Sequence[RunSums]) -> None:
        """Sums so far: tells them, of one run with the interval that holds the edge in 95 of 100
        runs."""
        self._done = sum(one.rounds for one in sums)
        if not self._due():
            return
        said = f"{self._done} of {self.rounds} rounds, {100 * self._done / self.rounds:.1f} %"
        if len(sums) == 1:
            edge = main_figures(self._numbers.boxes, sums[0], self._numbers.unit)["per_initial"]
            error = edge["standard_error"]
            off = "" if error is None else f" +/- {100 * WITHIN_95 * error:.4f} % (95 %)"
            said += f"; house edge {100 * edge['edge']:.4f} %{off}"
        complain(said)

    def end(self) -> int:
        """It is over; how many rounds have been played."""
        took_s = time.monotonic() - self._begun
        rounds = self._done - self._before
        rate = rounds * self._numbers.boxes / took_s if took_s else 0.0
        complain(f"{rounds} rounds in {took_s:.1f} s, {rate / 1e6:.2f} million boxes a second")
        return self._done

    def _due(self) -> bool:
        now = time.monotonic()
        due = now - self._told >= TELL_EVERY_S
        self._told = now if due else self._told
        return due
