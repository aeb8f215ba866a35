"""``table-figures`` as a program: ended while it loads and while it plays, output that cannot be
written, and a machine on which its extra is not installed."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from controller.not_done import NOT_WELL, WRONG_USE
from figures.edges.figures import main_figures
from figures.program.runs import Progress
from figures.rounds.figures import WITHIN_95
from tests.figures.edges.support import (
    CHECKOUT,
    ENDLESS,
    MBS,
    begin,
    ended,
    game_of,
    just_more_than,
    run_of,
    sums_of,
    table_figures,
)
from tests.figures.edges.test_jobs import wait_for_line


def ran(*command: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=CHECKOUT,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )


# ---- Ctrl-C -------------------------------------------------------------------------------------

AS_INSTALLED = """
import signal, sys

class Interrupting:
    at = [sys.argv[1]]

    def find_spec(self, name, path=None, target=None):
        if name in self.at:
            self.at.remove(name)
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Interrupting())
from {module} import {function}
sys.argv[1:] = ["edge", "--help"]
sys.exit({function}())
"""


@pytest.mark.parametrize("module", ["figures.program.main", "controller.verbs", "figures.kernel"])
def test_it_is_interrupted_while_it_loads(module: str) -> None:
    scripts = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["project"]["scripts"]
    where, _, function = scripts["table-figures"].partition(":")
    script = AS_INSTALLED.format(module=where, function=function)
    told = ran(sys.executable, "-c", script, module)
    assert (told.returncode, told.stdout, told.stderr) == (130, "", "")


BLOCK = 500
SHORT = ("--uncompiled", "--block", BLOCK, "--json")
SEED = ("--seed", 3)


@pytest.mark.needs("numba")
@pytest.mark.parametrize(
    ("command", "first"),
    [
        (
            ("worth", MBS, "--policy", "simple", "--values", "pays.pontoon", *SHORT),
            "the rules as they are",
        ),
        (("strangers", "pontoon-bb1-spl1-nlc", *SHORT), "BB+1, SPL1, NLC, 6 decks"),
    ],
    ids=["worth", "strangers"],
)
def test_several_runs_go_on_to_the_same(
    command: tuple[object, ...], first: str, tmp_path: Path
) -> None:
    """What is whole is told, and the same command goes on."""
    path = tmp_path / "run"
    process = begin(*command, *SEED, *ENDLESS, "--resume", path, "--jobs", 2)
    wait_for_line(path, process)
    os.kill(process.pid, signal.SIGINT)
    told = ended(process)
    assert told.code == 130, told.err
    assert f"go on with --resume {path}" in told.err
    assert "Traceback" not in told.err
    assert told.json["whole"] is False
    assert told.json["missing"][0] == first
    assert len(told.json["missing"]) > 1
    few = ("--rounds", just_more_than(path, BLOCK))
    again = table_figures(*command, *few, "--resume", path)
    assert (again.code, again.json["whole"]) == (0, True), again.err
    assert "seed 3\n" in again.err, "the seed is that of the file"
    assert "rounds are done" in again.err
    assert again.json == table_figures(*command, *few, *SEED).json
    edge = ("edge", MBS, "--policy", "simple", *SHORT, "--rounds", 500, *SEED, "--resume", path)
    assert "it is of another game, seed, block or version" in table_figures(*edge).err


# ---- output -------------------------------------------------------------------------------------

FEW = f"edge {MBS} --uncompiled --rounds 300 --boxes 1 --seed 4 --block 200"
FULL = "> /dev/full"
CLOSED = ">&-"


def by_shell(words: str) -> subprocess.CompletedProcess[str]:
    return ran("sh", "-c", f"{sys.executable} -m figures.program.main {words}")


@pytest.mark.parametrize("form", ["", "--json"])
def test_a_full_disk_is_said_and_what_was_played_is_kept(form: str, tmp_path: Path) -> None:
    path = tmp_path / "run"
    told = by_shell(f"{FEW} {form} --resume {path} {FULL}")
    last = told.stderr.splitlines()[-1]
    assert (told.returncode, "Traceback" in told.stderr) == (NOT_WELL, False)
    assert last.startswith("table-figures: standard output cannot be written: No space left")
    assert last.endswith(f"what was played is in {path}: the same command tells it at once")
    again = table_figures(*FEW.split(), "--resume", path, "--json")
    assert (again.code, again.json["rounds"]) == (0, 300)
    assert "\n0 rounds in" in again.err, "nothing is played again"


def test_without_a_file_it_says_what_would_have_kept_it() -> None:
    told = by_shell(f"{FEW} {FULL}")
    assert told.returncode == NOT_WELL
    assert "with --resume FILE what is played is kept" in told.stderr.splitlines()[-1]


def test_nothing_is_played_for_a_closed_output() -> None:
    told = by_shell(f"{FEW} {CLOSED}")
    said = "table-figures: standard output is closed, so nothing could be told; nothing is done\n"
    assert (told.returncode, told.stderr) == (NOT_WELL, said)


@pytest.mark.parametrize("where", ["2> /dev/full", "2>&-"])
def test_figures_are_told_where_nothing_else_can_be(where: str) -> None:
    told = by_shell(f"{FEW} {where}")
    assert (told.returncode, told.stderr) == (0, "")
    assert "300 rounds" in told.stdout
    assert "rounds in" not in told.stdout, "the speed is not of what was asked for"
    assert by_shell(f"edge nothing {where}").returncode == WRONG_USE


@pytest.mark.needs("numba")
def test_a_result_goes_through_a_pipe() -> None:
    told = by_shell(f"{FEW} --json | {sys.executable} -m figures.program.main shift - --rounds 50")
    assert told.returncode == 0, told.stderr
    assert "chance that it loses" in told.stdout


def test_what_stands_behind_the_sign_is_95_percent(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of what is told beside a run that goes on."""
    monkeypatch.setattr("figures.program.runs.TELL_EVERY_S", 0.0)
    run = run_of(game_of())
    sums = sums_of(run)
    error = main_figures(2, sums)["per_initial"]["standard_error"]
    assert error is not None
    Progress([run]).played([sums])
    found = re.search(r"\+/- ([\d.]+) % \(95 %\)", capsys.readouterr().err)
    assert found
    assert float(found[1]) == pytest.approx(100 * WITHIN_95 * error, abs=1e-4)


