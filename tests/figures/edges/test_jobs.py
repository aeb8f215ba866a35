"""The same sums whoever plays the blocks, in whatever order, and after whatever end."""

from __future__ import annotations

import hashlib
import json
import os
import select
import signal
import subprocess
import tracemalloc
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from controller.not_done import NotDone
from figures.edges.jobs import OtherKernel, Playing, RunSums, SeededRun, Task, Workers, play
from figures.edges.run_file import DIGITS
from tests.figures.edges.support import (
    ENDLESS,
    MBS,
    alone,
    begin,
    changes,
    ended,
    game_of,
    just_more_than,
    keeping,
    run_of,
    sums_of,
    table_figures,
)

PLAYED = ("edge", MBS, "--uncompiled", "--seed", 3, "--boxes", 1, "--policy", "simple", "--json")
BLOCK = 500
LONG = (*PLAYED, "--block", BLOCK)


@pytest.fixture(scope="module")
def run() -> SeededRun:
    return run_of(game_of())


@pytest.fixture(scope="module")
def whole(run: SeededRun) -> RunSums:
    return sums_of(run)


def _backwards(runs: Sequence[SeededRun], tasks: Iterator[Task]) -> Playing:
    yield from alone(runs, reversed(list(tasks)))


def _stopping(after: int) -> Workers:
    def playing(runs: Sequence[SeededRun], tasks: Iterator[Task]) -> Playing:
        for place, done in enumerate(alone(runs, tasks)):
            if place == after:
                raise KeyboardInterrupt
            yield done

    return playing


def test_blocks_come_to_the_same_in_any_order(run: SeededRun, whole: RunSums) -> None:
    assert whole.rounds == 900
    assert sums_of(run, _backwards) == whole
    assert sums_of(SeededRun(run.numbers, 8, 900, 200, compiled=False)) != whole


def test_three_processes_come_to_the_same_as_one() -> None:
    command = (*PLAYED, "--rounds", 1100, "--block", 200)
    one, three = table_figures(*command, "--jobs", 1), table_figures(*command, "--jobs", 3)
    assert (one.code, three.code) == (0, 0)
    assert one.json["rounds"] == 1100
    assert three.out == one.out


@pytest.mark.parametrize("after", [0, 1, 3])
def test_what_is_kept_is_not_played_again(
    run: SeededRun, whole: RunSums, tmp_path: Path, after: int
) -> None:
    path = tmp_path / "run"
    with keeping(path, run, every_s=0.0) as kept:
        part = sums_of(run, _stopping(after), kept)
        assert part.rounds == 200 * after
    with keeping(path, run) as kept:
        assert (kept.sums_of(run), kept.dropped) == (part, 0)
        assert sums_of(run, kept=kept) == whole
    with keeping(path, run) as kept:
        assert sums_of(run, _stopping(0), kept) == whole


