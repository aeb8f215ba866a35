"""A run from its first block, or from those that are kept, to its last or to Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable

from figures.edges.jobs import PlayedBlock, Run, RunSums, Workers
from figures.edges.kept import Kept
from figures.workers.interrupts import until_interrupted


def _nobody_told(_: RunSums) -> None:
    """Nobody watches it."""


def carry_out(
    run: Run,
    workers: Workers,
    kept: Kept | None = None,
    tell: Callable[[RunSums], None] = _nobody_told,
) -> RunSums:
    """Play what is not kept yet. Each time a block ends, ``tell`` has the sums so far. After Ctrl-C
    they are fewer rounds than were asked for, and no worker goes on.

    Raises:
        ShoeTooSmall: the decks do not suffice for a round; NotDone: as the workers and the file.
    """
    sums = kept.sums if kept else RunSums()
    missing = (task for task in run.tasks() if task.number not in sums.blocks)

    def take(block: PlayedBlock) -> None:
        sums.add(block.number, block.played)
        if kept:
            kept.add(block.number, block.played)
        tell(sums)

    until_interrupted(workers([run], missing), take)
    return sums
