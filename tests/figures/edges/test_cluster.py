"""Two workers of a Dask cluster, one of which is killed: the same sums."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.figures.edges.support import begin, table_figures
from tests.figures.edges.test_jobs import LONG, wait_for_line

SCHEDULER = ("distributed.cli.dask_scheduler", "--no-dashboard", "--host", "127.0.0.1")
WORKER = ("distributed.cli.dask_worker", "--no-dashboard", "--no-nanny", "--nthreads", "1")


@contextmanager
def running(*words: object, program: tuple[str, ...]) -> Iterator[subprocess.Popen[str]]:
    process = begin(*words, program=program)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.mark.needs("numba")
def test_a_worker_that_is_killed_changes_nothing(tmp_path: Path) -> None:
    told, path = tmp_path / "scheduler.json", tmp_path / "run"
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
                running(address, "--local-directory", tmp_path / name, program=WORKER)
            )
            for name in ("one", "other")
        ]
        process = begin(*LONG, "--resume", path, "--cluster", address)
        wait_for_line(path, process)
        workers[0].kill()
        out, err = process.communicate(timeout=120)
        assert (process.returncode, "Traceback" in err) == (0, False), err
    assert json.loads(out) == table_figures(*LONG).json


@pytest.mark.needs("numba")
@pytest.mark.parametrize(
    ("address", "code", "said"),
    [
        ("nowhere", 2, "expected as tcp://10.0.0.1:8786"),
        ("tcp://127.0.0.1:1", 1, "no Dask scheduler answers there"),
    ],
)
def test_where_no_scheduler_answers_that_is_said(address: str, code: int, said: str) -> None:
    ran = table_figures(*LONG, "--cluster", address)
    assert ran.code == code
    assert said in ran.err
    assert "Traceback" not in ran.err
