"""Two workers of a Dask cluster, one of which is killed: the same sums."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.figures.edges.support import begin, ended, table_figures
from tests.figures.edges.test_jobs import LONG, wait_for_line

SCHEDULER = ("distributed.cli.dask_scheduler", "--no-dashboard", "--host", "127.0.0.1")
WORKER = ("distributed.cli.dask_worker", "--no-dashboard", "--no-nanny", "--nthreads", "1")

SOME = (*LONG, "--rounds", 100_000)
"""Some seconds of it."""


@contextmanager
def running(*words: object, program: tuple[str, ...]) -> Iterator[subprocess.Popen[str]]:
    process = begin(*words, program=program)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@contextmanager
def cluster(folder: Path) -> Iterator[tuple[str, list[subprocess.Popen[str]]]]:
    """Its scheduler's address, and its scheduler and two workers."""
    told = folder / "scheduler.json"
    with ExitStack() as stack:
        scheduler = stack.enter_context(
            running("--port", 0, "--scheduler-file", told, program=SCHEDULER)
        )
        while not told.exists() or not told.read_text().endswith("}"):
            assert scheduler.poll() is None, scheduler.communicate()
            threading.Event().wait(0.01)
        address = json.loads(told.read_text())["address"]
        workers = [
            stack.enter_context(
                running(address, "--local-directory", folder / name, program=WORKER)
            )
            for name in ("one", "other")
        ]
        yield address, [scheduler, *workers]


@pytest.mark.needs("numba")
def test_a_worker_that_is_killed_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "run"
    with cluster(tmp_path) as (address, (_, worker, _)):
        process = begin(*SOME, "--resume", path, "--cluster", address)
        wait_for_line(path, process)
        worker.kill()
        ran = ended(process)
        assert (ran.code, "Traceback" in ran.err) == (0, False), ran.err
    assert ran.json == table_figures(*SOME).json


@pytest.mark.needs("numba")
def test_a_cluster_that_ends_is_told_and_what_it_did_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "run"
    with cluster(tmp_path) as (address, parts):
        process = begin(*SOME, "--resume", path, "--cluster", address)
        wait_for_line(path, process)
        for part in parts:
            part.kill()
        ran = ended(process)
    assert ran.code == 1
    assert ("it plays no more" in ran.err, "Traceback" in ran.err) == (True, False), ran.err
    again = table_figures(*SOME, "--resume", path)
    assert "rounds are done" in again.err
    assert again.json == table_figures(*SOME).json


@pytest.mark.needs("numba")
@pytest.mark.parametrize(
    ("address", "code", "said"),
    [
        ("nowhere", 2, "expected as tcp://10.0.0.1:8786"),
        ("tcp://127.0.0.1:1", 1, "no Dask scheduler answers there"),
    ],
)
def test_where_no_scheduler_answers_that_is_said(address: str, code: int, said: str) -> None:
    ran = table_figures(*SOME, "--cluster", address)
    assert ran.code == code
    assert said in ran.err
    assert "Traceback" not in ran.err
