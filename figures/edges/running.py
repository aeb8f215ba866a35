"""Runs from their first block, or from those that are kept, to their last or to Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from figures.edges.jobs import PlayedBlock, RunSums, SeededRun, Workers
from figures.edges.run_file import RunFile
from figures.workers import until_interrupted


class CarriedOut(NamedTuple):
    """What each run came to, and whether Ctrl-C ended them."""

    sums: list[RunSums]
    interrupted: bool


def carry_out(
    runs: Sequence[SeededRun],
    workers: Workers,
    tell: Callable[[Sequence[RunSums]], None],
    kept: RunFile | None = None,
) -> CarriedOut:
    """Play what is not kept yet of runs that are all unlike, one after the other. Each time a block
    ends, ``tell`` has the sums so far. After Ctrl-C they are of fewer rounds than were asked for,
    and no worker goes on.

    Raises:
        ShoeTooSmall: the decks do not suffice for a round; NotDone: as the workers and the file.
    """
    sums = [kept.sums_of(run) if kept else RunSums() for run in runs]
    missing = (
        task
        for key, run in enumerate(runs)
        for task in run.tasks(key)
        if task.number not in sums[key].blocks
    )

    def count_block(block: PlayedBlock) -> None:
        sums[block.key].add(block.number, block.played)
        if kept:
            kept.add(runs[block.key], block.number, block.played)
        tell(sums)

    return CarriedOut(sums, until_interrupted(workers(runs, missing), count_block))