@pytest.mark.parametrize("cut", [1, 40, 400])
def test_a_damaged_end_is_dropped_and_played_again(
    run: SeededRun, whole: RunSums, tmp_path: Path, cut: int
) -> None:
    path = tmp_path / "run"
    with keeping(path, run, every_s=0.0) as kept:
        sums_of(run, kept=kept)
    text = path.read_bytes()
    path.write_bytes(text[:-cut] + b"\0" * (cut // 2))
    with keeping(path, run) as kept:
        assert kept.dropped > 0
        assert 0 < kept.sums_of(run).rounds < 900
        assert sums_of(run, kept=kept) == whole


@pytest.mark.parametrize(
    "wrong",
    [
        {"seen": [1, 2]},
        {"shoes": -5},
        {"refills": -1},
        {"blocks": [[1, 193, 0]]},
        {"blocks": [[1, 200]]},
        {"blocks": []},
        {"tally": {}},
    ],
    ids=str,
)
def test_sums_that_cannot_be_are_dropped_and_played_again(
    run: SeededRun, whole: RunSums, tmp_path: Path, wrong: dict[str, object]
) -> None:
    path = tmp_path / "run"
    with keeping(path, run, every_s=0.0) as kept:
        sums_of(run, kept=kept)
    head, first, second, *rest = path.read_bytes().splitlines(keepends=True)
    content = json.dumps(json.loads(second.partition(b" ")[2]) | wrong).encode()
    bad = hashlib.sha256(content).hexdigest()[:DIGITS].encode() + b" " + content + b"\n"
    path.write_bytes(b"".join((head, first, bad, *rest)))
    with keeping(path, run) as kept:
        assert kept.dropped == len(bad) + sum(map(len, rest))
        assert kept.sums_of(run).rounds == 200
        assert sums_of(run, kept=kept) == whole


def test_a_file_of_another_run_is_left_as_it_is(run: SeededRun, tmp_path: Path) -> None:
    path = tmp_path / "run"
    with keeping(path, run) as kept:
        sums_of(run, _stopping(2), kept)
        with pytest.raises(NotDone, match="another run writes it now"), keeping(path, run):
            pass
    before = path.read_bytes()
    for other, why in (
        (SeededRun(run.numbers, 9, 900, 200, compiled=False), "of another game, seed, block"),
        (
            SeededRun(run.numbers, 7, 300, 200, compiled=False),
            "its block 1 has 200 rounds, in this run 1",
        ),
    ):
        with pytest.raises(NotDone, match=why), keeping(path, other) as kept:
            kept.sums_of(other)
    assert path.read_bytes() == before
    path.write_text("something else\n")
    with pytest.raises(NotDone, match="no such file"), keeping(path, run):
        pass
    assert path.read_text() == "something else\n"


def test_what_is_kept_of_very_many_blocks_takes_little_memory(
    run: SeededRun, tmp_path: Path
) -> None:
    path = tmp_path / "run"
    with keeping(path, run) as kept:
        sums_of(run, _stopping(2), kept)
    many = SeededRun(run.numbers, 7, 200_000_000, 200, compiled=False)
    with keeping(path, many) as kept:
        tracemalloc.start()
        try:
            assert kept.sums_of(many).rounds == 400
            assert tracemalloc.get_traced_memory()[1] < 1 << 20
        finally:
            tracemalloc.stop()


def test_another_version_of_the_kernel_plays_nothing(run: SeededRun) -> None:
    with pytest.raises(OtherKernel, match="the kernel there is"):
        play(run, "0" * 64, next(run.tasks()))


def wait_for_line(path: Path, process: subprocess.Popen[str]) -> None:
    gone, changed = os.pidfd_open(process.pid), changes(path.parent)
    try:
        while not path.exists() or path.read_bytes().count(b"\n") < 2:
            ready = select.select([changed, gone], [], [])[0]
            assert changed in ready, process.communicate()
            os.read(changed, 4096)
    finally:
        os.close(changed)
        os.close(gone)


@pytest.mark.parametrize("jobs", [1, 2])
def test_killed_at_any_moment_it_goes_on_to_the_same(tmp_path: Path, jobs: int) -> None:
    path = tmp_path / "run"
    process = begin(*LONG, *ENDLESS, "--resume", path, "--jobs", jobs)
    wait_for_line(path, process)
    process.kill()
    ended(process)
    few = ("--rounds", just_more_than(path, BLOCK))
    again = table_figures(*LONG, *few, "--resume", path)
    assert "rounds are done" in again.err
    assert again.json == table_figures(*LONG, *few).json


def test_an_interrupt_that_something_swallows_ends_it_behind_the_block(run: SeededRun) -> None:
    # As the library of the rounds' states does while it finalizes an event.
    def playing(runs: Sequence[SeededRun], tasks: Iterator[Task]) -> Playing:
        for place, done in enumerate(alone(runs, tasks)):
            if place == 1:
                with suppress(KeyboardInterrupt):
                    signal.raise_signal(signal.SIGINT)
            yield done

    assert sums_of(run, playing).rounds == 400


def test_what_could_not_be_written_is_not_written_twice(
    tmp_path: Path, run: SeededRun, whole: RunSums, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: int) -> None:
        raise OSError(5, "Input/output error")

    def begin_and_fail() -> None:
        with keeping(tmp_path / "r", run) as kept:
            monkeypatch.setattr("os.fsync", fails)
            sums_of(run, kept=kept)

    with pytest.raises(NotDone, match="Input/output error"):
        begin_and_fail()
    monkeypatch.undo()
    with keeping(tmp_path / "r", run) as kept:
        assert kept.dropped == 0
        assert sums_of(run, kept=kept) == whole
    with keeping(tmp_path / "r", run) as kept:
        assert kept.sums_of(run) == whole
