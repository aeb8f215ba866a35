"""A run from its first block, or from those that are kept, to its last or to Ctrl-C."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from typing import TypeAlias

from figures.edges.jobs import Run, RunSums, Workers
from figures.edges.kept import Kept

HeldBack: TypeAlias = Callable[[], AbstractContextManager[None]]


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
    try:
        with closing(workers([run], missing)) as parts, interrupts() as held_back:
            for _, number, played in parts:
                with held_back():
                    sums.add(number, played)
                    if kept:
                        kept.add(number, played)
                    tell(sums)
    except KeyboardInterrupt:
        pass
    return sums


@contextmanager
def interrupts() -> Iterator[HeldBack]:
    """Ctrl-C may be held back while something is done that is done wholly or not at all."""
    held, pending = False, False

    def interrupted(*_: object) -> None:
        nonlocal pending
        if not held:
            raise KeyboardInterrupt
        pending = True

    @contextmanager
    def held_back() -> Iterator[None]:
        nonlocal held
        held = True
        try:
            yield
        finally:
            held = False
        if pending:
            raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield held_back
        return
    before = signal.signal(signal.SIGINT, interrupted)
    try:
        yield held_back
    finally:
        signal.signal(signal.SIGINT, before)
