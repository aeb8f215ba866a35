"""Games, runs of them, and the program in a process of its own."""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from controller import __version__
from controller.files.rules import load_rules
from figures.edges.figures import AskedRun
from figures.edges.jobs import RunSums, SeededRun, Workers, in_processes
from figures.edges.policies import hitting_sevens, policy_of
from figures.edges.results import Origin
from figures.edges.run_file import RunFile, job_of
from figures.edges.running import carry_out
from figures.games.compiled import source_digest
from figures.games.games import Game, numbers_of
from tests.figures.rounds.support import WEIGHTS

MBS = "mbs-pontoon-pandemonium-v5"
CHECKOUT = Path(__file__).resolve().parents[3]
ENDLESS = ("--rounds", 100_000_000)
"""More than is played before it is ended. The command goes on with fewer, too, as long as they have
every block that is kept."""
IN_MODIFY, IN_CREATE = 0x2, 0x100
ORIGIN = Origin(
    command="again",
    seed=7,
    version=__version__,
    rules=MBS,
    rules_digest="a1",
    kernel=source_digest(),
)

alone = in_processes(1, lambda _: None)


@cache
def game_of(document: str = MBS, boxes: int = 2, penetration: int = 75) -> Game:
    rules = load_rules(document)
    policy = hitting_sevens(policy_of("simple", rules))
    weights = WEIGHTS if rules.pandemonium else None
    return Game(rules, 8, policy, boxes, True, weights, penetration)


def run_of(game: Game, rounds: int = 900, block: int = 200) -> SeededRun:
    return SeededRun(numbers_of(game), 7, rounds, block, compiled=False)


def sums_of(run: SeededRun, workers: Workers = alone, kept: RunFile | None = None) -> RunSums:
    return carry_out([run], workers, lambda _: None, kept).sums[0]


def keeping(path: Path, run: SeededRun, every_s: float = 1.0) -> RunFile:
    return RunFile(path, job_of([run]), run.seed, every_s)


def just_more_than(path: Path, block: int) -> int:
    """A number of rounds in which every block is that the file has, and one more."""
    lines = path.read_bytes().split(b"\n")[1:-1]  # what a killed process has left unended is last
    kept: list[list[list[int]]] = [json.loads(line.partition(b" ")[2])["blocks"] for line in lines]
    return block * (2 + max(number for blocks in kept for number, *_ in blocks))


def asked(game: Game, rounds: int) -> AskedRun:
    return AskedRun(game, ORIGIN, "simple", rounds)


class Ran(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def begin(
    *words: object, program: Sequence[str] = ("figures.program.main",)
) -> subprocess.Popen[str]:
    """The program, begun; the source as it stands, in this checkout."""
    return subprocess.Popen(
        [sys.executable, "-m", *program, *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=CHECKOUT,
        env={**os.environ, "PYTHONWARNINGS": ""},
    )


def ended(process: subprocess.Popen[str]) -> Ran:
    out, err = process.communicate(timeout=120)
    return Ran(process.returncode, out, err)


def table_figures(*words: object) -> Ran:
    return ended(begin(*words))


def changes(folder: Path) -> int:
    """A descriptor that can be read when a file in the folder has been made or written to."""
    libc = ctypes.CDLL(None)
    watch = int(libc.inotify_init1(os.O_CLOEXEC))
    assert libc.inotify_add_watch(watch, os.fsencode(folder), IN_CREATE | IN_MODIFY) >= 0
    return watch
