"""Very many rounds in blocks, played here, in processes, or elsewhere.

Each block has its own chance, made of the seed and its number, and begins with a new shoe. So what
a run comes to depends neither on who plays a block nor on the order in which they end.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from typing import Final, NamedTuple, TypeAlias

from figures.edges.compiling import tell_compiling
from figures.games.compiled import source_digest
from figures.games.games import GameNumbers, Played, Player
from figures.kernel.blocks import ROUNDS, SUM_NET
from figures.workers import spread

BLOCK: Final = 1 << 20
"""Rounds of a block. Another number is another run of the same seed."""


class Task(NamedTuple):
    """A block to be played: ``key`` is the place of its run among several."""

    key: int
    number: int
    rounds: int


class PlayedBlock(NamedTuple):
    """What a task came to."""

    key: int
    number: int
    played: Played


class OtherKernel(Exception):
    """Who should play a block has another version of the kernel's source."""


@dataclass(frozen=True)
class SeededRun:
    """``rounds`` rounds of a game, by ``seed``, in blocks of ``block`` rounds."""

    numbers: GameNumbers
    seed: int
    rounds: int
    block: int = BLOCK
    compiled: bool = True

    @cached_property
    def digest(self) -> str:
        """SHA-256 of all that decides what a block comes to, in hexadecimal."""
        said = repr((tuple(self.numbers), self.seed, self.block, source_digest()))
        return hashlib.sha256(said.encode("ascii")).hexdigest()

    def tasks(self, key: int = 0) -> Iterator[Task]:
        """Its blocks, as those of that run; the last may be shorter."""
        for number in range(-(-self.rounds // self.block)):
            yield Task(key, number, self.rounds_of(number))

    def rounds_of(self, number: int) -> int:
        """The rounds of the block of that number; 0: there is none."""
        return max(0, min(self.block, self.rounds - number * self.block)) if number >= 0 else 0


@dataclass(slots=True)
class RunSums:
    """What blocks came to, all together; and of each its rounds and its main net, by number."""

    played: Played = field(default_factory=Played)
    blocks: dict[int, tuple[int, int]] = field(default_factory=dict)

    def add(self, number: int, played: Played) -> None:
        """Count a block."""
        self.played.add(played)
        self.blocks[number] = played.tally[ROUNDS], played.tally[SUM_NET]

    def merge(self, other: RunSums) -> None:
        """Count what the other has counted, too."""
        self.played.add(other.played)
        self.blocks |= other.blocks

    @property
    def rounds(self) -> int:
        """Those that have been played."""
        return self.played.tally[ROUNDS]


Playing: TypeAlias = Generator[PlayedBlock, None, None]
Workers: TypeAlias = Callable[[Sequence[SeededRun], Iterator[Task]], Playing]
"""What plays tasks of some runs, and gives what each came to as it ends."""


def play(run: SeededRun, kernel: str, task: Task) -> PlayedBlock:
    """Play a block of a run, in whatever process this is called.

    Raises:
        OtherKernel: it has another source than that of this SHA-256; ShoeTooSmall.
    """
    if kernel != (here := source_digest()):
        raise OtherKernel(f"the kernel there is {here[:12]}, here it is {kernel[:12]}")
    played = _player(run.numbers, run.compiled).block(run.seed, task.number, task.rounds)
    return PlayedBlock(task.key, task.number, played)


@lru_cache(4)
def _player(numbers: GameNumbers, compiled: bool) -> Player:
    return Player(numbers, compile_it=compiled)


def in_processes(jobs: int, say: Callable[[str], None]) -> Workers:
    """What plays in so many processes of this machine; 1: in this one. That the kernel has to be
    compiled first is said."""

    def playing(runs: Sequence[SeededRun], tasks: Iterator[Task]) -> Playing:
        if runs[0].compiled:
            tell_compiling("play_block", say)
            play(runs[0], source_digest(), Task(0, 0, 1))  # so that not each of them compiles
        yield from spread(jobs, partial(_play_one, tuple(runs), source_digest()), tasks)

    return playing


def _play_one(runs: Sequence[SeededRun], kernel: str, task: Task) -> PlayedBlock:
    return play(runs[task.key], kernel, task)
