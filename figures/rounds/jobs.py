"""A simulation spread over processes, in blocks of rounds.

Every block has its own random generator, made of the seed and the block's number, and begins with a
new shoe. So the result depends neither on the process that plays a block nor on the number of
processes.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import random
import signal
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Final

from figures.rounds.playing import SimulatedTable, Simulation
from figures.rounds.tally import Tally

BLOCK: Final = 1000
"""Rounds of a block. Another number is another simulation of the same seed."""
PR_SET_PDEATHSIG: Final = 1
"""linux/prctl.h: the signal that a process gets when its parent ends."""

_simulations: list[Simulation] = []
"""What a process of the pool simulates; the pool's own process has none."""


class Spread:
    """A simulation of ``table`` by ``seed`` in ``processes`` processes (1: this one)."""

    def __init__(self, table: SimulatedTable, seed: int, jobs: int) -> None:
        self._table = table
        self._seed = seed
        self._jobs = jobs

    def parts(self, rounds: int) -> Iterator[Tally]:
        """Play that number of rounds: what each block of them came to, in the order they end.

        Raises:
            ShoeRanOut: the decks are too few for one round.
        """
        blocks = list(_blocks(rounds))
        jobs = min(self._jobs, len(blocks))
        if jobs == 1:
            simulation = Simulation(self._table)
            for number, of_block in blocks:
                yield simulation.block(of_block, chance_of(self._seed, number))
            return
        with ProcessPoolExecutor(
            jobs,
            multiprocessing.get_context("fork"),  # no thread has been started yet
            initializer=_prepare,
            initargs=(self._table,),
        ) as pool:
            waiting = [pool.submit(_block, self._seed, *block) for block in blocks]
            try:
                yield from (done.result() for done in as_completed(waiting))
            except BaseException:  # Ctrl-C above all: nobody waits for the rounds of a block
                for worker in multiprocessing.active_children():
                    worker.kill()
                raise
            finally:
                pool.shutdown(wait=False, cancel_futures=True)


def chance_of(seed: int, block: int) -> random.Random:
    """The chance of a block."""
    return random.Random(f"{seed}:{block}")  # noqa: S311 - to be had again, not to be unforeseen


def _blocks(rounds: int) -> Iterable[tuple[int, int]]:
    """Number and rounds of each block."""
    for number, first in enumerate(range(0, rounds, BLOCK)):
        yield number, min(BLOCK, rounds - first)


def _prepare(table: SimulatedTable) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process ends this one
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # however that ends itself
    _simulations.append(Simulation(table))


def _block(seed: int, number: int, rounds: int) -> Tally:
    return _simulations[0].block(rounds, chance_of(seed, number))
