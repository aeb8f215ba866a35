"""Very many rounds in blocks, played here, in processes, or elsewhere.

Each block has its own chance, made of the seed and its number, and begins with a new shoe. So what
a run comes to depends neither on who plays a block nor on the order in which they end.
"""

from __future__ import annotations

import ctypes
import hashlib
import multiprocessing
import signal
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain, islice
from typing import Final, NamedTuple, TypeAlias

from figures.kernel.blocks import ROUNDS, SUM_NET
from figures.kernel.compiled import source_digest
from figures.kernel.games import Numbers, Played, Player

BLOCK: Final = 1 << 20
"""Rounds of a block. Another number is another run of the same seed."""
PR_SET_PDEATHSIG: Final = 1
"""linux/prctl.h: the signal that a process gets when its parent ends."""
AHEAD: Final = 2
"""Blocks that a process has before it, the one that it plays among them."""


class OtherKernel(Exception):
    """Who should play a block has another version of the kernel's source."""


class Task(NamedTuple):
    """A block to be played, and by which ``kernel`` source; ``key`` is whatever run it is of."""

    key: int
    numbers: Numbers
    kernel: str
    seed: int
    number: int
    rounds: int
    compiled: bool


class Done(NamedTuple):
    """What a task came to."""

    key: int
    number: int
    played: Played


Playing: TypeAlias = Generator[Done, None, None]
Workers: TypeAlias = Callable[[Iterator[Task]], Playing]
"""What plays tasks, and gives what each came to as it ends."""


@dataclass(frozen=True)
class Run:
    """``rounds`` rounds of a game, by ``seed``, in blocks of ``block`` rounds."""

    numbers: Numbers
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
        """Its blocks; the last may be shorter."""
        kernel = source_digest()
        for number, first in enumerate(range(0, self.rounds, self.block)):
            rounds = min(self.block, self.rounds - first)
            yield Task(key, self.numbers, kernel, self.seed, number, rounds, self.compiled)


@dataclass(slots=True)
class Sums:
    """What blocks came to, all together; and of each its rounds and its main net, by number."""

    played: Played = field(default_factory=Played)
    blocks: dict[int, tuple[int, int]] = field(default_factory=dict)

    def add(self, number: int, played: Played) -> None:
        """Count a block."""
        self.played.add(played)
        self.blocks[number] = played.tally[ROUNDS], played.tally[SUM_NET]

    def merge(self, other: Sums) -> None:
        """Count what the other has counted, too."""
        self.played.add(other.played)
        self.blocks |= other.blocks

    @property
    def rounds(self) -> int:
        """Those that have been played."""
        return self.played.tally[ROUNDS]


def play(task: Task) -> Done:
    """Play a block, in whatever process this is called.

    Raises:
        OtherKernel: it has another source than the task is for; ShoeTooSmall.
    """
    if task.kernel != (here := source_digest()):
        raise OtherKernel(f"the kernel there is {here[:12]}, here it is {task.kernel[:12]}")
    player = _player(task.numbers, task.compiled)
    return Done(task.key, task.number, player.block(task.seed, task.number, task.rounds))


@lru_cache(4)
def _player(numbers: Numbers, compiled: bool) -> Player:
    return Player(numbers, compile_it=compiled)


def alone(tasks: Iterator[Task]) -> Playing:
    """Play them one after the other, in this process."""
    for task in tasks:
        yield play(task)


def in_processes(jobs: int) -> Workers:
    """What plays in so many processes of its own; they end with this one, however it ends."""

    def playing(tasks: Iterator[Task]) -> Playing:
        for first in islice(tasks, 1):
            play(first._replace(rounds=1))  # so that not each of them compiles
            tasks = chain([first], tasks)
        spawn = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(jobs, spawn, _follow_parent) as pool:

            def handed(some: Iterable[Task]) -> set[Future[Done]]:
                return {pool.submit(play, task) for task in some}

            # What is started now inherits that Ctrl-C is nothing to it: this process ends it.
            before = signal.signal(signal.SIGINT, signal.SIG_IGN)
            try:
                waiting = handed(islice(tasks, AHEAD * jobs))
            finally:
                signal.signal(signal.SIGINT, before)
            try:
                while waiting:
                    done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                    waiting |= handed(islice(tasks, len(done)))
                    yield from (one.result() for one in done)
            except BaseException:  # nobody waits for the rounds of a block
                for process in multiprocessing.active_children():
                    process.kill()
                raise
            finally:
                pool.shutdown(wait=False, cancel_futures=True)

    return playing


def _follow_parent() -> None:
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
