"""Two workers of a Dask cluster, one of which is killed: the same sums. What is compiled is told
once, and what versions that nobody uses have left is removed then."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from figures.edges.compiling import NOT_COMPILED
from figures.games.compiled import source_digest
from tests.figures.edges.support import CHECKOUT, MBS, begin, ended, table_figures
from tests.figures.edges.test_jobs import LONG, wait_for_line

DAY_S = 86400
SAID = "compiling the kernel, once: about ten seconds\n"
FEW = ("--rounds", 400, "--boxes", 1, "--seed", 1)


@pytest.mark.needs("numba")
def test_both_programs_tell_it_and_old_ones_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    now, cache = time.time(), tmp_path / "table-figures"
    for name, days in (("0" * 16, 31), ("1" * 16, 29), ("notes", 31)):
        (cache / name / "kernel_1").mkdir(parents=True)
        (cache / name / "kernel_1" / "one.nbi").touch()
        os.utime(cache / name, (now - days * DAY_S,) * 2)
    (cache / ("2" * 16)).symlink_to(cache / "notes")
    tablectl = ("simulate", "--rules", MBS, "--by", "kernel", *FEW)
    first = ended(begin(*tablectl, program=("controller.cli.main",)))
    assert SAID in first.err
    here = source_digest()[:16]
    assert {path.name for path in cache.iterdir()} == {"1" * 16, "2" * 16, "notes", here}
    assert (cache / "notes" / "kernel_1" / "one.nbi").exists()
    os.utime(cache / here, (now - 31 * DAY_S,) * 2)
    again = table_figures("edge", MBS, *FEW)
    assert (again.code, SAID in again.err) == (0, False), again.err
    assert (cache / here).stat().st_mtime >= now - 1, "not marked as used"
    (index,) = (cache / here).glob("*/*.play_block-*.nbi")
    cut = [*(cache / here).glob("*/*.play_again-*.nbc")]
    index.write_bytes(b"")
    for data in cut:
        data.write_bytes(data.read_bytes()[:-1000])
    mended, at_last = (table_figures("edge", MBS, *FEW) for _ in range(2))
    assert (mended.code, SAID in mended.err, mended.out) == (0, True, again.out), mended.err
    assert (at_last.code, SAID in at_last.err, at_last.out) == (0, False, again.out), at_last.err
    assert index.stat().st_size > 0
    assert any(data.read_bytes()[-1:] == b"." for data in cut)


@pytest.mark.needs("numba")
def test_where_numba_may_not_compile_the_plain_source_plays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plain = table_figures("edge", MBS, *FEW, "--uncompiled", "--json")
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    told = table_figures("edge", MBS, *FEW, "--json")
    assert (told.code, told.out) == (0, plain.out), told.err
    assert told.err.count(NOT_COMPILED) == 1


ASKED_AGAIN = """
from figures.edges.compiling import NOT_KEPT, tell_compiling
said = []
for function in ("play_block", "play_block", "play_forced"):
    tell_compiling(function, said.append)
print(said == [NOT_KEPT] * 2)
"""


@pytest.mark.needs("numba")
def test_where_nothing_can_be_kept_it_is_said_once(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    ran = subprocess.run(
        [sys.executable, "-c", ASKED_AGAIN],
        cwd=CHECKOUT,
        env={**os.environ, "XDG_CACHE_HOME": str(tmp_path / "file")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.stdout, ran.stderr) == ("True\n", "")


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
