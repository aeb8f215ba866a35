"""A run from its first block, or from those that are kept, to its last or to Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing

from figures.edges.jobs import Run, Sums, Workers
from figures.edges.kept import Kept


def _nobody_told(_: Sums) -> None:
    """Nobody watches it."""


def carry_out(
    run: Run,
    workers: Workers,
    kept: Kept | None = None,
    tell: Callable[[Sums], None] = _nobody_told,
) -> Sums:
    """Play what is not kept yet. Each time a block ends, ``tell`` has the sums so far. After Ctrl-C
    they are fewer rounds than were asked for, and no worker goes on.

    Raises:
        ShoeTooSmall: the decks do not suffice for a round; NotDone: as the workers and the file.
    """
    sums = kept.sums if kept else Sums()
    missing = [task for task in run.tasks() if task.number not in sums.blocks]
    try:
        with closing(workers(iter(missing))) as parts:
            for _, number, played in parts:
                sums.add(number, played)
                if kept:
                    kept.add(number, played)
                tell(sums)
    except KeyboardInterrupt:
        pass
    return sums