# ---- without the extra --------------------------------------------------------------------------

WITHOUT = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in EXTRA:
            raise ModuleNotFoundError(name, name=name)

EXTRA = {"cycler", "dask", "distributed", "matplotlib", "numba", "numpy", "weasyprint"}
sys.meta_path.insert(0, Missing())
from figures.program.main import main
for words in sys.argv[1:]:
    try:
        code = main(words.split())
    except SystemExit as ended:
        code = ended.code
    print("ended with", code, flush=True)
"""


def without_it(*commands: str) -> tuple[list[str], str]:
    """What is told to each of these, one after the other in one process; and what else is said."""
    told = ran(sys.executable, "-c", WITHOUT, *commands)
    return re.split(r"(?<=ended with \d)\n", told.stdout)[:-1], told.stderr


def test_its_words_need_nothing() -> None:
    """They are read when packages are made."""
    verbs = ["", "edge ", "side ", "shift ", "worth ", "strategy ", "strangers "]
    told, said = without_it(*(f"{verb}--help" for verb in verbs))
    assert said == ""
    for verb, one in zip(verbs, told, strict=True):
        assert one.startswith(f"usage: table-figures {verb}".rstrip())
        assert one.endswith("ended with 0")


def test_the_plain_source_plays_without_it() -> None:
    (told,), said = without_it("edge division-15-pontoon --rounds 500 --boxes 1 --uncompiled")
    assert told.endswith("ended with 0"), said
    assert "500 rounds" in told


def test_what_needs_it_says_so() -> None:
    needs = {
        "strategy division-15-pontoon": "strategy: numpy",
        "edge division-15-pontoon --policy optimal": "edge: numpy",
        "strangers": "strangers: numpy",
        "report nothing.json --html nothing.html": "report: cycler",
    }
    told, said = without_it(*needs)
    assert told == [f"ended with {NOT_WELL}"] * len(needs)
    lines = [line for line in said.splitlines() if line.startswith("table-figures: ")]
    for missing, line in zip(needs.values(), lines, strict=True):
        assert line.startswith(f"table-figures: {missing} is not installed; the extra 'figures'")
    assert said.count("pip install '.[figures]'") == len(needs)


def test_a_library_that_does_not_fit_says_so_itself(tmp_path: Path) -> None:
    said = "Numba needs NumPy 2.4 or less. Got NumPy 9.9."
    (tmp_path / "numpy.py").write_text(f"raise ImportError({said!r})\n")
    command = (sys.executable, "-m", "figures.program.main", "strangers")
    told = ran(*command, PYTHONPATH=str(tmp_path))
    assert (told.returncode, told.stderr) == (NOT_WELL, f"table-figures: strangers: {said}\n")
