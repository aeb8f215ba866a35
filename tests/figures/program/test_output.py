"""Output that cannot be written: one line that says so, a status, and nothing that is lost."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from controller.not_done import NOT_WELL, WRONG_USE
from tests.figures.edges.support import CHECKOUT, MBS, table_figures

FEW = f"edge {MBS} --uncompiled --rounds 300 --boxes 1 --seed 4 --block 200"
FULL = "> /dev/full"
CLOSED = ">&-"


def by_shell(words: str) -> subprocess.CompletedProcess[str]:
    command = f"{sys.executable} -m figures.program.main {words}"
    return subprocess.run(
        ["sh", "-c", command], cwd=CHECKOUT, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("form", ["", "--json"])
def test_a_full_disk_is_said_and_what_was_played_is_kept(form: str, tmp_path: Path) -> None:
    path = tmp_path / "run"
    ran = by_shell(f"{FEW} {form} --resume {path} {FULL}")
    last = ran.stderr.splitlines()[-1]
    assert (ran.returncode, "Traceback" in ran.stderr) == (NOT_WELL, False)
    assert last.startswith("table-figures: standard output cannot be written: No space left")
    assert last.endswith(f"what was played is in {path}: the same command tells it at once")
    again = table_figures(*FEW.split(), "--resume", path, "--json")
    assert (again.code, again.json["rounds"]) == (0, 300)
    assert "\n0 rounds in" in again.err, "nothing is played again"


def test_without_a_file_it_says_what_would_have_kept_it() -> None:
    ran = by_shell(f"{FEW} {FULL}")
    assert ran.returncode == NOT_WELL
    assert "with --resume FILE what is played is kept" in ran.stderr.splitlines()[-1]


def test_nothing_is_played_for_a_closed_output() -> None:
    ran = by_shell(f"{FEW} {CLOSED}")
    said = "table-figures: standard output is closed, so nothing could be told; nothing is done\n"
    assert (ran.returncode, ran.stderr) == (NOT_WELL, said)


@pytest.mark.parametrize("where", ["2> /dev/full", "2>&-"])
def test_figures_are_told_where_nothing_else_can_be(where: str) -> None:
    ran = by_shell(f"{FEW} {where}")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "300 rounds" in ran.stdout
    assert "rounds in" not in ran.stdout, "the speed is not of what was asked for"
    assert by_shell(f"edge nothing {where}").returncode == WRONG_USE


@pytest.mark.needs("numba")
def test_a_result_goes_through_a_pipe() -> None:
    ran = by_shell(f"{FEW} --json | {sys.executable} -m figures.program.main shift - --rounds 50")
    assert ran.returncode == 0, ran.stderr
    assert "chance that it loses" in ran.stdout
