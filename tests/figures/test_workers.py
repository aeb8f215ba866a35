"""A process that is killed is told at once, none outlives the one that starts it, and Ctrl-C while
they start is not lost: each in a process of its own, with which Python's tracker of resources
stays. Ctrl-C at any moment: what is counted is counted wholly, and whoever makes the parts ends.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from figures.workers import until_interrupted


def ctrl_c(_: object = None) -> None:
    signal.raise_signal(signal.SIGINT)


def nothing(_: object = None) -> None:
    pass


@pytest.mark.parametrize(("play", "take"), [(ctrl_c, nothing), (nothing, ctrl_c)])
def test_a_second_ctrl_c_does_not_break_off_the_end_of_the_workers(
    play: Callable[[int], None], take: Callable[[int], None]
) -> None:
    ended = False

    def parts() -> Generator[int, None, None]:
        nonlocal ended
        try:
            for number in range(3):
                play(number)
                yield number
        finally:
            ctrl_c()
            ended = True

    before = signal.getsignal(signal.SIGINT)
    assert until_interrupted(parts(), take)
    assert ended
    assert signal.getsignal(signal.SIGINT) is before


def test_a_part_is_counted_wholly_though_ctrl_c_comes_amid_it() -> None:
    counted: list[int] = []

    def take(part: int) -> None:
        counted.append(part)
        ctrl_c()
        counted.append(part)

    assert until_interrupted((part for part in range(3)), take)
    assert counted == [0, 0]


def test_ctrl_c_stays_ignored_where_it_was() -> None:
    counted: list[int] = []
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:

        def take(part: int) -> None:
            ctrl_c()
            counted.append(part)

        assert not until_interrupted((part for part in range(3)), take)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
    assert counted == [0, 1, 2]


CHECKOUT = Path(__file__).resolve().parents[2]
KILL = """
import multiprocessing
from controller.not_done import NotDone
from figures.workers import spread

def kill():
    for process in multiprocessing.active_children():
        process.kill()
        process.join()

def end(parts, kill):
    try:
        next(parts)
        kill()
        list(parts)
    except NotDone as error:
        print(error.code, error)
"""
TABLE = """
from controller.files.rules import load_rules
from controller.game.round.wagers import Limits
from figures.rounds.jobs import SeededSimulation
from figures.rounds.playing import SimulatedTable
rules = load_rules("mbs-pontoon-pandemonium-v5")
limits = Limits(min=1000, side_min=100)
of = SeededSimulation(SimulatedTable(rules, 8, 1, limits, 1000, 100, "simple", 75), 1)
"""
BY_ROUNDS = KILL + TABLE + "end(of.parts(10**9, 2), kill)"
BY_KERNEL = (
    KILL
    + """
from figures.edges.jobs import in_processes
from tests.figures.edges.support import game_of, run_of
run = run_of(game_of(), 10**6, 1000)
end(in_processes(2, lambda _: None)([run], run.tasks()), kill)
"""
)
WHILE_IT_SENDS = (
    KILL
    + """
def kill_while_they_send():
    for link in parts.gi_frame.f_locals["links"]:
        link.poll(None)
    kill()

parts = spread(2, bytes, iter([1 << 24] * 4))
end(parts, kill_while_they_send)
"""
)
WHEN_THEY_START = """
import os, signal
from figures import workers

def process(*_):
    os.kill(os.getpid(), signal.SIGINT)
    return original(*_)

original, workers._process = workers._process, process
print(workers.until_interrupted(workers.spread(2, abs, iter(range(100))), print))
"""
NOT_DONE = """
from pathlib import Path
from controller.configuration.reading import load_configuration
from controller.not_done import NotDone
from figures.workers import spread
for jobs in (1, 2):
    try:
        list(spread(jobs, load_configuration, [Path("/nowhere.toml")] * 2))
    except NotDone as error:
        print(error.code, error)
"""
READ = """
import sys
from pathlib import Path
from figures.workers import spread
list(spread(2, Path.read_bytes, map(Path, sys.argv[1:])))
"""
AS_MANY_AS_TASKS = """
import multiprocessing
from figures.workers import spread
for many in range(4):
    parts, begun = spread(50, abs, iter(range(many))), set()
    done = [part for part in parts if begun.add(len(multiprocessing.active_children())) is None]
    print(many, sorted(begun), sorted(done))
"""


def ran(script: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", script],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


KILLED = "1 a process that played ended; was it killed?\n"


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        (BY_ROUNDS, KILLED),
        (BY_KERNEL, KILLED),
        (WHILE_IT_SENDS, KILLED),
        (WHEN_THEY_START, "True\n"),
        (AS_MANY_AS_TASKS, "0 [] []\n1 [0] [0]\n2 [2] [0, 1]\n3 [3] [0, 1, 2]\n"),
    ],
    ids=["rounds", "kernel", "while it sends", "Ctrl-C at the start", "as many as tasks"],
)
def test_what_comes_of_processes_is_told(script: str, expected: str) -> None:
    told = ran(script)
    assert (told.returncode, told.stderr, told.stdout) == (0, "", expected)


def test_none_outlives_the_one_that_starts_it_though_it_does_a_task(tmp_path: Path) -> None:
    fifos = [tmp_path / name for name in ("one", "other")]
    for fifo in fifos:
        os.mkfifo(fifo)
    with subprocess.Popen([sys.executable, "-c", READ, *fifos], cwd=CHECKOUT) as parent:
        ends = [fifo.open("wb", buffering=0) for fifo in fifos]  # waits until a task reads it
        parent.terminate()
    for written in ends:
        with written:  # whose end would end the task
            watch = select.poll()
            watch.register(written, 0)
            assert [event for _, event in watch.poll(60_000)] == [select.POLLERR], (
                "it is still read"
            )


def test_what_is_not_done_there_is_told_as_here() -> None:
    told = ran(NOT_DONE)
    assert (told.returncode, told.stderr) == (0, "")
    here, there = told.stdout.splitlines()
    assert there == here
    assert here.startswith("2 /nowhere.toml: ")
