"""Commands of several runs after Ctrl-C: what is whole is told, and the same command goes on."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.figures.edges.support import ENDLESS, MBS, begin, ended, just_more_than, table_figures
from tests.figures.edges.test_jobs import wait_for_line

BLOCK = 500
FEW = ("--uncompiled", "--block", BLOCK, "--json")
WORTH = ("worth", MBS, "--policy", "simple", "--values", "pays.pontoon", *FEW)
STRANGERS = ("strangers", "pontoon-bb1-spl1-nlc", *FEW)
SEED = ("--seed", 3)


@pytest.mark.needs("numba")
@pytest.mark.parametrize(
    ("command", "first"),
    [
        (WORTH, "the rules as they are"),
        (STRANGERS, "BB+1, SPL1, NLC, 6 decks"),
    ],
    ids=["worth", "strangers"],
)
def test_it_goes_on_to_the_same(command: tuple[object, ...], first: str, tmp_path: Path) -> None:
    path = tmp_path / "run"
    process = begin(*command, *SEED, *ENDLESS, "--resume", path, "--jobs", 2)
    wait_for_line(path, process)
    os.kill(process.pid, signal.SIGINT)
    ran = ended(process)
    assert ran.code == 130, ran.err
    assert f"go on with --resume {path}" in ran.err
    assert "Traceback" not in ran.err
    assert ran.json["whole"] is False
    assert ran.json["missing"][0] == first
    assert len(ran.json["missing"]) > 1
    few = ("--rounds", just_more_than(path, BLOCK))
    again = table_figures(*command, *few, "--resume", path)
    assert (again.code, again.json["whole"]) == (0, True), again.err
    assert "seed 3\n" in again.err, "the seed is that of the file"
    assert "rounds are done" in again.err
    assert again.json == table_figures(*command, *few, *SEED).json


def test_a_file_of_one_command_is_not_anothers(tmp_path: Path) -> None:
    path = tmp_path / "run"
    short = ("--uncompiled", "--rounds", 200, "--boxes", 1, *SEED, "--resume", path)
    assert table_figures("edge", MBS, *short).code == 0
    ran = table_figures("worth", MBS, "--values", "pays.pontoon", *short)
    assert ran.code == 2
    assert "it is of another game, seed, block or version" in ran.err
