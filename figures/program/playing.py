"""Runs that were asked for, kept in a file where that was asked for, too; what was done is told on
standard error."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from controller.verbs import complain
from figures.edges.jobs import Run, Workers
from figures.edges.kept import Kept, job_of
from figures.edges.running import CarriedOut, carry_out
from figures.program.progress import Progress


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
    given: argparse.Namespace, runs: Sequence[Run], workers: Workers, job: str = ""
) -> CarriedOut:
    """Play runs that are all unlike. Only they are kept in the file,
    or all those of ``job``, of which they are some.

    Raises:
        KeyboardInterrupt: of the first run nothing has been played; NotDone, ShoeTooSmall.
    """
    file = Kept(given.resume, job or job_of(runs), given.seed) if given.resume else nullcontext()
    with file as kept:
        if kept and kept.dropped:
            complain(f"{given.resume}: {kept.dropped} bytes at its end were not right; dropped")
        before = sum(kept.of(run).rounds for run in runs) if kept else 0
        if before:
            complain(f"{given.resume}: {before} rounds are done")
        progress = Progress(runs, before)
        carried = carry_out(runs, workers, progress.played, kept)
    done = progress.end()
    if done < progress.rounds:
        tell_interrupted(given, f"{done} of {progress.rounds} rounds")
    if not carried.sums[0].rounds:
        raise KeyboardInterrupt
    return carried


def tell_interrupted(given: argparse.Namespace, done: str) -> None:
    """Say on standard error how much is done, and how to go on where that is kept."""
    more = f"; go on with --resume {given.resume}" if given.resume else ""
    complain(f"interrupted: {done} are done{more}")
