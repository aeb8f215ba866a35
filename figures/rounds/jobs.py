"""A simulation in blocks of rounds, spread over processes.

Every block has its own random generator, made of the seed and the block's number, and begins with a
new shoe. So the result depends neither on the process that plays a block nor on the number of
processes.
"""

from __future__ import annotations

import random
from collections.abc import Generator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from figures.rounds.playing import SimulatedTable, Simulation
from figures.rounds.tally import Tally
from figures.workers import spread

BLOCK: Final = 1000
"""Rounds of a block. Another number is another simulation of the same seed."""


class Block(NamedTuple):
    """Its number, and its rounds."""

    number: int
    rounds: int


@dataclass(frozen=True)
class SeededSimulation:
    """A simulation of ``table`` by ``seed``, whose blocks any process plays."""

    table: SimulatedTable
    seed: int

    def parts(self, rounds: int, jobs: int) -> Generator[Tally, None, None]:
        """Play that number of rounds in so many processes (1: this one): what each block of them
        came to, in the order they end.

        Raises:
            ShoeRanOut: the decks are too few for one round; NotDone: a process was killed.
        """
        firsts = range(0, rounds, BLOCK)
        blocks = (Block(at, min(BLOCK, rounds - first)) for at, first in enumerate(firsts))
        return spread(jobs, self.play, blocks)

    def play(self, block: Block) -> Tally:
        """What a block comes to."""
        chance = random.Random(f"{self.seed}:{block.number}")  # noqa: S311 - to be had again
        return self._simulation.block(block.rounds, chance)

    @cached_property
    def _simulation(self) -> Simulation:
        return Simulation(self.table)
