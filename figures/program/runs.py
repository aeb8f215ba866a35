"""Runs that were asked for, kept in a file where that was asked for, too.

How far they are is told on standard error: every few seconds, and how fast it was at the end.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Final

from controller.verbs import complain
from figures.edges.figures import main_figures
from figures.edges.jobs import RunSums, SeededRun, Workers
from figures.edges.run_file import RunFile, job_of
from figures.edges.running import CarriedOut, carry_out
from figures.rounds.figures import WITHIN_95

TELL_EVERY_S: Final = 5.0


class Progress:
    """Of runs of which ``before`` rounds were played earlier."""

    def __init__(self, runs: Sequence[SeededRun], before: int = 0) -> None:
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

    def end_run(self) -> int:
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


def add_kept(parser: argparse.ArgumentParser) -> None:
    """Options of what is kept, and how it is told."""
    parser.add_argument(
        "--resume",
        metavar="FILE",
        type=Path,
        help="keep what is done there, and go on from it; without it, a second Ctrl-C loses it",
    )
    parser.add_argument("--json", action="store_true", help="as JSON")


def played(
    given: argparse.Namespace, runs: Sequence[SeededRun], workers: Workers, job: str = ""
) -> CarriedOut:
    """Play runs that are all unlike. Only they are kept in the file,
    or all those of ``job``, of which they are some.

    Raises:
        KeyboardInterrupt: of the first run nothing has been played; NotDone, ShoeTooSmall.
    """
    file = RunFile(given.resume, job or job_of(runs), given.seed) if given.resume else nullcontext()
    with file as kept:
        if kept and kept.dropped:
            complain(f"{given.resume}: {kept.dropped} bytes at its end were not right; dropped")
        before = sum(kept.sums_of(run).rounds for run in runs) if kept else 0
        if before:
            complain(f"{given.resume}: {before} rounds are done")
        progress = Progress(runs, before)
        carried = carry_out(runs, workers, progress.played, kept)
    done = progress.end_run()
    if done < progress.rounds:
        tell_interrupted(given, f"{done} of {progress.rounds} rounds")
    if not carried.sums[0].rounds:
        raise KeyboardInterrupt
    return carried


def tell_interrupted(given: argparse.Namespace, done: str) -> None:
    """Say on standard error how much is done, and how to go on where that is kept."""
    more = f"; go on with --resume {given.resume}" if given.resume else ""
    complain(f"interrupted: {done} are done{more}")
